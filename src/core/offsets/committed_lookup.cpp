#include "core/offsets/committed_lookup.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "core/exchange/leadership_errors.hpp"
#include "core/offsets/commit_errors.hpp"

namespace strandline::core::offsets {

using exchange::wait_reason;
using protocol::broker_error;

namespace {

error refused(const char* what, const std::string& group, broker_error why, const topic_partition* partition) {
    error_subject about;
    about.group = group;
    if (partition) {
        about.partition = *partition;
        about.topic = partition->topic;
    }
    return {std::error_code(static_cast<int>(why), kafka_category()),
            fmt::format("{} of group {} was refused: {} ({})", what, group, protocol::meaning(why),
                        protocol::to_string(why)),
            std::move(about),
            {protocol::is_retriable(why), false}};
}

}  // namespace

committed_lookup::committed_lookup(const exchange::manager_context& context, coordinator_link& link,
                                   kernel::view<exchange::member_view> member,
                                   kernel::view<exchange::subscription_state> subscription,
                                   kernel::view<exchange::cluster_view> cluster, exchange::outbox& outbox)
    : context_(context),
      link_(&link),
      member_(member),
      subscription_(subscription),
      cluster_(cluster),
      outbox_(&outbox) {}

// ---- what is asked

void committed_lookup::ask(const std::vector<std::pair<boundary::slot_id, boundary::incarnation>>& slots) {
    committed_query query(context_.config.retry);
    for (const auto& [slot, era] : slots) {
        const auto* state = subscription_->find(slot);
        if (!state || state->era != era) continue;
        if (query.left.empty()) query.left.reserve(std::min(slots.size(), exchange::most_partitions_at_once));
        query.left.push_back({state->partition->name, state->partition->topic_id, slot, era});
        if (query.left.size() < exchange::most_partitions_at_once) continue;
        queries_.emplace(++last_query_, std::exchange(query, committed_query(context_.config.retry)));
    }
    if (!query.left.empty()) queries_.emplace(++last_query_, std::move(query));
}

void committed_lookup::ask(const partitions& which, boundary::operation_token token, base::instant deadline) {
    committed_query query(context_.config.retry);
    query.token = token;
    query.deadline = deadline;
    for (const auto& partition : std::set<topic_partition>(which.begin(), which.end())) {
        query.left.push_back({partition, {}, {}, {}});
    }
    if (query.left.empty()) {
        finish(query);
    } else {
        queries_.emplace(++last_query_, std::move(query));
    }
}

bool committed_lookup::on_cancel(boundary::operation_token token) {
    for (auto it = queries_.begin(); it != queries_.end(); ++it) {
        if (it->second.token != token) continue;
        outbox_->add(boundary::completion{token, tl::unexpected(error(errc::timed_out, "committed was cancelled"))});
        queries_.erase(it);
        return true;
    }
    return false;
}

// ---- asking

void committed_lookup::plan(exchange::turn_time time, exchange::pending_wait& wait) {
    wait.inputs.add(subscription_.change()).add(member_.change()).add(cluster_.change());
    drop_overtaken(time, wait);
    if (flight_) {
        wait.for_response(flight_->id.value(), flight_->expires_at);
        return;
    }
    std::vector<std::uint64_t> ready;
    std::size_t partitions = 0;
    for (const auto& [id, query] : queries_) {
        if (!may_ask(query, time.now, wait)) continue;
        partitions += query.left.size();
        // The others go with the next one.
        if (!ready.empty() && partitions > exchange::most_partitions_at_once) break;
        ready.push_back(id);
    }
    if (ready.empty()) return;
    if (const auto at = link_->may_send(time.now, *outbox_, wait)) send(ready, *at, time);
}

void committed_lookup::drop_overtaken(exchange::turn_time time, exchange::pending_wait& wait) {
    for (auto it = queries_.begin(); it != queries_.end();) {
        const bool is_over =
            it->second.token == boundary::no_operation ? drop_needless(it->second) : end_late(it->second, time, wait);
        it = is_over ? queries_.erase(it) : std::next(it);
    }
}

// Nobody needs the offset of a partition that is gone, or has moved by itself since.
bool committed_lookup::drop_needless(committed_query& query) {
    std::erase_if(query.left, [&](const asked_partition& asked) {
        const auto* state = subscription_->find(asked.slot);
        return !state || state->era != asked.era || state->fenced;
    });
    return query.left.empty();
}

bool committed_lookup::end_late(committed_query& query, exchange::turn_time time, exchange::pending_wait& wait) {
    if (query.deadline > time.now) {
        wait.until(time.now, query.deadline);
        return false;
    }
    error_subject about;
    about.group = *context_.config.group_id;
    const auto before = query.backoff.cause();
    auto text = fmt::format("committed offsets of group {}: no answer from its coordinator in time{}", about.group,
                            before.is_known() ? " that could be used, the last was " + to_string(before) : "");
    outbox_->add(boundary::completion{
        query.token, tl::unexpected(error(errc::timed_out, std::move(text), std::move(about), {true, false}))});
    return true;
}

bool committed_lookup::may_ask(const committed_query& query, base::instant now, exchange::pending_wait& wait) const {
    if (!query.backoff.may_try(now)) {
        wait.until(now, query.backoff.allowed_at());
        wait.because_of_failure(query.backoff.cause());
        return false;
    }
    if (query.stale.holds_back(member_, now)) {
        wait.until(now, query.stale.until());
        wait.because_of(wait_reason::newer_epoch);
        return false;
    }
    return true;
}

void committed_lookup::send(const std::vector<std::uint64_t>& ready, const coordinator_finding& at,
                            exchange::turn_time time) {
    lookup_flight flight;
    std::set<topic_partition> named;
    bool all_have_ids = true;
    for (const auto id : ready) {
        const auto& query = queries_.at(id);
        for (const auto& asked : query.left) {
            if (!named.insert(asked.partition).second) continue;
            const auto topic_id =
                query.token == boundary::no_operation ? asked.topic_id : present_id(asked.partition.topic);
            flight.questions.push_back({asked.partition, topic_id});
            all_have_ids = all_have_ids && !topic_id.is_zero();
        }
    }
    const std::int16_t cap = all_have_ids ? first_offset_fetch_by_id : std::int16_t{first_offset_fetch_by_id - 1};
    const auto version = link_->usable_version(at, protocol::api_key::offset_fetch, cap);
    if (!version) return;
    flight.id = exchange::request_id(context_.ids.next());
    flight.expires_at = base::saturating_add(time.now, context_.config.request_timeout);
    flight.at = at;
    if (member_->in_group) flight.epoch = member_->epoch;
    flight.queries = ready;
    outbox_->add(exchange::outbound_request{
        flight.id, exchange::manager::commit, operation, at.broker, coordinator_link::role,
        make_offset_fetch_request(flight.questions, context_.config, *member_.operator->(), *version), *version,
        flight.expires_at});
    flight_ = std::move(flight);
}

// The application asks for a topic by its name, which may be another's by the time of a further attempt. One that is
// gone is asked for by name: the group remembers nothing of it, and says so.
protocol::topic_id committed_lookup::present_id(const std::string& topic) const {
    const auto* known = cluster_->find(topic);
    return known && known->failure == broker_error::none ? known->id : protocol::topic_id{};
}

// ---- answers

void committed_lookup::on_response(const exchange::response& response, exchange::turn_time time) {
    if (!flight_ || flight_->id != response.id) return;
    const auto flight = *std::exchange(flight_, std::nullopt);
    committed_answer answer;
    if (!response.body) {
        link_->lost(flight.at, "a look-up of committed offsets had no answer: " + response.body.error().detail);
        answer.failure = broker_error::network_exception;
    } else if (auto read = read_offset_fetch_response(*response.body, response.version, flight.questions)) {
        answer = std::move(*read);
        link_->throttled(flight.at, answer.throttle, time.now);
        link_->lost(flight.at, answer.failure);
    } else {
        context_.facts.emit(
            exchange::answer_unreadable::of(response, "the answer about committed offsets cannot be read"));
        answer.failure = broker_error::network_exception;
    }
    if (is_fence(answer.failure) && flight.epoch.value() >= 0) {
        context_.facts.emit(exchange::member_fenced{flight.epoch, answer.failure});
    }
    for (const auto id : flight.queries) {
        const auto it = queries_.find(id);
        if (it == queries_.end()) continue;
        digest(it->second, flight, answer, time);
        if (it->second.left.empty()) queries_.erase(it);
    }
}

void committed_lookup::digest(committed_query& query, const lookup_flight& flight, const committed_answer& answer,
                              exchange::turn_time time) {
    std::optional<broker_error> must_retry;
    std::vector<asked_partition> left;
    for (auto& asked : std::exchange(query.left, {})) {
        const auto it = answer.found.find(asked.partition);
        auto why = answer.failure;
        if (why == broker_error::none)
            why = it == answer.found.end() ? broker_error::network_exception : it->second.failure;
        if (why == broker_error::none) {
            on_found(query, asked, it->second.committed);
        } else if (is_passing(why)) {
            must_retry = why;
            if (why == broker_error::stale_member_epoch) {
                query.stale.on_refused(flight.epoch, time.now, context_.config.request_timeout);
            }
            if (exchange::is_about_leadership(why)) {
                context_.facts.emit(exchange::metadata_stale{protocol::to_string(why) + " of the group's coordinator"});
            }
            left.push_back(std::move(asked));
        } else {
            on_failed(query, asked, why);
            // The application's look-up has one result: the first error is it.
            if (query.token != boundary::no_operation) return;
        }
    }
    query.left = std::move(left);
    if (must_retry) {
        query.backoff.on_failure(time.now, context_.random, *must_retry);
    } else {
        finish(query);
    }
}

// What is neither found nor refused for good is asked again: an error is never taken for "nothing committed".
bool committed_lookup::is_passing(broker_error why) const noexcept {
    switch (why) {
        case broker_error::network_exception:
        case broker_error::coordinator_load_in_progress:
        case broker_error::coordinator_not_available:
        case broker_error::not_coordinator:
        case broker_error::request_timed_out:
        case broker_error::unstable_offset_commit:
        case broker_error::stale_member_epoch:
        case broker_error::unknown_member_id:
        case broker_error::fenced_member_epoch: return true;
        default: return protocol::is_retriable(why) || exchange::is_about_leadership(why);
    }
}

void committed_lookup::on_found(committed_query& query, const asked_partition& asked,
                                const std::optional<offset_and_metadata>& committed) {
    if (query.token == boundary::no_operation) {
        context_.facts.emit(exchange::committed_known{asked.slot, asked.era, committed, std::nullopt});
    } else if (committed) {
        query.found.insert_or_assign(asked.partition, *committed);
    }
}

void committed_lookup::on_failed(committed_query& query, const asked_partition& asked, broker_error why) {
    auto failure = refused("the look-up of committed offsets", *context_.config.group_id, why, &asked.partition);
    if (query.token == boundary::no_operation) {
        context_.facts.emit(exchange::committed_known{asked.slot, asked.era, std::nullopt, std::move(failure)});
    } else {
        outbox_->add(boundary::completion{query.token, tl::unexpected(std::move(failure))});
    }
}

void committed_lookup::end_all(const error& why) {
    for (const auto& [id, query] : std::exchange(queries_, {})) {
        if (query.token != boundary::no_operation) {
            outbox_->add(boundary::completion{query.token, tl::unexpected(why)});
            continue;
        }
        for (const auto& asked : query.left) {
            context_.facts.emit(exchange::committed_known{asked.slot, asked.era, std::nullopt, why});
        }
    }
}

void committed_lookup::finish(committed_query& query) {
    if (query.token == boundary::no_operation || !query.left.empty()) return;
    outbox_->add(boundary::completion{query.token, boundary::operation_value(std::move(query.found))});
}

}  // namespace strandline::core::offsets
