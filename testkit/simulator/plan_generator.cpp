#include "testkit/simulator/plan_generator.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "testkit/simulator/answer_errors.hpp"
#include "testkit/simulator/seeded_choice.hpp"

namespace strandline::testkit::sim {

namespace {

using namespace std::chrono_literals;
using enum fault_kind;

// The shape of a profile's worlds: ranges to draw from, and how likely what is.
struct shape {
    profile named;
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
        plan_.brokers = static_cast<std::int32_t>(choice_.between(1, how_.brokers_to));
        const auto topics = choice_.between(1, how_.topics_to);
        for (std::int64_t i = 0; i < topics; ++i) add_topic(i);
        const bool by_hand = choice_.chance(how_.by_hand_percent);
        const auto consumers = choice_.between(1, how_.consumers_to);
        for (std::int64_t i = 0; i < consumers; ++i) add_consumer(!by_hand);
        add_faults();
        return plan_;
    }

private:
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
        made.how = static_cast<behaviour>(choice_.between(0, static_cast<std::int64_t>(behaviour::wanders)));
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
        std::vector<fault_kind> on;
        for (auto kind = static_cast<int>(how_.first_kind); kind <= static_cast<int>(how_.last_kind); ++kind) {
            if (choice_.chance(how_.kind_percent)) on.push_back(static_cast<fault_kind>(kind));
        }
        if (on.empty()) return;
        const auto count = choice_.between(1, how_.faults_to);
        for (std::int64_t i = 0; i < count; ++i) {
            const auto kind = choice_.one_of(on);
            add_fault(kind);
        }
        std::stable_sort(plan_.faults.begin(), plan_.faults.end(),
                         [](const fault& a, const fault& b) { return a.at < b.at; });
    }

    void add_fault(fault_kind kind) {
        auto& made = plan_.faults.emplace_back();
        made.what = kind;
        // Rounded, so that a plan reads well.
        made.at = std::chrono::milliseconds(choice_.between(0, (plan_.runs - plan_.calm) / 1ms));
        made.lasts = std::chrono::milliseconds(log_uniform(100, 60'000));
        // What lasts is over before the calm begins.
        made.lasts = std::min(made.lasts, plan_.runs - plan_.calm - made.at);
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
        specialise(made, topic, one_consumer ? consumer : 0, one_partition ? partition : -1, amount);
    }

    void specialise(fault& made, const topic_plan& topic, std::int32_t consumer, std::int32_t partition,
                    std::int64_t amount) {
        const auto kind = made.what;
        const auto keep_delay = kind == latency || kind == late_answer || kind == slow_name || kind == slow_callbacks ||
                                kind == slow_application || kind == wall_jump;
        if (!keep_delay) made.delay = {};
        if (kind == latency) made.delay /= 10;
        if (kind >= stop_broker && kind != stop_broker && kind != pause_broker && kind != move_coordinator)
            made.broker = 0;
        if (kind >= slow_callbacks || kind == reset || kind == half_open) made.consumer = consumer;
        if (kind == bandwidth) made.amount = amount * 10;
        if (kind == pieces) made.amount = 1 + amount % 40;
        if (kind == no_answer || kind == late_answer || kind == error_answer || kind == swapped)
            made.amount = 1 + amount % 8;
        if (kind == no_answer || kind == late_answer || kind == error_answer) {
            const auto& error = choice_.one_of(answer_errors());
            made.api = static_cast<std::int32_t>(error.api);
            if (kind == error_answer) made.error = static_cast<std::int32_t>(error.error);
            made.consumer = consumer;
        }
        if (kind == move_coordinator) made.broker = std::max(made.broker, 1);
        if (kind >= move_leader && kind <= move_log_start && kind != move_coordinator) made.topic = topic.name;
        if (kind == move_leader || kind == truncate || kind == move_log_start) made.partition = partition;
        if (kind == truncate || kind == move_log_start) made.amount = amount % 300 + 1;
        if (kind == add_partitions) made.amount = 1 + amount % 3;
        if (kind == delete_topic) {
            made.partition = topic.partitions;
            made.amount = topic.replication;
        }
        if (kind == seek) made.amount = amount % 2 == 0 ? -1 : amount;
        if (kind == wall_jump) made.delay *= 10'000;
        if (is_momentary(kind)) made.lasts = {};
    }

    static bool is_momentary(fault_kind kind) noexcept {
        return kind == reset || kind == half_open || kind == moved_broker || kind == move_leader ||
               kind == move_coordinator || kind == truncate || kind == add_partitions || kind == move_log_start ||
               kind == seek || kind == wakeup || kind == wall_jump || kind == fail_allocation;
    }

    // Small ones as often as large ones. Whole numbers only: other compilers must draw the same plan.
    std::int64_t log_uniform(std::int64_t from, std::int64_t to) {
        std::int64_t doublings = 0;
        while (from << (doublings + 1) <= to) ++doublings;
        const auto lower = from << choice_.between(0, doublings);
        return std::min(choice_.between(lower, 2 * lower), to);
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
    // The usual one: any but itself and the last, which takes its time.
    if (how == shapes.data()) how = &shapes[1 + seed % (shapes.size() - 2)];
    return generator(seed, *how).make();
}

}  // namespace strandline::testkit::sim
