#include "testkit/simulator/plan_generator.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "testkit/simulator/answer_errors.hpp"
#include "testkit/simulator/days_plan.hpp"
#include "testkit/simulator/fault_drawing.hpp"
#include "testkit/simulator/seeded_choice.hpp"

namespace strandline::testkit::sim {

namespace {

using namespace std::chrono_literals;
using enum fault_kind;

// What members of groups go through.
constexpr auto trouble_of_members = std::to_array<weighted_kind>({{latency, 2},
                                                                  {no_answer, 1},
                                                                  {late_answer, 2},
                                                                  {error_answer, 4},
                                                                  {reset, 1},
                                                                  {refused, 1},
                                                                  {black_hole, 1},
                                                                  {trickle, 1},
                                                                  {move_coordinator, 2},
                                                                  {stop_broker, 1},
                                                                  {pause_broker, 1},
                                                                  {add_partitions, 1},
                                                                  {delete_topic, 1},
                                                                  {slow_callbacks, 2},
                                                                  {throwing_callbacks, 1},
                                                                  {slow_application, 2},
                                                                  {resubscribe, 3},
                                                                  {close, 2},
                                                                  {crash, 1},
                                                                  {stall, 1},
                                                                  {wakeup, 1}});
// What tears a group's requests apart: some of their answers come late, others at once say that another broker
// coordinates by now.
constexpr auto trouble_of_coordinators = std::to_array<weighted_kind>({{late_answer, 6},
                                                                       {error_answer, 4},
                                                                       {no_answer, 2},
                                                                       {move_coordinator, 6},
                                                                       {stop_broker, 1},
                                                                       {refused, 2},
                                                                       {black_hole, 1},
                                                                       {reset, 1},
                                                                       {latency, 1},
                                                                       {resubscribe, 4},
                                                                       {close, 2},
                                                                       {crash, 1},
                                                                       {slow_callbacks, 2},
                                                                       {slow_application, 2},
                                                                       {add_partitions, 1}});
// What positions in logs go through.
constexpr auto trouble_of_positions = std::to_array<weighted_kind>({{truncate, 3},
                                                                    {move_log_start, 3},
                                                                    {move_leader, 2},
                                                                    {delete_topic, 1},
                                                                    {error_answer, 1},
                                                                    {late_answer, 1},
                                                                    {no_answer, 1},
                                                                    {seek, 3},
                                                                    {resubscribe, 1},
                                                                    {stop_broker, 1},
                                                                    {black_hole, 1},
                                                                    {crash, 1}});
constexpr std::array apis_of_groups{protocol::api_key::consumer_group_heartbeat,
                                    protocol::api_key::consumer_group_heartbeat, protocol::api_key::find_coordinator,
                                    protocol::api_key::offset_commit, protocol::api_key::offset_fetch};
constexpr std::array apis_of_logs{protocol::api_key::fetch, protocol::api_key::list_offsets,
                                  protocol::api_key::offset_for_leader_epoch, protocol::api_key::offset_fetch,
                                  protocol::api_key::metadata};

// What a consumer asks brokers, each of which may answer with bytes that nobody can read.
constexpr std::array apis_of_consumers{protocol::api_key::metadata,
                                       protocol::api_key::find_coordinator,
                                       protocol::api_key::consumer_group_heartbeat,
                                       protocol::api_key::offset_commit,
                                       protocol::api_key::offset_fetch,
                                       protocol::api_key::list_offsets,
                                       protocol::api_key::offset_for_leader_epoch,
                                       protocol::api_key::fetch};

// The shape of a profile's worlds: ranges to draw from, and how likely what is.
struct shape {
    profile named;
    std::int32_t brokers_from = 1;
    std::int32_t brokers_to = 3;
    std::int32_t consumers_to = 3;
    std::int32_t topics_to = 2;
    std::int32_t partitions_to = 6;
    int by_hand_percent = 15;    // of worlds whose consumers assign
    int transactional_percent = 30;
    std::int32_t faults_to = 10;
    int kind_percent = 25;       // that a kind of fault is on
    fault_kind first_kind = latency;
    fault_kind last_kind = stall;
    base::duration runs = 6min;
    base::duration every_from = 300ms;
    base::duration every_to = 10s;
    std::int32_t records_to = 40;
    // Only these faults, all of them on; and only these requests go wrong.
    std::span<const weighted_kind> kinds = {};
    std::span<const protocol::api_key> apis = {};
};

constexpr std::array shapes{
    shape{.named = {"mixed", "one of the others, by seed"}},
    shape{.named = {"group", "a small group and everything that can go wrong"}},
    shape{.named = {"assign", "consumers that assign by hand"}, .by_hand_percent = 100},
    shape{.named = {"network", "connections that break, stall and lie; names that do not resolve"},
          .faults_to = 14,
          .kind_percent = 40,
          .last_kind = moved_broker},
    shape{.named = {"cluster", "brokers, leaders, coordinators and topics that come and go"},
          .faults_to = 14,
          .kind_percent = 40,
          .first_kind = stop_broker,
          .last_kind = move_log_start},
    shape{.named = {"churn", "applications that come and go, stand still, seek and change their minds"},
          .consumers_to = 5,
          .by_hand_percent = 0,
          .faults_to = 20,
          .kind_percent = 50,
          .first_kind = slow_callbacks},
    shape{
        .named = {"membership", "members that join, leave, are forgotten and refused while their coordinator is slow"},
        .topics_to = 1,
        .by_hand_percent = 0,
        .faults_to = 40,
        .kinds = trouble_of_members,
        .apis = apis_of_groups},
    shape{.named = {"overtaking", "members whose answers overtake each other while their coordinator moves"},
          .brokers_from = 3,
          .topics_to = 1,
          .by_hand_percent = 0,
          .faults_to = 100,
          .kinds = trouble_of_coordinators,
          .apis = apis_of_groups},
    shape{.named = {"positions", "logs that lose records at both ends under consumers that may not reset"},
          .by_hand_percent = 60,
          .faults_to = 40,
          .kinds = trouble_of_positions,
          .apis = apis_of_logs},
    shape{.named = {"answers", "every error that brokers may answer, one after the other, then bytes nobody can read"}},
    shape{.named = {"memory", "allocations that fail while a consumer is at work"},
          .by_hand_percent = 30,
          .faults_to = 12,
          .kind_percent = 100,
          .first_kind = fail_allocation,
          .last_kind = fail_allocation},
    shape{.named = {"transactions", "transactions, aborted ones too, in everything that is written"},
          .transactional_percent = 100,
          .every_to = 2s},
    shape{.named = {"large", "a larger group, more partitions"},
          .brokers_to = 5,
          .consumers_to = 12,
          .partitions_to = 60,
          .by_hand_percent = 0,
          .faults_to = 12,
          .every_from = 2s,
          .every_to = 20s},
    shape{.named = {"quiet", "a small group and nothing that goes wrong"}, .faults_to = 0},
    shape{.named = {"throughput", "many records, few faults"},
          .faults_to = 3,
          .every_from = 20ms,
          .every_to = 100ms,
          .records_to = 400},
    shape{.named = {days_profile, "a small group for hours, few records, and what comes seldom"}},
};

constexpr std::array names = [] {
    std::array<profile, shapes.size()> all;
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = shapes[i].named;
    return all;
}();

const shape* find_shape(std::string_view name) noexcept {
    const auto found =
        std::find_if(shapes.begin(), shapes.end(), [&](const shape& one) { return one.named.name == name; });
    return found == shapes.end() ? nullptr : &*found;
}

class generator {
public:
    generator(std::uint64_t seed, const shape& how) : choice_(seed, 7), how_(how) { plan_.seed = seed; }

