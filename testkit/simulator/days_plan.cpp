#include "testkit/simulator/days_plan.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "testkit/simulator/fault_drawing.hpp"
#include "testkit/simulator/seeded_choice.hpp"

namespace strandline::testkit::sim {

namespace {

using namespace std::chrono_literals;
using enum fault_kind;

// What is over within minutes, and leaves something behind or not.
constexpr auto trouble_of_days = std::to_array<weighted_kind>({{latency, 2},
                                                               {bandwidth, 1},
                                                               {reset, 3},
                                                               {half_open, 3},
                                                               {refused, 2},
                                                               {black_hole, 3},
                                                               {no_answer, 2},
                                                               {late_answer, 2},
                                                               {error_answer, 4},
                                                               {no_name, 2},
                                                               {slow_name, 1},
                                                               {dead_address, 2},
                                                               {moved_broker, 2},
                                                               {stop_broker, 3},
                                                               {pause_broker, 2},
                                                               {move_leader, 3},
                                                               {move_coordinator, 3},
                                                               {truncate, 1},
                                                               {delete_topic, 1},
                                                               {add_partitions, 1},
                                                               {move_log_start, 2},
                                                               {slow_callbacks, 1},
                                                               {seek, 1},
                                                               {pause, 2},
                                                               {slow_application, 2},
                                                               {resubscribe, 2},
                                                               {close, 2},
                                                               {crash, 2},
                                                               {wakeup, 1},
                                                               {stall, 2},
                                                               {forget_sessions, 2},
                                                               {expire_offsets, 1},
                                                               {wall_jump, 1}});

// A whole world draws from a few of these.
enum class story : std::uint8_t {
    trouble,       // several things at once
    upgrade,       // every broker in turn is down for minutes; some come back elsewhere
    retention,     // logs lose their beginning while readers pause or are slow
    idleness,      // applications that do not poll for long, or are subscribed to nothing
    absence,       // processes that die, or close, and come back after an hour
    names,         // names that lead nowhere for long, and then elsewhere
    clocks,        // wall clocks jump by days; machines are suspended
    moves,         // coordinators and leaders move, and nothing else
    growth,        // topics get partitions
    forgetfulness  // brokers forget sessions, connections, offsets
};
constexpr int stories = static_cast<int>(story::forgetfulness) + 1;

class days {
public:
    explicit days(std::uint64_t seed) : choice_(seed, 11) {
        plan_.seed = seed;
        plan_.profile = days_profile;
    }

    fault_plan make() {
        plan_.runs = minutes(120, 480);
        plan_.calm = 30min;
        plan_.brokers = static_cast<std::int32_t>(choice_.between(1, 3));
        if (choice_.chance(60)) plan_.idle_limit = pick({2min, 4min, 10min});
        plan_.idle_is_forgotten = choice_.chance(40);
        const auto topics = choice_.between(1, 2);
        for (std::int64_t i = 0; i < topics; ++i) add_topic(i);
        const bool by_hand = choice_.chance(15);
        const auto consumers = choice_.between(1, 3);
        for (std::int64_t i = 0; i < consumers; ++i) add_consumer(!by_hand);
        add_stories();
        sort_by_time(plan_.faults);
        return plan_;
    }

private:
    void add_topic(std::int64_t index) {
        auto& topic = plan_.topics.emplace_back();
        topic.name = index == 0 ? "orders" : "payments";
        topic.partitions = static_cast<std::int32_t>(choice_.between(1, 6));
        topic.replication = static_cast<std::int32_t>(choice_.between(1, plan_.brokers));
        topic.every = pick({5s, 30s, 2min, 20min});
        topic.records = static_cast<std::int32_t>(choice_.between(1, 5));
        if (choice_.chance(50)) topic.bursts = static_cast<std::int32_t>(choice_.between(10, 90));
        if (choice_.chance(30)) topic.transactional = static_cast<std::int32_t>(choice_.between(10, 100));
        if (choice_.chance(30)) topic.compacted = static_cast<std::int32_t>(choice_.between(5, 60));
    }

    void add_consumer(bool in_group) {
        auto& made = plan_.consumers.emplace_back();
        made.in_group = in_group;
        made.has_group = !in_group && choice_.chance(60);
        made.is_static = in_group && choice_.chance(40);
        made.by_pattern = in_group && choice_.chance(20);
        made.how = static_cast<behaviour>(choice_.between(0, static_cast<std::int64_t>(behaviour::asks)));
        made.read_committed = choice_.chance(80);
        made.from_earliest = choice_.chance(80);
        made.has_listener = choice_.chance(50);
        made.poll = made.how == behaviour::asks ? 60s : pick({1s, 10s, 60s, 10min});
        if (choice_.chance(40)) made.work = pick({10ms, 1s, 20s, 2min});
        if (choice_.chance(30)) made.max_poll_records = static_cast<std::int32_t>(choice_.between(1, 10));
        made.fetch_max_wait = pick({500ms, 5s, 10s, 30s});
        made.retry_backoff = pick({0ms, 100ms, 100ms, 1s});
        made.auto_commit_interval = pick({1s, 5s, 60s});
        made.max_poll_interval = pick({1min, 5min, 5min, 30min});
        made.request_timeout = made.fetch_max_wait < 30s ? 30s : 40s;
        made.metadata_max_age = pick({1min, 5min, 5min, 1h});
        made.connections_max_idle = pick({1min, 9min, 9min, 60min});
    }

