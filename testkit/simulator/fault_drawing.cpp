#include "testkit/simulator/fault_drawing.hpp"

#include <algorithm>
#include <array>

namespace strandline::testkit::sim {

namespace {

using namespace std::chrono_literals;
using enum fault_kind;

constexpr std::array coordinator_gone{
    answer_error{protocol::api_key::offset_commit, protocol::broker_error::not_coordinator},
    answer_error{protocol::api_key::offset_fetch, protocol::broker_error::not_coordinator},
    answer_error{protocol::api_key::consumer_group_heartbeat, protocol::broker_error::not_coordinator}};

}  // namespace

std::vector<fault_kind> spread(std::span<const weighted_kind> kinds) {
    std::vector<fault_kind> all;
    for (const auto& one : kinds) all.insert(all.end(), static_cast<std::size_t>(one.weight), one.what);
    return all;
}

fault fault_drawing::draw(fault_kind kind, const fault_bounds& within) {
    fault made;
    made.what = kind;
    // Rounded, so that a plan reads well.
    made.at = std::chrono::milliseconds(choice_.between(within.from / 1ms, within.to / 1ms));
    made.lasts = std::chrono::milliseconds(log_uniform(100, within.longest / 1ms));
    made.lasts = std::min(made.lasts, within.over - made.at);
    made.delay = std::chrono::milliseconds(log_uniform(1, 20'000));
    const bool one_broker = choice_.chance(80);
    if (one_broker) made.broker = static_cast<std::int32_t>(choice_.between(1, plan_.brokers));
    const bool one_consumer = choice_.chance(80);
    const auto consumer =
        static_cast<std::int32_t>(choice_.between(1, static_cast<std::int64_t>(plan_.consumers.size())));
    const auto& topic = choice_.one_of(plan_.topics);
    const bool one_partition = choice_.chance(60);
    const auto partition = static_cast<std::int32_t>(choice_.between(0, topic.partitions - 1));
    const auto amount = log_uniform(1, 3000);
    specialise(made, {topic, one_consumer ? consumer : 0, one_partition ? partition : -1, amount}, within);
    return made;
}

void fault_drawing::specialise(fault& made, const subject& of, const fault_bounds& within) {
    const auto kind = made.what;
    const auto keep_delay = kind == latency || kind == late_answer || kind == slow_name || kind == slow_callbacks ||
                            kind == slow_application || kind == wall_jump;
    if (!keep_delay) made.delay = {};
    if (kind == latency) made.delay /= 10;
    if (kind >= stop_broker && kind != stop_broker && kind != pause_broker && kind != move_coordinator &&
        kind != forget_sessions)
        made.broker = 0;
    if ((kind >= slow_callbacks && kind < garbled_answer) || kind == reset || kind == half_open)
        made.consumer = of.consumer;
    if (kind == bandwidth) made.amount = of.amount * 10;
    if (kind == pieces) made.amount = 1 + of.amount % 40;
    if (kind == no_answer || kind == late_answer || kind == error_answer || kind == swapped)
        made.amount = 1 + of.amount % 8;
    if (kind == no_answer || kind == late_answer || kind == error_answer) draw_answer(made, of, within);
    if (kind == move_coordinator) made.broker = std::max(made.broker, 1);
    if (kind >= move_leader && kind <= move_log_start && kind != move_coordinator) made.topic = of.topic.name;
    if (kind == move_leader || kind == truncate || kind == move_log_start) made.partition = of.partition;
    if (kind == truncate || kind == move_log_start) made.amount = of.amount % 300 + 1;
    if (kind == add_partitions) made.amount = 1 + of.amount % 3;
    if (kind == delete_topic) {
        made.partition = of.topic.partitions;
        made.amount = of.topic.replication;
    }
    if (kind == seek) made.amount = of.amount % 2 == 0 ? -1 : of.amount;
    if (kind == fail_allocation) made.amount = of.amount;
    if (kind == wall_jump) made.delay *= 10'000;
    if (is_momentary(kind)) made.lasts = {};
}

void fault_drawing::draw_answer(fault& made, const subject& of, const fault_bounds& within) {
    const auto& error = draw_error(within);
    made.api = static_cast<std::int32_t>(error.api);
    if (made.what == error_answer) made.error = static_cast<std::int32_t>(error.error);
    if (made.what == error_answer && within.coordinator_leaves && choice_.chance(60)) {
        made.delay = std::chrono::milliseconds(choice_.between(50, 6'000));
    }
    made.consumer = of.consumer;
}

const answer_error& fault_drawing::draw_error(const fault_bounds& within) {
    if (within.apis.empty()) return choice_.one_of(answer_errors());
    if (within.coordinator_leaves && choice_.chance(60)) return choice_.one_of(coordinator_gone);
    const auto api = choice_.one_of(within.apis);
    std::vector<const answer_error*> its;
    for (const auto& one : answer_errors()) {
        if (one.api == api) its.push_back(&one);
    }
    return *choice_.one_of(its);
}

std::int64_t fault_drawing::log_uniform(std::int64_t from, std::int64_t to) {
    std::int64_t doublings = 0;
    while (from << (doublings + 1) <= to) ++doublings;
    const auto lower = from << choice_.between(0, doublings);
    return std::min(choice_.between(lower, 2 * lower), to);
}

bool is_momentary(fault_kind kind) noexcept {
    return kind == reset || kind == half_open || kind == moved_broker || kind == move_leader ||
           kind == move_coordinator || kind == truncate || kind == add_partitions || kind == move_log_start ||
           kind == seek || kind == wakeup || kind == wall_jump || kind == expire_offsets || kind == forget_sessions;
}

void sort_by_time(std::vector<fault>& faults) {
    std::stable_sort(faults.begin(), faults.end(), [](const fault& a, const fault& b) { return a.at < b.at; });
}

}  // namespace strandline::testkit::sim