    fault_plan make() {
        plan_.profile = how_.named.name;
        plan_.runs = how_.runs;
        plan_.calm = 3min;
        if (how_.named.name == "answers") return make_answers();
        plan_.brokers = static_cast<std::int32_t>(choice_.between(how_.brokers_from, how_.brokers_to));
        const auto topics = choice_.between(1, how_.topics_to);
        for (std::int64_t i = 0; i < topics; ++i) add_topic(i);
        const bool by_hand = choice_.chance(how_.by_hand_percent);
        const auto consumers = choice_.between(1, how_.consumers_to);
        for (std::int64_t i = 0; i < consumers; ++i) add_consumer(!by_hand);
        add_faults();
        return plan_;
    }

private:
    // A world in which every kind of request is sent, and errors in turn: so many seeds have answered all of them.
    fault_plan make_answers() {
        constexpr std::size_t errors_of_a_seed = 12;
        plan_.brokers = 3;
        auto& topic = plan_.topics.emplace_back();
        topic.partitions = 3;
        topic.replication = 3;
        for (const auto how : {behaviour::automatic, behaviour::commits, behaviour::wanders}) {
            auto& made = plan_.consumers.emplace_back();
            made.how = how;
            made.metadata_max_age = 10s;
        }
        std::vector<answer_error> all(answer_errors().begin(), answer_errors().end());
        all.insert(all.end(), seldom_errors().begin(), seldom_errors().end());
        for (std::size_t i = 0; i < errors_of_a_seed; ++i) {
            const auto index = (static_cast<std::size_t>(plan_.seed) * errors_of_a_seed + i) % all.size();
            add_answer(all[index], 5s + 14s * static_cast<std::int64_t>(i));
        }
        add_garbled_answers(5s + 14s * static_cast<std::int64_t>(errors_of_a_seed));
        return plan_;
    }

