#include "core/offsets/offset_lookup_manager.hpp"

#include <chrono>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/exchange/leadership_errors.hpp"
#include "core/offsets/list_offsets_query.hpp"
#include "core/offsets/position_errors.hpp"

namespace strandline::core::offsets {

using exchange::wait_reason;
using protocol::broker_error;

namespace {

constexpr auto role = exchange::connection_role::control;
constexpr const char* looking_up = "the look-up of an offset";

error not_there(const topic_partition& partition, std::size_t partitions) {
    error_subject about;
    about.partition = partition;
    about.topic = partition.topic;
    return {errc::partition_not_found,
            fmt::format("topic {} has no partition {}: it has {}", partition.topic, partition.partition, partitions),
            std::move(about)};
}

}  // namespace

offset_lookup_manager::offset_lookup_manager(const exchange::manager_context& context,
                                             kernel::view<exchange::connections_handle> connections,
                                             kernel::view<exchange::cluster_view> cluster)
    : context_(context), reach_(connections), cluster_(cluster), draw_(context.random) {}

// ---- inputs

void offset_lookup_manager::on_command(const boundary::command::list_offsets& command, boundary::operation_token token,
                                       base::instant deadline, exchange::turn_time) {
    offset_lookup lookup;
    lookup.deadline = deadline;
    lookup.answers_before = cluster_->answers;
    for (const auto& [partition, timestamp] : command.timestamps) {
        lookup.left.emplace(partition, sought_offset{timestamp, exchange::request_backoff(context_.config.retry), {}});
    }
    const auto it = lookups_.insert_or_assign(token, std::move(lookup)).first;
    if (it->second.left.empty()) finish(it->first, boundary::operation_value(std::move(it->second.found)));
    end_finished();
    tell_interest();
}

void offset_lookup_manager::on_cancel(boundary::operation_token token, exchange::turn_time) {
    if (!lookups_.contains(token)) return;
    finish(token, tl::unexpected(error(errc::timed_out, "the look-up of offsets was cancelled")));
    end_finished();
    tell_interest();
}

void offset_lookup_manager::on_response(const exchange::response& response, exchange::turn_time time) {
    auto node = in_flight_.extract(response.id);
    if (node.empty()) return;
    const auto& flight = node.mapped();
    list_offsets_answer answer;
    if (!response.body) {
        context_.facts.emit(exchange::metadata_stale{"a look-up of offsets had no answer"});
    } else if (auto read = read_list_offsets_response(*response.body, response.version)) {
        answer = std::move(*read);
    } else {
        context_.facts.emit(exchange::answer_unreadable::of(response, "the answer about offsets cannot be read"));
    }
    if (answer.throttle > base::duration::zero()) {
        const auto until = base::saturating_add(time.now, answer.throttle);
        context_.facts.emit(exchange::broker_throttled{flight.broker, role, until});
    }
    const auto it = lookups_.find(flight.token);
    if (it != lookups_.end()) {
        for (const auto& partition : flight.asked) digest(it->first, it->second, response.id, partition, answer, time);
        if (it->second.left.empty()) finish(it->first, boundary::operation_value(std::move(it->second.found)));
    }
    end_finished();
    tell_interest();
}

void offset_lookup_manager::digest(boundary::operation_token token, offset_lookup& lookup, exchange::request_id id,
                                   const topic_partition& partition, const list_offsets_answer& answer,
                                   exchange::turn_time time) {
    const auto sought = lookup.left.find(partition);
    if (sought == lookup.left.end() || sought->second.in_flight != id) return;
    sought->second.in_flight.reset();
    const auto it = answer.found.find(partition);
    const auto failure = it == answer.found.end() ? broker_error::network_exception : it->second.failure;
    if (failure == broker_error::none || failure == broker_error::unsupported_for_message_format) {
        // A log without timestamps has no record of any time.
        auto& found = lookup.found.found[partition];
        if (failure == broker_error::none && it->second.offset >= 0) {
            found = offset_and_timestamp{
                it->second.offset, base::wall_time(std::chrono::milliseconds(it->second.timestamp)), {}};
            if (it->second.leader_epoch != protocol::no_leader_epoch) {
                found->leader_epoch = it->second.leader_epoch.value();
            }
        }
        lookup.left.erase(sought);
    } else if (protocol::is_retriable(failure) || exchange::is_about_leadership(failure) ||
               failure == broker_error::unknown_server_error) {
        sought->second.backoff.on_failure(time.now, draw_.at(time.now), failure);
        if (exchange::is_about_leadership(failure)) {
            context_.facts.emit(
                exchange::metadata_stale{protocol::to_string(failure) + " for " + to_string(partition)});
        }
    } else {
        finish(token, tl::unexpected(refused_by_broker(partition, failure, looking_up)));
    }
}

// ---- plan

exchange::plan offset_lookup_manager::plan(exchange::turn_time time) {
    if (auto ready = outbox_.take()) return std::move(*ready);
    exchange::pending_wait wait;
    wait.inputs.add(reach_.change()).add(cluster_.change());
    for (const auto& [id, flight] : in_flight_) wait.for_response(id.value(), flight.expires_at);
    for (auto& [token, lookup] : lookups_) {
        if (lookup.deadline <= time.now) {
            finish(token, tl::unexpected(late(lookup)));
        } else {
            wait.until(time.now, lookup.deadline);
            ask(token, lookup, time, wait);
        }
    }
    end_finished();
    if (auto ready = outbox_.take()) return std::move(*ready);
    return wait.answer();
}

void offset_lookup_manager::ask(boundary::operation_token token, offset_lookup& lookup, exchange::turn_time time,
                                exchange::pending_wait& wait) {
    // Each look-up has requests of its own: two may ask for different times of one partition, one request cannot.
    std::map<protocol::broker_id, std::vector<list_offsets_question>> questions;
    for (auto& [partition, sought] : lookup.left) {
        if (sought.in_flight) continue;
        if (!sought.backoff.may_try(time.now)) {
            wait.until(time.now, sought.backoff.allowed_at());
            wait.because_of_failure(sought.backoff.cause());
            continue;
        }
        const auto* leadership = cluster_->find(partition.topic, partition.partition);
        if (leadership && leadership->leader != protocol::no_broker) {
            questions[leadership->leader].push_back({partition, leadership->epoch, sought.timestamp});
            continue;
        }
        wait.because_of(wait_reason::leader_unknown);
        const auto* topic = cluster_->find(partition.topic);
        const bool is_fresh = cluster_->answers > lookup.answers_before;
        if (!topic || !is_fresh) continue;
        if (!leadership && topic->failure == broker_error::none && !topic->partitions.empty()) {
            return finish(token, tl::unexpected(not_there(partition, topic->partitions.size())));
        }
        if (topic->failure != broker_error::none && !protocol::is_retriable(topic->failure)) {
            return finish(token, tl::unexpected(refused_by_broker(partition, topic->failure, looking_up)));
        }
    }
    for (auto& [leader, asked] : questions) send(token, lookup, leader, asked, time, wait);
}

void offset_lookup_manager::send(boundary::operation_token token, offset_lookup& lookup, protocol::broker_id leader,
                                 const std::vector<list_offsets_question>& questions, exchange::turn_time time,
                                 exchange::pending_wait& wait) {
    if (!reach_.may_send(leader, role, time.now, outbox_, wait)) return;
    const auto version = reach_.connections().usable_version(leader, protocol::api_key::list_offsets);
    if (!version) return;
    const exchange::request_id id(context_.ids.next());
    lookup_flight flight{token, leader, base::saturating_add(time.now, context_.config.request_timeout), {}};
    for (const auto& question : questions) {
        flight.asked.push_back(question.partition);
        lookup.left.at(question.partition).in_flight = id;
    }
    outbox_.add(exchange::outbound_request{
        id, exchange::manager::offset_lookup, 0, leader, role,
        make_list_offsets_request(questions, context_.config.isolation, context_.config.request_timeout, *version),
        *version, flight.expires_at});
    in_flight_.emplace(id, std::move(flight));
}

// ---- the end of a look-up

// The first result stands.
void offset_lookup_manager::finish(boundary::operation_token token, result<boundary::operation_value> outcome) {
    auto& lookup = lookups_.at(token);
    if (std::exchange(lookup.finished, true)) return;
    outbox_.add(boundary::completion{token, std::move(outcome)});
}

void offset_lookup_manager::end_finished() {
    std::erase_if(lookups_, [](const auto& entry) { return entry.second.finished; });
}

error offset_lookup_manager::late(const offset_lookup& lookup) const {
    const auto& [partition, sought] = *lookup.left.begin();
    const auto* topic = cluster_->find(partition.topic);
    const bool is_unknown = !topic || topic->failure == broker_error::unknown_topic_or_partition;
    error_subject about;
    about.partition = partition;
    about.topic = partition.topic;
    return {errc::timed_out,
            fmt::format("the offsets of {} partitions were not found in time, first {}: waited for {}",
                        lookup.left.size(), to_string(partition),
                        sought.in_flight ? "its leader's answer"
                        : is_unknown     ? "the topic to be known to the cluster"
                                         : "its leader to be found and reached"),
            std::move(about),
            {true, false}};
}

void offset_lookup_manager::tell_interest() {
    std::set<std::string> names;
    for (const auto& [token, lookup] : lookups_) {
        for (const auto& [partition, sought] : lookup.left) names.insert(partition.topic);
    }
    if (names == interest_) return;
    interest_ = names;
    exchange::topics_of_interest interest;
    interest.who = exchange::topics_of_interest::source::lookup;
    interest.names.assign(names.begin(), names.end());
    context_.facts.emit(std::move(interest));
}

}  // namespace strandline::core::offsets
