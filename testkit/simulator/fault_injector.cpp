#include "testkit/simulator/fault_injector.hpp"

#include <algorithm>

#include "protocol/header.hpp"
#include "testkit/fake_cluster/error_answers.hpp"

namespace strandline::testkit::sim {

namespace {

observed::fault_kind as_observed(fault_kind kind) {
    using seen = observed::fault_kind;
    switch (kind) {
        case fault_kind::latency: return seen::latency;
        case fault_kind::bandwidth: return seen::bandwidth;
        case fault_kind::pieces: return seen::partial_delivery;
        case fault_kind::reset: return seen::reset;
        case fault_kind::half_open: return seen::half_open;
        case fault_kind::refused: return seen::refused;
        case fault_kind::black_hole: return seen::black_hole;
        case fault_kind::trickle: return seen::trickle;
        case fault_kind::no_answer: return seen::reply_dropped;
        case fault_kind::late_answer: return seen::reply_late;
        case fault_kind::error_answer: return seen::error_answer;
        case fault_kind::swapped: return seen::reply_reordered;
        case fault_kind::no_name:
        case fault_kind::slow_name:
        case fault_kind::dead_address:
        case fault_kind::moved_broker: return seen::resolver;
        case fault_kind::stop_broker: return seen::broker_stopped;
        case fault_kind::pause_broker: return seen::broker_paused;
        case fault_kind::move_leader: return seen::leader_moved;
        case fault_kind::move_coordinator: return seen::coordinator_moved;
        case fault_kind::truncate:
        case fault_kind::move_log_start: return seen::truncation;
        case fault_kind::delete_topic: return seen::topic_recreated;
        case fault_kind::add_partitions: return seen::partitions_added;
        case fault_kind::slow_callbacks: return seen::slow_callback;
        case fault_kind::throwing_callbacks: return seen::throwing_callback;
        case fault_kind::slow_application:
        case fault_kind::seek:
        case fault_kind::pause:
        case fault_kind::wakeup:
        case fault_kind::resubscribe:
        case fault_kind::close: return seen::slow_application;
        case fault_kind::crash: return seen::crash;
        case fault_kind::wall_jump: return seen::wall_clock_jump;
        case fault_kind::stall: return seen::stall;
        case fault_kind::fail_allocation: return seen::allocation_failure;
        case fault_kind::garbled_answer: return seen::garbled_answer;
        case fault_kind::expire_offsets: return seen::offsets_expired;
        case fault_kind::forget_sessions: return seen::session_forgotten;
    }
    return seen::latency;
}

// The frame's length and the header are as they should be, so that it comes to whoever asked.
base::shared_bytes with_half_a_body(const fake::response_seen& seen) {
    constexpr std::size_t length = 4;
    constexpr std::size_t correlation_id = 4;
    const auto version = protocol::response_header_version(seen.request.api_key, seen.request.api_version);
    const auto body = length + correlation_id + (version == 0 ? 0 : 1);  // no tagged fields, as one byte
    const auto kept = body + (seen.frame.size() - body) / 2;
    const auto content = static_cast<std::uint32_t>(kept - length);
    std::vector<std::byte> made(seen.frame.view().begin(),
                                seen.frame.view().begin() + static_cast<std::ptrdiff_t>(kept));
    for (std::size_t i = 0; i < length; ++i) made[i] = static_cast<std::byte>(content >> (8 * (length - 1 - i)));
    return base::shared_bytes::copy_of(made);
}

}  // namespace

void fault_injector::schedule(const fault& what) {
    faults_.push_back({what, base::never});
    queue_.at(first_instant + what.at, *this, (faults_.size() - 1) * 2);
}

void fault_injector::inject(const fault& what) {
    faults_.push_back({what, base::never});
    begin(faults_.size() - 1);
}

void fault_injector::heal() {
    for (std::size_t i = 0; i < faults_.size(); ++i) {
        if (faults_[i].until != base::never) end(i);
    }
    told_.tell(observed::all_healed{});
}

void fault_injector::on_event(std::uint64_t what) {
    const auto index = static_cast<std::size_t>(what / 2);
    if (what % 2 == 0) {
        begin(index);
    } else {
        end(index);
    }
}

template <class Do>
void fault_injector::each_broker(const fault& what, Do&& act) {
    for (const auto& [id, broker] : cluster_.state().brokers()) {
        if (what.broker == 0 || id == protocol::broker_id(what.broker)) act(id);
    }
}

template <class Do>
void fault_injector::each_partition(const fault& what, Do&& act) {
    std::vector<std::pair<std::string, std::int32_t>> all;
    for (const auto& [name, topic] : cluster_.state().topics()) {
        // What coordinators keep for themselves is nobody's to read.
        if (topic.is_internal || (!what.topic.empty() && name != what.topic)) continue;
        for (std::int32_t i = 0; i < static_cast<std::int32_t>(topic.partitions.size()); ++i) {
            if (what.partition < 0 || i == what.partition) all.emplace_back(name, i);
        }
    }
    for (const auto& [name, partition] : all) act(name, partition);
}

void fault_injector::begin(std::size_t index) {
    const auto what = faults_[index].what;
    const auto until = queue_.now() + what.lasts;
    faults_[index].until = until;
    ++injected_[what.what];
    told_.tell(observed::fault_applied{static_cast<std::uint32_t>(index), as_observed(what.what), to_string(what)});
    switch (what.what) {
        case fault_kind::no_answer:
        case fault_kind::late_answer:
        case fault_kind::error_answer: on_answers(index); break;
        case fault_kind::garbled_answer: on_bytes_of_answers(index); break;
        case fault_kind::move_leader:
        case fault_kind::truncate:
        case fault_kind::delete_topic:
        case fault_kind::add_partitions:
        case fault_kind::move_log_start: on_logs(what); break;
        case fault_kind::move_coordinator:
            for (const auto& [name, group] : cluster_.core().groups().all()) {
                cluster_.core().groups().move_coordinator(name, protocol::broker_id(what.broker));
                told_.tell(observed::coordinator_changed{name, protocol::broker_id(what.broker)});
            }
            cluster_.touched();
            break;
        case fault_kind::expire_offsets: groups_.expire_offsets(); break;
        case fault_kind::forget_sessions:
            each_broker(what, [&](protocol::broker_id broker) { cluster_.core().sessions().forget_broker(broker); });
            break;
        default:
            if (what.what >= fault_kind::slow_callbacks) {
                subjects_.suffer(what.consumer, what);
            } else {
                each_broker(what, [&](protocol::broker_id broker) {
                    if (what.what >= fault_kind::no_name && what.what <= fault_kind::moved_broker) {
                        on_names(broker, what, until);
                    } else {
                        on_network_of(broker, what, until);
                    }
                });
            }
    }
    queue_.at(until, *this, index * 2 + 1);
}

void fault_injector::on_network_of(protocol::broker_id broker, const fault& what, base::instant until) {
    auto& there = network_.weather(broker);
    const auto* const user = what.consumer == 0 ? nullptr : subjects_.user(what.consumer);
    if (what.consumer != 0 && !user) return;
    switch (what.what) {
        case fault_kind::latency:
            there.more_latency = what.delay;
            there.more_latency_until = std::max(there.more_latency_until, until);
            break;
        case fault_kind::bandwidth:
            there.bytes_per_second = std::max<std::int64_t>(what.amount, 1);
            there.bandwidth_until = std::max(there.bandwidth_until, until);
            break;
        case fault_kind::pieces:
            there.largest_piece = static_cast<std::size_t>(std::max<std::int64_t>(what.amount, 1));
            there.pieces_until = std::max(there.pieces_until, until);
            break;
        case fault_kind::refused: there.refuses_until = std::max(there.refuses_until, until); break;
        case fault_kind::black_hole: there.black_hole_until = std::max(there.black_hole_until, until); break;
        case fault_kind::trickle: there.trickle_until = std::max(there.trickle_until, until); break;
        case fault_kind::reset: network_.reset(broker, user); break;
        case fault_kind::half_open: network_.half_open(broker, user); break;
        case fault_kind::swapped: network_.swap_answers(broker, what.amount); break;
        case fault_kind::stop_broker:
            cluster_.stop_broker(broker);
            told_.tell(observed::broker_state_changed{broker, false});
            break;
        case fault_kind::pause_broker: cluster_.freeze_broker(broker, until); break;
        default: break;
    }
}

void fault_injector::on_names(protocol::broker_id broker, const fault& what, base::instant until) {
    auto& names = network_.addresses();
    switch (what.what) {
        case fault_kind::no_name: names.set_no_name(broker, until); break;
        case fault_kind::slow_name: names.set_slow(what.delay, until); break;
        case fault_kind::dead_address: names.set_dead_address(broker, until); break;
        case fault_kind::moved_broker:
            // Whoever was connected to the former address hears nothing more.
            network_.half_open(broker, nullptr);
            names.move(broker, until);
            break;
        default: break;
    }
}

void fault_injector::on_answers(std::size_t index) {
    const auto what = faults_[index].what;
    const auto left = std::make_shared<std::int64_t>(std::max<std::int64_t>(what.amount, 1));
    const auto client = what.consumer == 0 ? std::string() : "application-" + std::to_string(what.consumer);
    faults_[index].hook = cluster_.core().intercept(
        static_cast<protocol::api_key>(what.api), [what, left, client](const fake::request_seen& seen) {
            fake::intercepted fate;
            if (*left == 0 || (what.broker != 0 && seen.broker != protocol::broker_id(what.broker))) return fate;
            if (!client.empty() && seen.header.client_id != client) return fate;
            --*left;
            switch (what.what) {
                case fault_kind::no_answer: fate.what = fake::intercepted::fate::drop; break;
                case fault_kind::late_answer: fate.delay = what.delay; break;
                default:
                    fate.answer =
                        fake::error_answer(seen.header, seen.body, static_cast<protocol::broker_error>(what.error));
                    if (!fate.answer) break;
                    fate.delay = what.delay;
                    fate.what = fake::intercepted::fate::answer;
            }
            return fate;
        });
}

void fault_injector::on_bytes_of_answers(std::size_t index) {
    const auto what = faults_[index].what;
    const auto left = std::make_shared<std::int64_t>(std::max<std::int64_t>(what.amount, 1));
    faults_[index].hook = cluster_.core().intercept_response(
        static_cast<protocol::api_key>(what.api), [what, left](const fake::response_seen& seen) {
            fake::held_back fate;
            if (*left == 0 || (what.broker != 0 && seen.broker != protocol::broker_id(what.broker))) return fate;
            --*left;
            fate.instead = with_half_a_body(seen);
            return fate;
        });
}

void fault_injector::on_logs(const fault& what) {
    if (what.what == fault_kind::delete_topic) return logs_.delete_topic(what.topic);
    if (what.what == fault_kind::add_partitions) {
        return logs_.add_partitions(what.topic, static_cast<std::int32_t>(what.amount));
    }
    each_partition(what, [&](const std::string& topic, std::int32_t partition) {
        switch (what.what) {
            case fault_kind::move_leader: logs_.move_leader(topic, partition); break;
            case fault_kind::truncate: logs_.truncate(topic, partition, what.amount); break;
            default: logs_.move_log_start(topic, partition, what.amount);
        }
    });
}

void fault_injector::end(std::size_t index) {
    auto& one = faults_[index];
    if (std::exchange(one.over, true)) return;
    if (one.hook != 0) cluster_.core().forget_interceptor(one.hook);
    const auto& what = one.what;
    const auto now = queue_.now();
    switch (what.what) {
        case fault_kind::stop_broker:
            each_broker(what, [&](protocol::broker_id broker) {
                cluster_.start_broker(broker);
                told_.tell(observed::broker_state_changed{broker, true});
            });
            break;
        case fault_kind::swapped:
            each_broker(what, [&](protocol::broker_id broker) { network_.swap_answers(broker, 0); });
            break;
        case fault_kind::fail_allocation:
            subjects_.suffer(what.consumer, {.what = fault_kind::fail_allocation, .consumer = what.consumer});
            break;
        case fault_kind::delete_topic:
            logs_.create_topic(what.topic, std::max(what.partition, 1), static_cast<std::int16_t>(what.amount));
            break;
        default: break;
    }
    // Ended before its time.
    if (one.until > now && what.broker >= 0) {
        each_broker(what, [&](protocol::broker_id broker) {
            auto& there = network_.weather(broker);
            for (auto* const until :
                 {&there.more_latency_until, &there.bandwidth_until, &there.pieces_until, &there.refuses_until,
                  &there.black_hole_until, &there.trickle_until, &there.frozen_until}) {
                *until = std::min(*until, now);
            }
            network_.addresses().set_no_name(broker, now);
            network_.addresses().set_dead_address(broker, now);
            network_.addresses().tell_moves(broker);
        });
        network_.addresses().set_slow({}, now);
    }
    told_.tell(observed::fault_healed{static_cast<std::uint32_t>(index)});
}

}  // namespace strandline::testkit::sim