    // With what makes consumers ask.
    void add_answer(const answer_error& what, base::duration at) {
        fault answers{.at = at, .what = error_answer, .lasts = 12s};
        answers.api = static_cast<std::int32_t>(what.api);
        answers.error = static_cast<std::int32_t>(what.error);
        answers.amount = choice_.between(1, 4);
        plan_.faults.push_back(answers);
        add_cause(what.api, at + 1s);
    }

    // Of one API by seed, until the calm begins.
    void add_garbled_answers(base::duration at) {
        const auto api = apis_of_consumers[static_cast<std::size_t>(plan_.seed) % apis_of_consumers.size()];
        fault answers{.at = at, .what = garbled_answer, .lasts = plan_.runs - plan_.calm - at};
        answers.api = static_cast<std::int32_t>(api);
        answers.amount = choice_.between(1, 4);
        plan_.faults.push_back(answers);
        add_cause(api, at + 1s);
    }

    void add_cause(protocol::api_key api, base::duration at) {
        fault cause{.at = at};
        switch (api) {
            case protocol::api_key::api_versions: cause.what = reset; break;
            case protocol::api_key::find_coordinator:
                cause.what = move_coordinator;
                // One of the two is another one than before.
                cause.broker = static_cast<std::int32_t>(choice_.between(1, plan_.brokers));
                plan_.faults.push_back(cause);
                cause.at += 4s;
                cause.broker = cause.broker % plan_.brokers + 1;
                break;
            case protocol::api_key::metadata:
            case protocol::api_key::offset_for_leader_epoch:
                cause.what = move_leader;
                cause.topic = plan_.topics.front().name;
                break;
            case protocol::api_key::offset_fetch:
                cause.what = resubscribe;
                cause.lasts = 300ms;
                break;
            case protocol::api_key::list_offsets:
                cause.what = seek;
                cause.amount = -1;
                break;
            default: return;  // asked all the time
        }
        plan_.faults.push_back(cause);
    }

    void add_topic(std::int64_t index) {
        auto& topic = plan_.topics.emplace_back();
        topic.name = index == 0 ? "orders" : "payments-" + std::to_string(index);
        topic.partitions = static_cast<std::int32_t>(choice_.between(1, how_.partitions_to));
        topic.replication = static_cast<std::int32_t>(choice_.between(1, plan_.brokers));
        topic.every = std::chrono::milliseconds(choice_.between(how_.every_from / 1ms, how_.every_to / 1ms));
        topic.records = static_cast<std::int32_t>(choice_.between(1, how_.records_to));
        topic.bytes = choice_.chance(20) ? 1000 : 24;
        if (choice_.chance(how_.transactional_percent)) {
            topic.transactional = static_cast<std::int32_t>(choice_.between(10, 100));
        }
        if (choice_.chance(30)) topic.compacted = static_cast<std::int32_t>(choice_.between(5, 60));
    }

