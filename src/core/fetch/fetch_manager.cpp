#include "core/fetch/fetch_manager.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "protocol/codec.hpp"

namespace strandline::core::fetch {

using exchange::connection_role;
using exchange::wait_reason;
using protocol::broker_error;
using protocol::messages::fetch_response;

fetch_manager::fetch_manager(const exchange::manager_context& context,
                             kernel::view<exchange::subscription_state> subscription,
                             kernel::view<exchange::connections_handle> connections,
                             kernel::view<exchange::cluster_view> cluster,
                             kernel::view<exchange::lifecycle_view> lifecycle)
    : context_(context),
      subscription_(subscription),
      cluster_(cluster),
      lifecycle_(lifecycle),
      reach_(connections),
      board_(context, subscription, cluster),
      digest_(context, board_, outbox_) {}

// ---- inputs

void fetch_manager::on_space(std::size_t bytes_in_use, exchange::turn_time) {
    board_.budget().set_in_use(bytes_in_use);
}

void fetch_manager::on_buffer_drained(const boundary::buffer_drained& drained, exchange::turn_time) {
    board_.on_drained(drained);
}

void fetch_manager::on_fact(const exchange::partition_changed& fact, exchange::turn_time) {
    for (const auto slot : fact.which) board_.look_at(slot);
}

void fetch_manager::on_response(const exchange::response& response, exchange::turn_time time) {
    const auto it = board_.brokers().find(response.broker);
    if (it == board_.brokers().end()) return;
    const auto lane = static_cast<fetch_lane>(response.operation);
    auto& flight = lane == fetch_lane::urgent ? it->second.urgent : it->second.polling;
    if (lane == fetch_lane::closing || !flight || flight->id != response.id) return;
    auto answered = *std::exchange(flight, std::nullopt);
    if (lane == fetch_lane::polling) {
        it->second.urgent_wish.clear();
        served_last_ = it->first;
    }
    board_.budget().release(answered.reserved);
    if (lifecycle_->stage != exchange::close_stage::open) return;
    if (response.body) {
        on_answer(it->first, it->second, lane, std::move(answered), response, time);
    } else {
        on_lost(it->first, it->second, lane, response, time);
    }
}

void fetch_manager::on_lost(protocol::broker_id id, broker_fetcher& broker, fetch_lane lane,
                            const exchange::response& response, exchange::turn_time time) {
    // What was asked beside the poll stays wanted; the poll will ask for it.
    if (lane == fetch_lane::urgent) return;
    broker.session.on_lost();
    broker.backoff.on_failure(time.now, context_.random,
                              response.body ? exchange::failure_cause(exchange::request_failure::kind::malformed)
                                            : response.body.error().what);
    board_.leave_replica(id);
    if (!response.body && response.body.error().what == exchange::request_failure::kind::not_ready) return;
    context_.facts.emit(exchange::metadata_stale{"a fetch from broker " + to_string(id) + " had no usable answer"});
}

void fetch_manager::on_answer(protocol::broker_id id, broker_fetcher& broker, fetch_lane lane, fetch_flight flight,
                              const exchange::response& response, exchange::turn_time time) {
    const auto answer = protocol::decode<fetch_response>(*response.body, response.version);
    if (!answer) {
        context_.facts.emit(exchange::answer_unreadable::of(response, answer.error().to_string()));
        on_lost(id, broker, lane, response, time);
        return;
    }
    if (answer->throttle_time_ms > 0) {
        const auto role = lane == fetch_lane::urgent ? connection_role::control : connection_role::fetch;
        context_.facts.emit(exchange::broker_throttled{
            id, role, base::saturating_add(time.now, std::chrono::milliseconds(answer->throttle_time_ms))});
    }
    if (answer->error_code != broker_error::none) {
        if (lane == fetch_lane::urgent) return;
        const bool is_about_session = answer->error_code == broker_error::fetch_session_id_not_found ||
                                      answer->error_code == broker_error::invalid_fetch_session_epoch ||
                                      answer->error_code == broker_error::fetch_session_topic_id_error;
        broker.session.on_refused(answer->error_code);
        // Brokers end sessions as they please: the first refusal costs a round trip, not a back-off.
        if (!is_about_session || std::exchange(broker.session_refused, true)) {
            broker.backoff.on_failure(time.now, context_.random, answer->error_code);
        }
        return;
    }
    const bool nothing_waiting = board_.nothing_waiting();
    const bool filled = response.body->size() * 10 >= flight.reserved * 9;
    if (lane == fetch_lane::urgent) {
        fetch_session beside;
        beside.on_answer(std::move(flight.step), 0);
        digest_.digest(id, response.version, beside, *answer, time);
        return;
    }
    broker.backoff.on_success();
    broker.session_refused = false;
    broker.keeps_no_session = answer->session_id == 0;
    broker.session.on_answer(std::move(flight.step), answer->session_id);
    if (digest_.digest(id, response.version, broker.session, *answer, time)) {
        const auto largest = std::min<std::size_t>(board_.budget().largest_request(),
                                                   static_cast<std::size_t>(context_.config.fetch_max_bytes));
        broker.adapt(response.took, filled, nothing_waiting, largest);
    }
}

// ---- plan

exchange::plan fetch_manager::plan(exchange::turn_time time) {
    if (auto ready = outbox_.take()) return std::move(*ready);
    exchange::pending_wait wait;
    wait.inputs.add(subscription_.change()).add(cluster_.change()).add(lifecycle_.change()).add(reach_.change());
    if (lifecycle_->stage != exchange::close_stage::open) {
        if (lifecycle_->stage == exchange::close_stage::drain && !std::exchange(sessions_closed_, true)) {
            close_sessions(time);
        }
        if (auto ready = outbox_.take()) return std::move(*ready);
        return wait.answer();
    }
    board_.place_all(time.now);
    auto& brokers = board_.brokers();
    const auto first = brokers.upper_bound(served_last_);
    for (auto it = first; it != brokers.end(); ++it) plan_broker(it->first, it->second, time, wait);
    for (auto it = brokers.begin(); it != first; ++it) plan_broker(it->first, it->second, time, wait);
    if (missing_ > 0) board_.recall(std::exchange(missing_, 0), outbox_);
    if (auto ready = outbox_.take()) return std::move(*ready);
    wait.until(time.now, board_.next_due());
    explain_rest(wait);
    return wait.answer();
}

void fetch_manager::plan_broker(protocol::broker_id id, broker_fetcher& broker, exchange::turn_time time,
                                exchange::pending_wait& wait) {
    if (!broker.polling) plan_polling(id, broker, time, wait);
    if (broker.polling) plan_urgent(id, broker, time, wait);
    for (const auto* flight : {&broker.polling, &broker.urgent}) {
        if (*flight) wait.for_response((*flight)->id.value(), (*flight)->expires_at);
    }
}

void fetch_manager::plan_polling(protocol::broker_id id, broker_fetcher& broker, exchange::turn_time time,
                                 exchange::pending_wait& wait) {
    if (broker.order.empty()) return;
    if (!broker.backoff.may_try(time.now)) {
        wait.until(time.now, broker.backoff.allowed_at());
        wait.because_of_failure(broker.backoff.cause());
        return;
    }
    if (!reach_.may_send(id, connection_role::fetch, time.now, outbox_, wait)) return;
    const bool by_id = broker.without_id == 0 &&
                       reach_.connections().usable_version(id, protocol::api_key::fetch) > newest_version(false);
    const auto version = reach_.connections().usable_version(id, protocol::api_key::fetch, newest_version(by_id));
    const auto bytes = room(broker, wait);
    if (!version || !bytes) return;
    auto step = next_step(id, broker, by_id);
    fetch_limits limits{*bytes, context_.config.fetch_max_wait, context_.config.fetch_min_bytes};
    // The session is not told everything yet: the rest does not wait for records.
    if (!broker.dirty.empty()) limits.max_wait = base::duration::zero();
    broker.polling = send(id, fetch_lane::polling, connection_role::fetch, std::move(step), limits, *version, time);
}

void fetch_manager::plan_urgent(protocol::broker_id id, broker_fetcher& broker, exchange::turn_time time,
                                exchange::pending_wait& wait) {
    if (broker.urgent || broker.urgent_wish.empty()) return;
    const auto from = broker.polling->sent_at + broker_fetcher::urgent_after;
    if (from > time.now) {
        wait.until(time.now, from);
        return;
    }
    forget_served_wishes(id, broker);
    if (broker.urgent_wish.empty()) return;
    if (!reach_.may_send(id, connection_role::control, time.now, outbox_, wait)) return;
    const bool all_have_ids = std::all_of(broker.urgent_wish.begin(), broker.urgent_wish.end(),
                                          [&](auto slot) { return !board_.at(slot).identity->topic_id.is_zero(); });
    const bool by_id =
        all_have_ids && reach_.connections().usable_version(id, protocol::api_key::fetch) > newest_version(false);
    const auto version = reach_.connections().usable_version(id, protocol::api_key::fetch, newest_version(by_id));
    const auto bytes = room(broker, wait);
    if (!version || !bytes) return;
    std::vector<fetch_entry> entries;
    for (const auto slot : std::exchange(broker.urgent_wish, {})) {
        entries.push_back(board_.entry_of(slot));
        board_.at(slot).urged_from = entries.back().offset;
    }
    // It must not become a long poll itself: others use this connection.
    const fetch_limits limits{*bytes, base::duration::zero(), 0};
    broker.urgent = send(id, fetch_lane::urgent, connection_role::control,
                         fetch_session::without_session(std::move(entries), by_id), limits, *version, time);
}

// What left this broker, what the long poll asks for already, and what was asked beside it from the same offset before.
void fetch_manager::forget_served_wishes(protocol::broker_id id, broker_fetcher& broker) {
    auto& wishes = broker.urgent_wish;
    std::sort(wishes.begin(), wishes.end());
    wishes.erase(std::unique(wishes.begin(), wishes.end()), wishes.end());
    std::erase_if(wishes, [&](boundary::slot_id slot) {
        const auto& tracked = board_.at(slot);
        const auto* state = subscription_->find(slot);
        if (tracked.broker != id || !state || !state->position) return true;
        const auto offset = state->position->offset;
        return tracked.polled_from == offset || tracked.urged_from == offset;
    });
}

fetch_session_step fetch_manager::next_step(protocol::broker_id id, broker_fetcher& broker, bool by_id) {
    std::vector<fetch_entry> entries;
    const auto add = [&](boundary::slot_id slot) {
        auto& tracked = board_.at(slot);
        entries.push_back(board_.entry_of(slot));
        tracked.dirty = false;
        tracked.polled_from = entries.back().offset;
    };
    // A broker that keeps no sessions answers about what it is asked, so it is asked about everything.
    const auto most =
        broker.keeps_no_session ? std::numeric_limits<std::size_t>::max() : exchange::most_partitions_at_once;
    const auto dirty = std::exchange(broker.dirty, {});
    const auto dropped = std::exchange(broker.dropped, {});
    if (broker.session.needs_all(by_id)) {
        entries.reserve(std::min(broker.order.size(), most));
        for (auto number = broker.order.first(); number != tracked_partition::none;) {
            const boundary::slot_id slot(number);
            auto& tracked = board_.at(slot);
            number = tracked.next;
            if (entries.size() < most) {
                add(slot);
            } else {
                tracked.dirty = true;
                tracked.polled_from = -1;
                broker.dirty.push_back(slot);
            }
        }
        return broker.session.open(std::move(entries), by_id);
    }
    for (const auto slot : dirty) {
        const auto& tracked = board_.at(slot);
        if (tracked.broker != id || !tracked.dirty) continue;
        if (entries.size() < most) {
            add(slot);
        } else {
            broker.dirty.push_back(slot);
        }
    }
    return broker.session.go_on(std::move(entries), dropped);
}

std::optional<std::size_t> fetch_manager::room(const broker_fetcher& broker, exchange::pending_wait& wait) {
    const auto& config = context_.config;
    const auto free = board_.budget().free();
    if (free < board_.budget().smallest_request()) {
        wait.inputs.add(kernel::awaited::space());
        wait.because_of(wait_reason::memory_limit);
        missing_ += broker.answer_size;
        return std::nullopt;
    }
    const auto wanted = std::max(broker.answer_size, static_cast<std::size_t>(std::max(config.fetch_min_bytes, 0)));
    return std::min({wanted, static_cast<std::size_t>(config.fetch_max_bytes), free});
}

fetch_flight fetch_manager::send(protocol::broker_id id, fetch_lane lane, connection_role role, fetch_session_step step,
                                 const fetch_limits& limits, std::int16_t version, exchange::turn_time time) {
    fetch_flight flight;
    flight.id = exchange::request_id(context_.ids.next());
    flight.sent_at = time.now;
    flight.expires_at =
        base::saturating_add(base::saturating_add(time.now, limits.max_wait), context_.config.request_timeout);
    flight.reserved = limits.max_bytes;
    board_.budget().reserve(flight.reserved);
    outbox_.add(exchange::outbound_request{flight.id, exchange::manager::fetch, static_cast<std::uint16_t>(lane), id,
                                           role, make_fetch_request(step, limits, context_.config), version,
                                           flight.expires_at});
    flight.step = std::move(step);
    return flight;
}

// Best effort: a session that is not closed ages away at the broker.
void fetch_manager::close_sessions(exchange::turn_time time) {
    for (auto& [id, broker] : board_.brokers()) {
        auto step = broker.session.close();
        // Behind a long poll it would wait for that to end.
        const auto role = broker.polling ? connection_role::control : connection_role::fetch;
        if (!step || !reach_.connections().of(id, role).ready()) continue;
        const auto version =
            reach_.connections().usable_version(id, protocol::api_key::fetch, newest_version(step->by_id));
        if (!version) continue;
        const fetch_limits nothing{0, base::duration::zero(), 0};
        const auto flight = send(id, fetch_lane::closing, role, *std::move(step), nothing, *version, time);
        board_.budget().release(flight.reserved);
    }
    outbox_.add(exchange::stage_finished{exchange::close_stage::drain});
}

void fetch_manager::explain_rest(exchange::pending_wait& wait) {
    if (board_.withheld() > 0) {
        wait.inputs.add(kernel::awaited::queue_space());
        wait.because_of(wait_reason::buffers_full);
    }
    if (board_.next_due() != base::never) wait.because_of_failure(board_.newest_trouble());
    wait.because_of(subscription_->slots().empty() ? wait_reason::nothing_assigned : wait_reason::nothing_fetchable);
}

}  // namespace strandline::core::fetch
