#include "core/offsets/position_inquiry.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/boundary/command.hpp"
#include "core/exchange/leadership_errors.hpp"
#include "core/offsets/position_errors.hpp"

namespace strandline::core::offsets {

using exchange::wait_reason;

namespace {

constexpr auto role = exchange::connection_role::control;

protocol::api_key api_of(position_question question) {
    return question == position_question::list_offsets ? protocol::api_key::list_offsets
                                                       : protocol::api_key::offset_for_leader_epoch;
}

const char* what_it_is(position_question question) {
    return question == position_question::list_offsets ? "the look-up of an offset" : "the validation of the position";
}

}  // namespace

position_inquiry::position_inquiry(const exchange::manager_context& context,
                                   kernel::view<exchange::connections_handle> connections,
                                   kernel::view<exchange::cluster_view> cluster, position_states& states)
    : context_(context), reach_(connections), cluster_(cluster), states_(&states), draw_(context.random) {}

// ---- asking

void position_inquiry::plan(exchange::turn_time time, exchange::outbox& out, exchange::pending_wait& wait) {
    wait.inputs.add(reach_.change()).add(cluster_.change());
    for (const auto& [id, request] : states_->search().in_flight()) wait.for_response(id.value(), request.expires_at);
    gather(time, wait);
    for (auto& [key, batch] : batches_) {
        if (!batch.asked.empty()) send(key.first, key.second, batch, time, out, wait);
    }
    batches_.clear();
    if (!not_to_validate_.empty()) wait.until(time.now, time.now + base::duration(1));
}

void position_inquiry::gather(exchange::turn_time time, exchange::pending_wait& wait) {
    for (auto& [slot, wanted] : states_->search().all()) {
        const auto& state = *states_->table().find(slot);
        // Nobody needs the position of what is being given up, nor an error about it.
        if (wanted.in_flight || state.fenced) continue;
        if (!wanted.backoff.may_try(time.now)) {
            wait.until(time.now, wanted.backoff.allowed_at());
            wait.because_of_failure(wanted.backoff.cause());
            continue;
        }
        const auto& name = state.partition->name;
        const auto* leadership = cluster_->find(name.topic, name.partition);
        if (!leadership || leadership->leader == protocol::no_broker) {
            wait.because_of(wait_reason::leader_unknown);
            continue;
        }
        auto& batch = batches_[{leadership->leader, wanted.question}];
        // The others follow in the same turn.
        if (batch.asked.size() == exchange::most_partitions_at_once) continue;
        batch.asked.push_back({slot, wanted.era, name});
        if (wanted.question == position_question::list_offsets) {
            batch.list_offsets.push_back({name, leadership->epoch, timestamp_of(wanted, time)});
        } else {
            batch.leader_epochs.push_back({name, leadership->epoch, state.position->last_epoch});
        }
    }
}

void position_inquiry::send(protocol::broker_id leader, position_question question, leader_batch& batch,
                            exchange::turn_time time, exchange::outbox& out, exchange::pending_wait& wait) {
    if (!reach_.may_send(leader, role, time.now, out, wait)) return;
    const auto version = reach_.connections().usable_version(leader, api_of(question));
    if (!version) {
        if (question == position_question::list_offsets) return;
        for (const auto& asked : batch.asked) not_to_validate_.emplace_back(asked.slot, asked.era);
        return;
    }
    const exchange::request_id id(context_.ids.next());
    auto body = question == position_question::list_offsets
                    ? make_list_offsets_request(batch.list_offsets, context_.config.isolation,
                                                context_.config.request_timeout, *version)
                    : make_leader_epoch_request(batch.leader_epochs);
    const auto expires_at = base::saturating_add(time.now, context_.config.request_timeout);
    states_->search().on_sent(id, {question, leader, expires_at, std::move(batch.asked)});
    out.add(exchange::outbound_request{id, exchange::manager::position, static_cast<std::uint16_t>(question), leader,
                                       role, std::move(body), *version, expires_at});
}

std::int64_t position_inquiry::timestamp_of(position_search::wanted& wanted, exchange::turn_time time) const {
    using kind = boundary::reset_policy::kind;
    if (wanted.policy.what == kind::earliest) return boundary::command::list_offsets::earliest;
    if (wanted.policy.what != kind::by_duration) return boundary::command::list_offsets::latest;
    if (!wanted.timestamp) {
        const auto ago = std::chrono::duration_cast<std::chrono::milliseconds>(wanted.policy.ago);
        wanted.timestamp = std::max<std::int64_t>((time.wall - ago).time_since_epoch().count(), 0);
    }
    return *wanted.timestamp;
}

// ---- answers

bool position_inquiry::on_turn() {
    const auto needless = std::exchange(not_to_validate_, {});
    for (const auto& [slot, era] : needless) {
        const auto* wanted = states_->search().find(slot);
        if (wanted && wanted->era == era && wanted->question == position_question::offset_for_leader_epoch) {
            states_->on_validated(slot);
        }
    }
    return !needless.empty();
}

void position_inquiry::on_response(const exchange::response& response, exchange::turn_time time) {
    const auto request = states_->search().take(response.id);
    if (!request) return;
    if (!response.body) {
        on_failure(response.id, *request, "a look-up of positions had no answer", response.body.error().what, time);
        return;
    }
    if (request->question == position_question::list_offsets) {
        const auto answer = read_list_offsets_response(*response.body, response.version);
        if (answer) return digest(response.id, *request, *answer, time);
    } else {
        const auto answer = read_leader_epoch_response(*response.body, response.version);
        if (answer) return digest(response.id, *request, *answer, time);
    }
    context_.facts.emit(exchange::answer_unreadable::of(response, "the answer about positions cannot be read"));
    on_failure(response.id, *request, "a look-up of positions had an answer that cannot be read",
               exchange::request_failure::kind::malformed, time);
}

void position_inquiry::on_failure(exchange::request_id id, const position_request& request, const char* why,
                                  exchange::failure_cause cause, exchange::turn_time time) {
    for (const auto& asked : request.asked) {
        if (states_->search().fits(id, asked)) retry_later(asked.slot, cause, time);
    }
    context_.facts.emit(exchange::metadata_stale{why});
}

template <class Answer>
void position_inquiry::digest(exchange::request_id id, const position_request& request, const Answer& answer,
                              exchange::turn_time time) {
    on_throttled(request.broker, answer.throttle, time);
    for (const auto& asked : request.asked) {
        if (!states_->search().fits(id, asked)) continue;
        const auto it = answer.found.find(asked.partition);
        if (it == answer.found.end()) {
            retry_later(asked.slot, exchange::request_failure::kind::malformed, time);
        } else if (it->second.failure != protocol::broker_error::none) {
            on_error(asked, it->second.failure, what_it_is(request.question), time);
        } else {
            on_found(asked.slot, it->second, time);
        }
    }
}

void position_inquiry::on_found(boundary::slot_id slot, const list_offsets_finding& found, exchange::turn_time time) {
    if (found.offset >= 0) return states_->on_reset_found(slot, found.offset, found.leader_epoch);
    // Nothing is as young as asked for. Something will be.
    retry_later(slot, {}, time);
}

void position_inquiry::on_found(boundary::slot_id slot, const leader_epoch_finding& found, exchange::turn_time) {
    if (!found.is_known()) {
        states_->on_truncated(slot, std::nullopt, protocol::no_leader_epoch);
    } else if (found.end_offset < states_->table().find(slot)->position->offset) {
        states_->on_truncated(slot, found.end_offset, found.epoch);
    } else {
        states_->on_validated(slot);
    }
}

void position_inquiry::on_error(const asked_position& asked, protocol::broker_error failure, const char* what,
                                exchange::turn_time time) {
    if (failure == protocol::broker_error::topic_authorization_failed ||
        failure == protocol::broker_error::unsupported_for_message_format) {
        states_->stop(asked.slot, refused_by_broker(asked.partition, failure, what), false);
        return;
    }
    // Whatever it is, it is no reason to start anywhere else.
    retry_later(asked.slot, failure, time);
    if (exchange::is_about_leadership(failure)) {
        context_.facts.emit(
            exchange::metadata_stale{protocol::to_string(failure) + " for " + to_string(asked.partition)});
    }
}

void position_inquiry::retry_later(boundary::slot_id slot, exchange::failure_cause cause, exchange::turn_time time) {
    states_->search().retry_later(slot, cause, time.now, draw_.at(time.now));
}

void position_inquiry::on_throttled(protocol::broker_id broker, base::duration throttle, exchange::turn_time time) {
    if (throttle <= base::duration::zero()) return;
    context_.facts.emit(exchange::broker_throttled{broker, role, base::saturating_add(time.now, throttle)});
}

}  // namespace strandline::core::offsets
