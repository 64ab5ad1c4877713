#include "testkit/simulator/fault_plan.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "testkit/simulator/duration_words.hpp"
#include "testkit/simulator/plan_generator.hpp"
#include "testkit/simulator/plan_shrinker.hpp"

namespace strandline::testkit::sim {
namespace {

using namespace std::chrono_literals;

TEST(fault_plan, what_is_printed_is_read_again_for_every_profile) {
    for (const auto& profile : profiles()) {
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            const auto plan = make_plan(seed, profile.name);
            const auto again = parse_plan(to_string(plan));
            ASSERT_TRUE(again) << again.error().message();
            EXPECT_EQ(*again, plan) << to_string(plan);
        }
    }
}

TEST(fault_plan, a_seed_always_draws_the_same_plan_and_another_one_another) {
    EXPECT_EQ(make_plan(7, "group"), make_plan(7, "group"));
    EXPECT_NE(to_string(make_plan(7, "group")), to_string(make_plan(8, "group")));
}

TEST(fault_plan, every_kind_of_fault_is_drawn_and_most_are_off_in_a_seed) {
    std::map<fault_kind, int> seeds_with;
    constexpr int seeds = 400;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        std::set<fault_kind> kinds;
        for (const auto& one : make_plan(seed, "group").faults) kinds.insert(one.what);
        EXPECT_LT(kinds.size(), fault_kinds / 2);
        for (const auto kind : kinds) ++seeds_with[kind];
    }
    for (std::size_t i = 0; i < fault_kinds; ++i) {
        const auto kind = static_cast<fault_kind>(i);
        if (kind == fault_kind::fail_allocation || kind >= fault_kind::garbled_answer) continue;
        EXPECT_GT(seeds_with[kind], 0) << to_string(kind);
    }
}

TEST(fault_plan, faults_are_over_when_the_calm_begins) {
    for (const auto* const profile : {"mixed", "days"}) {
        for (std::uint64_t seed = 1; seed <= 50; ++seed) {
            const auto plan = make_plan(seed, profile);
            for (const auto& one : plan.faults) EXPECT_LE(one.at + one.lasts, plan.runs - plan.calm) << to_string(one);
        }
    }
}

TEST(fault_plan, days_last_for_hours_and_much_happens_in_some_of_them) {
    std::set<fault_kind> kinds;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        const auto plan = make_plan(seed, "days");
        EXPECT_GE(plan.runs, 2h);
        EXPECT_LE(plan.runs, 8h);
        EXPECT_LE(plan.consumers.size(), 3U);
        for (const auto& one : plan.consumers) EXPECT_LT(one.fetch_max_wait, one.request_timeout);
        for (const auto& one : plan.faults) kinds.insert(one.what);
    }
    for (const auto kind : {fault_kind::stop_broker, fault_kind::moved_broker, fault_kind::move_log_start,
                            fault_kind::pause, fault_kind::crash, fault_kind::wall_jump, fault_kind::stall,
                            fault_kind::add_partitions, fault_kind::expire_offsets, fault_kind::forget_sessions}) {
        EXPECT_TRUE(kinds.contains(kind)) << to_string(kind);
    }
}

TEST(fault_plan, what_cannot_be_read_is_named_with_its_line) {
    const auto said = [](std::string_view text) { return parse_plan(text).error().message(); };
    EXPECT_NE(said("seed=1\nfault at=1s melt").find("line 2: there is no fault 'melt'"), std::string::npos);
    EXPECT_NE(said("fault at=1s").find("line 1: it does not say which fault"), std::string::npos);
    EXPECT_NE(said("topic colour=red").find("there is no field 'colour' here"), std::string::npos);
    EXPECT_NE(said("runs=long").find("'long' is no value of runs"), std::string::npos);
    EXPECT_NE(said("consumer how=quickly").find("'quickly' is no value of how"), std::string::npos);
}

TEST(fault_plan, comments_and_empty_lines_are_passed_over_and_faults_are_put_in_order) {
    const auto plan = parse_plan("# found by seed 3\n\nseed=3\nfault at=5s wakeup\nfault at=1s crash consumer=1\n");
    ASSERT_TRUE(plan);
    ASSERT_EQ(plan->faults.size(), 2U);
    EXPECT_EQ(plan->faults[0].what, fault_kind::crash);
}

TEST(duration_words, durations_are_written_in_their_largest_whole_unit) {
    EXPECT_EQ(to_words(2h), "2h");
    EXPECT_EQ(to_words(90s), "90s");
    EXPECT_EQ(to_words(1500ms), "1500ms");
    EXPECT_EQ(to_words({}), "0s");
    EXPECT_EQ(duration_from("2.5s"), 2500ms);
    EXPECT_EQ(duration_from("-10m"), -10min);
    EXPECT_FALSE(duration_from("10"));
    EXPECT_FALSE(duration_from("fast"));
}

TEST(plan_shrinker, what_is_not_needed_for_the_failure_goes) {
    auto plan = make_plan(11, "group");
    plan.faults.push_back({.at = 60s, .what = fault_kind::crash, .consumer = 1});
    const auto crashes = [](const fault_plan& candidate) {
        return std::any_of(candidate.faults.begin(), candidate.faults.end(),
                           [](const fault& one) { return one.what == fault_kind::crash; });
    };
    const auto shrunk = shrink(plan, crashes);
    ASSERT_EQ(shrunk.plan.faults.size(), 1U);
    EXPECT_EQ(shrunk.plan.consumers.size(), 1U);
    EXPECT_EQ(shrunk.plan.topics.size(), 1U);
    EXPECT_EQ(shrunk.plan.brokers, 1);
    EXPECT_LT(shrunk.plan.runs, plan.runs);
}

TEST(plan_shrinker, it_gives_up_after_its_tries) {
    std::uint64_t asked = 0;
    const auto never = [&](const fault_plan&) {
        ++asked;
        return false;
    };
    shrink(make_plan(11, "churn"), never, 10);
    EXPECT_EQ(asked, 10U);
}

}  // namespace
}  // namespace strandline::testkit::sim
