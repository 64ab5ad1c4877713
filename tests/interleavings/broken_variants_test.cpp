// The explorer notices: protocols like those of handoff, each broken on purpose in one way, are found broken, and not
// when they are whole.
#include <mutex>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/interleavings/exploring.hpp"

namespace strandline::interleavings {
namespace {

enum class flaw {
    none,
    signals_before_it_publishes,
    parks_without_the_version,
    notifies_after_the_unlock,
    wakes_without_a_reason,
    clears_the_token_late,
    rings_for_each,
    ends_a_call_twice,
    forgets_the_result_at_the_deadline,
    does_not_look_again_for_space,
};

using run = exploring::run;
using mutex = primitives::mutex;
using guard = std::unique_lock<mutex>;

// One version, one waiter, one piece of data.
struct little_gate {
    explicit little_gate(flaw which) : broken(which) {}

    struct waiter {
        primitives::condition changed;
        bool resumed = false;
    };

    waiter* advance() {
        ++version;
        auto* const who = std::exchange(parked, nullptr);
        if (who) who->resumed = true;
        return who;
    }
    void publish() {
        if (broken == flaw::signals_before_it_publishes) wake();
        waiter* who = nullptr;
        {
            const guard held(outbox);
            data = true;
            if (broken == flaw::signals_before_it_publishes) return;
            who = advance();
            if (who && broken != flaw::notifies_after_the_unlock) std::exchange(who, nullptr)->changed.notify_all();
        }
        if (who) who->changed.notify_all();
        if (broken == flaw::wakes_without_a_reason) wake();
    }
    void wake() {
        const guard held(outbox);
        if (auto* const who = advance()) who->changed.notify_all();
    }
    std::pair<bool, int> look() {
        const guard held(outbox);
        return {std::exchange(data, false), version};
    }
    void park(int seen, base::instant deadline) {
        guard held(outbox);
        if (broken != flaw::parks_without_the_version && seen != version) return;
        waiter who;
        parked = &who;
        while (!who.resumed && primitives::now() < deadline) who.changed.wait_until(held, deadline);
        parked = nullptr;
    }