    // ---- what happens

    void add_stories() {
        std::vector<story> on;
        for (int i = 0; i < stories; ++i) {
            if (choice_.chance(35)) on.push_back(static_cast<story>(i));
        }
        if (on.empty()) return;
        const auto last = plan_.runs - plan_.calm;
        for (auto at = minutes(3, 40); at < last; at += long_while()) {
            tell(choice_.one_of(on), at);
        }
    }

    // Until the next thing happens: sometimes before this one is over.
    base::duration long_while() { return std::chrono::minutes(drawing_.log_uniform(10, 160)); }

    void tell(story what, base::duration at) {
        switch (what) {
            case story::trouble: return tell_trouble(at);
            case story::upgrade: return tell_upgrade(at);
            case story::retention: return tell_retention(at);
            case story::idleness: return tell_idleness(at);
            case story::absence: return tell_absence(at);
            case story::names: return tell_names(at);
            case story::clocks: return tell_clocks(at);
            case story::moves: return tell_moves(at);
            case story::growth: add(add_partitions, at, {}); return;
            case story::forgetfulness:
                add(choice_.one_of(std::array{forget_sessions, half_open, expire_offsets}), at, {});
                return;
        }
    }

    void tell_trouble(base::duration at) {
        const auto count = choice_.between(2, 8);
        for (std::int64_t i = 0; i < count; ++i) {
            const auto then = at + minutes(0, 3);
            const auto what = choice_.one_of(trouble_);
            auto& made = add(what, then, std::nullopt);
            if (made.what == slow_application) made.delay *= 10;
        }
    }

    void tell_idleness(base::duration at) {
        const auto delay = minutes(1, 15);
        const auto lasts = minutes(5, 90);
        const bool is_slow = choice_.chance(60);
        add(is_slow ? slow_application : resubscribe, at, lasts).delay = delay;
    }

    void tell_absence(base::duration at) {
        const auto lasts = minutes(1, 90);
        const bool crashes = choice_.chance(70);
        add(crashes ? crash : close, at, lasts);
    }

    void tell_upgrade(base::duration at) {
        const bool moves = choice_.chance(50);
        const auto first = choice_.between(0, plan_.brokers - 1);
        for (std::int32_t i = 0; i < plan_.brokers; ++i) {
            const auto broker = static_cast<std::int32_t>((first + i) % plan_.brokers + 1);
            const auto down = minutes(1, 6);
            add(stop_broker, at, down).broker = broker;
            // Names lead to the new address a while after it is there.
            if (moves) add(moved_broker, at + down / 2, lag_of_names()).broker = broker;
            at += down + minutes(1, 8);
        }
        if (choice_.chance(50)) add(move_leader, at, {}).partition = -1;
    }

    base::duration lag_of_names() {
        if (!choice_.chance(50)) return 0s;
        return minutes(1, 10);
    }

    void tell_retention(base::duration at) {
        const auto away = minutes(5, 60);
        auto& slow = add(choice_.chance(60) ? pause : slow_application, at, away);
        if (slow.what == slow_application) slow.delay = away / 4;
        for (auto then = at + away / 4; then < at + away; then += minutes(5, 20)) {
            const auto records = choice_.between(1, 3000);
            add(move_log_start, then, {}).amount = records;
        }
    }

    void tell_names(base::duration at) {
        const auto lasts = minutes(5, 90);
        const auto what = choice_.one_of(std::array{no_name, dead_address, slow_name, moved_broker});
        auto& names = add(what, at, what == moved_broker ? minutes(0, 15) : lasts);
        names.delay = what == slow_name ? minutes(0, 1) : base::duration(0);
        const auto broker = names.broker;
        // Who is connected does not ask.
        if (what != moved_broker) add(reset, at + lasts / 3, {}).broker = broker;
    }

    void tell_clocks(base::duration at) {
        if (choice_.chance(40)) {
            add(stall, at, minutes(1, 40));
            return;
        }
        const auto hours = std::chrono::hours(drawing_.log_uniform(1, 100));
        const bool is_forward = choice_.chance(50);
        add(wall_jump, at, {}).delay = is_forward ? hours : -hours;
    }

    void tell_moves(base::duration at) {
        auto& moved = add(choice_.chance(70) ? move_coordinator : move_leader, at, {});
        if (moved.what == move_leader) moved.partition = -1;
    }

    // Not drawn: as long as such faults last when they come by themselves, up to ten minutes.
    fault& add(fault_kind kind, base::duration at, std::optional<base::duration> lasts) {
        const auto last = plan_.runs - plan_.calm;
        at = std::min(at, last);
        auto made = drawing_.draw(kind, {.from = at, .to = at, .over = last, .longest = 10min});
        if (lasts) made.lasts = std::min(*lasts, last - at);
        return plan_.faults.emplace_back(std::move(made));
    }

    base::duration minutes(std::int64_t from, std::int64_t to) {
        return std::chrono::seconds(choice_.between(60 * from, 60 * to));
    }
    base::duration pick(std::initializer_list<base::duration> of) {
        const std::vector<base::duration> all(of);
        return choice_.one_of(all);
    }

    seeded_choice choice_;
    fault_plan plan_;
    fault_drawing drawing_{plan_, choice_};
    const std::vector<fault_kind> trouble_ = spread(trouble_of_days);
};

}  // namespace

fault_plan make_days(std::uint64_t seed) { return days(seed).make(); }

}  // namespace strandline::testkit::sim
