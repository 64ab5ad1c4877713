// The explorer itself: that it misses nothing, follows nothing twice, and finds each kind of fault.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/interleavings/exploring.hpp"

namespace strandline::interleavings {
namespace {

using run = exploring::run;
using mutex = primitives::mutex;
using condition = primitives::condition;
using number = primitives::atomic<int>;

TEST(explorer, follows_every_order_of_two_actors_that_write_the_same) {
    const auto found = explore([](run& one) {
        auto& shared = one.keep<number>(0);
        for (const auto* name : {"a", "b"}) {
            one.actor(name, [&shared] {
                for (int i = 0; i < 3; ++i) shared.store(i);
            });
        }
    });
    EXPECT_TRUE(found.complete);
    EXPECT_EQ(found.interleavings, 20U);  // 6 over 3
    EXPECT_EQ(found.longest, 6U);
}

TEST(explorer, follows_one_order_of_steps_that_do_not_conflict) {
    const auto found = explore([](run& one) {
        auto& shared = one.keep<number>(0);
        for (const auto* name : {"a", "b", "c"}) {
            auto& own = one.keep<number>(0);
            one.actor(name, [&] { own.store(shared.load()); });
        }
    });
    EXPECT_TRUE(found.complete);
    EXPECT_EQ(found.interleavings, 1U);
}

TEST(explorer, finds_an_update_that_is_lost) {
    const auto found = explore([](run& one) {
        auto& shared = one.keep<number>(0);
        for (const auto* name : {"a", "b"}) one.actor(name, [&shared] { shared.store(shared.load() + 1); });
        one.at_end([&] { one.check(shared.load() == 2, "both have counted"); });
    });
    EXPECT_EQ(found.found, fault::broken_promise);
    EXPECT_EQ(found.words, "both have counted");
}

TEST(explorer, finds_two_locks_taken_in_two_orders) {
    const auto found = explore([](run& one) {
        auto& first = one.keep<mutex>();
        auto& second = one.keep<mutex>();
        one.actor("a", [&] {
            const std::lock_guard outer(first);
            const std::lock_guard inner(second);
        });
        one.actor("b", [&] {
            const std::lock_guard outer(second);
            const std::lock_guard inner(first);
        });
    });
    EXPECT_EQ(found.found, fault::stuck);
    EXPECT_EQ(found.schedule.size(), 2U);
}

TEST(explorer, finds_a_notification_that_nobody_hears) {
    const auto found = explore([](run& one) {
        auto& guard = one.keep<mutex>();
        auto& changed = one.keep<condition>();
        one.actor("waits", [&] {
            std::unique_lock held(guard);
            changed.wait(held);
        });
        one.actor("notifies", [&] { changed.notify_all(); });
    });
    EXPECT_EQ(found.found, fault::stuck);
}

TEST(explorer, finds_a_wait_that_ends_only_by_its_deadline) {
    bool late = false;
    bool early = false;
    const auto found = explore([&](run& one) {
        auto& guard = one.keep<mutex>();
        auto& changed = one.keep<condition>();
        auto& flag = one.keep<bool>(false);
        const auto deadline = one.a_deadline();
        one.actor("waits", [&, deadline] {
            std::unique_lock held(guard);
            while (!flag && primitives::now() < deadline) changed.wait_until(held, deadline);
            (flag ? early : late) = true;
        });
        one.actor("notifies", [&] {
            const std::lock_guard held(guard);
            flag = true;
            changed.notify_all();
        });
    });
    EXPECT_TRUE(found.complete) << found.text();
    EXPECT_TRUE(late);
    EXPECT_TRUE(early);
}

TEST(explorer, finds_a_wait_that_its_deadline_ends_before_a_notification_that_comes_as_well) {
    std::set<std::string> orders;
    const auto found = explore([&](run& one) {
        auto& guard = one.keep<mutex>();
        auto& other = one.keep<mutex>();
        auto& changed = one.keep<condition>();
        auto& order = one.keep<std::string>();
        const auto deadline = one.a_deadline();
        one.actor("waits", [&, deadline] {
            {
                std::unique_lock held(guard);
                changed.wait_until(held, deadline);
            }
            const std::lock_guard held(other);
            order += 'w';
        });
        one.actor("notifies", [&] {
            {
                const std::lock_guard held(other);
                order += 'n';
            }
            changed.notify_all();
        });
        one.at_end([&] { orders.insert(order); });
    });
    EXPECT_TRUE(found.complete) << found.text();
    EXPECT_EQ(orders, (std::set<std::string>{"nw", "wn"}));
}

TEST(explorer, finds_what_follows_from_either_of_two_notifications) {
    std::set<std::string> orders;
    const auto found = explore([&](run& one) {
        auto& guard = one.keep<mutex>();
        auto& other = one.keep<mutex>();
        auto& changed = one.keep<condition>();
        auto& order = one.keep<std::string>();
        auto& flag = one.keep<bool>(false);
        one.actor("waits", [&] {
            {
                std::unique_lock held(guard);
                while (!flag) changed.wait(held);
            }
            const std::lock_guard held(other);
            order += 'w';
        });
        const auto notify = [&] {
            {
                const std::lock_guard held(guard);
                flag = true;
            }
            changed.notify_all();
        };
        one.actor("notifies", [&, notify] {
            {
                const std::lock_guard held(other);
                order += 'n';
            }
            notify();
        });
        one.actor("notifies as well", notify);
        one.at_end([&] { orders.insert(order); });
    });
    EXPECT_TRUE(found.complete) << found.text();
    EXPECT_EQ(orders, (std::set<std::string>{"nw", "wn"}));
}

TEST(explorer, finds_what_is_used_after_its_end) {
    const auto found = explore([](run& one) {
        auto& guard = one.keep<mutex>();
        auto& changed = one.keep<std::unique_ptr<condition>>(std::make_unique<condition>());
        auto& flag = one.keep<bool>(false);
        one.actor("waits", [&] {
            std::unique_lock held(guard);
            while (!flag) changed->wait(held);
            changed.reset();
        });
        one.actor("notifies", [&, bare = changed.get()] {
            {
                const std::lock_guard held(guard);
                flag = true;
            }
            bare->notify_all();
        });
    });
    EXPECT_EQ(found.found, fault::dead_object) << found.text();
}

TEST(explorer, finds_a_run_without_an_end) {
    const auto found = explore([](run& one) {
        auto& flag = one.keep<number>(0);
        one.actor("spins", [&] {
            while (flag.load() == 0) {
            }
        });
        one.actor("sets", [&] { flag.store(1); });
    });
    EXPECT_EQ(found.found, fault::endless);
}

TEST(explorer, says_when_it_has_not_seen_everything) {
    const auto found = explore(
        [](run& one) {
            auto& shared = one.keep<number>(0);
            for (const auto* name : {"a", "b"}) one.actor(name, [&shared] { shared.store(shared.load()); });
        },
        {.most_interleavings = 2});
    EXPECT_FALSE(found.complete);
    EXPECT_NE(found.text().find("NOT ALL"), std::string::npos);
}

TEST(explorer, ends_residents_that_wait_when_the_others_are_done) {
    int answered = 0;
    const auto found = explore([&](run& one) {
        auto& bell = one.keep<doorbell>();
        one.resident("reactor", [&] {
            while (bell.answer()) ++answered;
        });
        one.actor("a", [&] { bell.ring(); });
        one.actor("b", [&] { bell.ring(); });
    });
    EXPECT_TRUE(found.complete) << found.text();
    EXPECT_GE(found.interleavings, 3U);
    EXPECT_GT(answered, 3);
}

// --- What the reduction leaves out leads nowhere else: small programs of random steps end in the same states with and
// without it, and get stuck with it where they do without.

enum class doing : std::uint8_t { load, store, add, locked_add, wait_for_flag, wait_a_while, raise_flag, raise_late };

using program = std::vector<std::vector<std::pair<doing, int>>>;  // by actor; which of two variables, of two locks

program any_program(std::uint32_t seed) {
    std::mt19937 random(seed);
    const auto any = [&](std::uint32_t below) { return static_cast<int>(random() % below); };
    program made(2U + random() % 2U);
    for (auto& actor : made) {
        const auto length = 1U + random() % (made.size() == 2 ? 4U : 3U);
        for (std::size_t i = 0; i < length; ++i) {
            const auto what = static_cast<doing>(any(8));
            actor.emplace_back(what, any(2));
        }
    }
    return made;
}

struct shared_state {
    number variables[2];
    mutex locks[2];
    condition changed[2];
    bool flags[2] = {false, false};
};

void perform(shared_state& shared, doing what, int which, base::instant deadline, std::string& seen) {
    auto& variable = shared.variables[which];
    switch (what) {
        case doing::load: seen += static_cast<char>('0' + variable.load() % 10); break;
        case doing::store: variable.store(static_cast<int>(seen.size())); break;
        case doing::add: variable.fetch_add(3); break;
        case doing::locked_add: {
            const std::lock_guard held(shared.locks[which]);
            variable.store(variable.load() * 2 + 1);
            break;
        }
        case doing::wait_for_flag: {
            std::unique_lock held(shared.locks[which]);
            while (!shared.flags[which]) shared.changed[which].wait(held);
            seen += 'f';
            break;
        }
        case doing::wait_a_while: {
            std::unique_lock held(shared.locks[which]);
            while (!shared.flags[which] && primitives::now() < deadline)
                shared.changed[which].wait_until(held, deadline);
            seen += shared.flags[which] ? 'f' : 't';
            break;
        }
        case doing::raise_flag: {
            const std::lock_guard held(shared.locks[which]);
            shared.flags[which] = true;
            shared.changed[which].notify_all();
            break;
        }
        case doing::raise_late: {
            {
                const std::lock_guard held(shared.locks[which]);
                shared.flags[which] = true;
            }
            shared.changed[which].notify_all();
            break;
        }
    }
}

struct outcome_set {
    std::set<std::string> ends;
    findings found;
};

outcome_set all_ends_of(const program& what, reduction how) {
    outcome_set all;
    all.found = explore(
        [&](run& one) {
            auto& shared = one.keep<shared_state>();
            auto& seen = one.keep<std::vector<std::string>>(what.size());
            const auto deadline = one.a_deadline();
            for (std::size_t i = 0; i < what.size(); ++i) {
                one.actor(std::to_string(i), [&, i, deadline] {
                    for (const auto& [each, which] : what[i]) perform(shared, each, which, deadline, seen[i]);
                });
            }
            one.at_end([&] {
                std::string end;
                for (const auto& each : seen) end += each + "|";
                for (auto& each : shared.variables) end += std::to_string(each.load()) + ",";
                all.ends.insert(end);
            });
        },
        {.most_interleavings = 4'000, .how = how});
    return all;
}

#if defined(__SANITIZE_ADDRESS__)
constexpr std::uint32_t programs = 200;  // the classes are counted without the sanitizer
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
constexpr std::uint32_t programs = 200;
#else
constexpr std::uint32_t programs = 2000;
#endif
#else
constexpr std::uint32_t programs = 2000;
#endif

TEST(explorer, misses_no_end_and_no_fault_of_random_programs) {
    std::size_t compared = 0;
    std::size_t stuck = 0;
    for (std::uint32_t seed = 0; seed < programs; ++seed) {
        const auto what = any_program(seed);
        const auto reduced = all_ends_of(what, reduction::full);
        const auto all = all_ends_of(what, reduction::sleep_sets);
        ASSERT_EQ(reduced.found.found, all.found.found) << "program " << seed << "\n" << all.found.text();
        if (all.found.found != fault::none) {
            ++stuck;
            continue;
        }
        if (!all.found.complete) continue;
        ++compared;
        ASSERT_EQ(reduced.ends, all.ends) << "program " << seed;
        // Each of the classes of interleavings, and none twice.
        ASSERT_EQ(reduced.found.interleavings, all.found.interleavings) << "program " << seed;
        const auto whole = all_ends_of(what, reduction::none);
        if (whole.found.complete) {
            ASSERT_EQ(reduced.ends, whole.ends) << "program " << seed;
        }
    }
    EXPECT_GE(compared, programs / 2);
    EXPECT_GE(stuck, programs / 6);
}

}  // namespace
}  // namespace strandline::interleavings