    flaw broken;
    mutex outbox;
    int version = 1;
    waiter* parked = nullptr;
    bool data = false;
};

// How the application goes on: until it has the data; one wait with a deadline; or a second wait, for what does not
// come.
enum class patience { until_data, one_wait, a_second_wait };

findings publish_against_park(flaw broken, patience how) {
    return explore([=](run& one) {
        auto& gate = one.keep<little_gate>(broken);
        const auto deadline = how == patience::until_data ? base::never : one.a_deadline();
        one.actor("reactor", [&gate] { gate.publish(); });
        one.actor("application", [&gate, &one, how, deadline] {
            for (int in_vain = 0; in_vain < 2; ++in_vain) {
                const auto [got, version] = gate.look();
                if (got) break;
                gate.park(version, how == patience::one_wait ? deadline : base::never);
                if (how == patience::one_wait) return;
                one.check(in_vain == 0, "the application is resumed for something");
            }
            if (how == patience::until_data) return;
            gate.park(gate.look().second, deadline);
            one.check(primitives::now() >= deadline, "only the deadline ends a wait for what does not come");
        });
    });
}

TEST(broken_variants, a_whole_gate_holds) {
    for (const auto how : {patience::until_data, patience::one_wait, patience::a_second_wait}) {
        const auto found = publish_against_park(flaw::none, how);
        EXPECT_TRUE(found.complete && found.found == fault::none) << found.text();
    }
}

TEST(broken_variants, a_gate_that_signals_before_it_publishes_loses_a_wake) {
    EXPECT_EQ(publish_against_park(flaw::signals_before_it_publishes, patience::until_data).found, fault::stuck);
}

TEST(broken_variants, a_park_that_does_not_compare_the_version_loses_a_wake) {
    EXPECT_EQ(publish_against_park(flaw::parks_without_the_version, patience::until_data).found, fault::stuck);
}

TEST(broken_variants, a_notification_after_the_unlock_reaches_a_waiter_that_is_gone) {
    EXPECT_EQ(publish_against_park(flaw::notifies_after_the_unlock, patience::one_wait).found, fault::dead_object);
}

// The reactor's side: one token stands for a turn that was asked for.
findings commands_against_collect(flaw broken) {
    return explore([=](run& one) {
        struct inbox {
            mutex guarded;
            bool asked = false;
            int commands = 0;
            int taken = 0;
            int rings = 0;
            int collects = 0;
            doorbell bell;
        };
        auto& in = one.keep<inbox>();
        one.resident("reactor", [&in, broken] {
            while (in.bell.answer()) {
                {
                    const guard held(in.guarded);
                    in.taken += std::exchange(in.commands, 0);
                    ++in.collects;
                    if (broken != flaw::clears_the_token_late) in.asked = false;
                }
                if (broken == flaw::clears_the_token_late) {
                    const guard held(in.guarded);
                    in.asked = false;
                }
            }
        });
        for (const auto* name : {"a", "b"}) {
            one.actor(name, [&in, broken] {
                bool ring = false;
                {
                    const guard held(in.guarded);
                    ++in.commands;
                    ring = !std::exchange(in.asked, true) || broken == flaw::rings_for_each;
                    in.rings += ring ? 1 : 0;
                }
                if (ring) in.bell.ring();
            });
        }
        one.at_end([&] {
            one.check(in.taken == 2, "every command is collected");
            one.check(in.rings <= in.collects, "one wake token is outstanding at most");
        });
    });
}

TEST(broken_variants, a_token_that_is_cleared_late_loses_a_command) {
    const auto whole = commands_against_collect(flaw::none);
    EXPECT_TRUE(whole.complete && whole.found == fault::none) << whole.text();
    const auto found = commands_against_collect(flaw::clears_the_token_late);
    EXPECT_EQ(found.words, "every command is collected") << found.text();
}

TEST(broken_variants, a_ring_for_each_command_is_a_doubled_wake) {
    EXPECT_EQ(commands_against_collect(flaw::rings_for_each).words, "one wake token is outstanding at most");
}

// A call that completes, at its deadline, while everything fails.
findings call_against_its_ends(flaw broken) {
    return explore([=](run& one) {
        struct call {
            mutex guarded;
            primitives::condition changed;
            bool in_table = true;
            int results = 0;
            bool gave_up = false;
        };
        auto& it = one.keep<call>();
        const auto deadline = one.a_deadline();
        for (const auto* name : {"reactor", "closer"}) {
            one.actor(name, [&it, broken] {
                const guard held(it.guarded);
                if (!it.in_table) return;
                it.in_table = broken == flaw::ends_a_call_twice;
                ++it.results;
                it.changed.notify_all();
            });
        }
        one.actor("caller", [&it, broken, deadline] {
            guard held(it.guarded);
            while (it.results == 0 && primitives::now() < deadline) it.changed.wait_until(held, deadline);
            const bool late = broken == flaw::forgets_the_result_at_the_deadline && primitives::now() >= deadline;
            it.gave_up = it.results == 0 || late;
            if (it.gave_up) it.in_table = false;
        });
        one.at_end([&] { one.check(it.results + (it.gave_up ? 1 : 0) == 1, "a call ends once"); });
    });
}

TEST(broken_variants, a_call_that_stays_in_the_table_ends_twice) {
    const auto whole = call_against_its_ends(flaw::none);
    EXPECT_TRUE(whole.complete && whole.found == fault::none) << whole.text();
    EXPECT_EQ(call_against_its_ends(flaw::ends_a_call_twice).words, "a call ends once");
}

TEST(broken_variants, a_deadline_that_does_not_look_at_the_result_loses_it) {
    EXPECT_EQ(call_against_its_ends(flaw::forgets_the_result_at_the_deadline).words, "a call ends once");
}

findings space_against_the_decision(flaw broken) {
    return explore([=](run& one) {
        struct gauge {
            primitives::atomic<int> bytes{1};
            primitives::atomic<bool> awaited{false};
            int known = 1;
            doorbell bell;
        };
        auto& it = one.keep<gauge>();
        one.resident("reactor", [&it, broken] {
            do {
                it.known = it.bytes.load();
                it.awaited.store(it.known > 0);
                if (broken == flaw::does_not_look_again_for_space || it.known == 0) continue;
                if (it.bytes.load() < it.known && it.awaited.exchange(false)) it.bell.ring();
            } while (it.bell.answer());
        });
        one.actor("frees", [&it] {
            it.bytes.fetch_sub(1);
            if (it.awaited.load() && it.awaited.exchange(false)) it.bell.ring();
        });
        one.at_end([&] { one.check(it.known == 0, "the reactor hears of the space"); });
    });
}

TEST(broken_variants, space_that_came_back_before_the_decision_is_lost_without_a_second_look) {
    const auto whole = space_against_the_decision(flaw::none);
    EXPECT_TRUE(whole.complete && whole.found == fault::none) << whole.text();
    EXPECT_EQ(space_against_the_decision(flaw::does_not_look_again_for_space).words, "the reactor hears of the space");
}

TEST(broken_variants, a_wake_without_a_reason_is_seen) {
    const auto found = publish_against_park(flaw::wakes_without_a_reason, patience::a_second_wait);
    EXPECT_EQ(found.words, "application: only the deadline ends a wait for what does not come") << found.text();
}

TEST(broken_variants, two_locks_in_two_orders_are_seen) {
    const auto found = explore([](run& one) {
        auto& outbox = one.keep<mutex>();
        auto& inbox = one.keep<mutex>();
        one.actor("reactor", [&] {
            const guard outer(outbox);
            const guard inner(inbox);
        });
        one.actor("application", [&] {
            const guard outer(inbox);
            const guard inner(outbox);
        });
    });
    EXPECT_EQ(found.found, fault::stuck);
}

}  // namespace
}  // namespace strandline::interleavings