    void add_consumer(bool in_group) {
        auto& made = plan_.consumers.emplace_back();
        made.in_group = in_group;
        made.is_static = in_group && choice_.chance(15);
        if (how_.named.name == "membership") {
            made.is_static = choice_.chance(30);
            made.by_pattern = choice_.chance(30);
        }
        if (how_.named.name == "overtaking") {
            made.is_static = choice_.chance(20);
            made.by_pattern = choice_.chance(20);
            made.asks_in_between = choice_.chance(60);
        }
        if (how_.named.name == "positions") {
            made.has_group = !in_group && choice_.chance(60);
            made.never_resets = choice_.chance(50);
        }
        made.how = static_cast<behaviour>(choice_.between(0, static_cast<std::int64_t>(behaviour::wanders)));
        if (how_.named.name == "membership" && choice_.chance(50)) made.how = behaviour::asks;
        if (how_.named.name == "overtaking" && choice_.chance(60)) made.how = behaviour::asks;
        made.read_committed = choice_.chance(80);
        made.from_earliest = choice_.chance(80);
        made.has_listener = choice_.chance(50);
        made.poll = pick({10ms, 100ms, 1s, 5s, 60s});
        if (choice_.chance(30)) made.work = pick({1ms, 20ms, 300ms, 3s});
        if (choice_.chance(30)) made.max_poll_records = static_cast<std::int32_t>(choice_.between(1, 50));
        made.fetch_max_wait = pick({100ms, 500ms, 500ms, 2s});
        made.retry_backoff = pick({0ms, 10ms, 100ms, 100ms, 100ms});
        made.auto_commit_interval = pick({100ms, 1s, 5s, 5s});
        made.max_poll_interval = pick({10s, 30s, 300s, 300s});
        made.request_timeout = pick({5s, 30s, 30s});
        made.metadata_max_age = pick({10s, 60s, 300s});
        if (choice_.chance(15)) made.memory_limit = 1 << 20;
    }

    base::duration pick(std::initializer_list<base::duration> of) {
        const std::vector<base::duration> all(of);
        return choice_.one_of(all);
    }

    void add_faults() {
        if (how_.faults_to == 0) return;
        auto on = spread(how_.kinds);
        if (on.empty()) switch_some_on(on);
        if (on.empty()) return;
        const auto count = choice_.between(how_.kinds.empty() ? 1 : how_.faults_to / 2, how_.faults_to);
        const auto before_calm = plan_.runs - plan_.calm;
        const fault_bounds within{.to = before_calm,
                                  .over = before_calm,
                                  .apis = how_.apis,
                                  .coordinator_leaves = how_.named.name == "overtaking"};
        fault_drawing drawing(plan_, choice_);
        for (std::int64_t i = 0; i < count; ++i) {
            const auto kind = choice_.one_of(on);
            plan_.faults.push_back(drawing.draw(kind, within));
        }
        sort_by_time(plan_.faults);
    }

    void switch_some_on(std::vector<fault_kind>& on) {
        for (auto kind = static_cast<int>(how_.first_kind); kind <= static_cast<int>(how_.last_kind); ++kind) {
            if (choice_.chance(how_.kind_percent)) on.push_back(static_cast<fault_kind>(kind));
        }
    }

    seeded_choice choice_;
    const shape& how_;
    fault_plan plan_;
};

}  // namespace

std::span<const profile> profiles() noexcept { return names; }

bool is_profile(std::string_view name) noexcept { return find_shape(name) != nullptr; }

fault_plan make_plan(std::uint64_t seed, std::string_view profile) {
    const auto* how = find_shape(profile);
    if (how->named.name == days_profile) return make_days(seed);
    // The usual one: any but itself and the last ones, which take their time.
    constexpr std::size_t slow_ones = 2;
    if (how == shapes.data()) how = &shapes[1 + seed % (shapes.size() - 1 - slow_ones)];
    return generator(seed, *how).make();
}

}  // namespace strandline::testkit::sim
