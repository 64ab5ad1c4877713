#include "core/group/consumer/revocation.hpp"

#include <memory>

#include <gtest/gtest.h>

#include "core/group/hand_driven.hpp"

namespace strandline::core::group::consumer {
namespace {

using namespace std::chrono_literals;
using step = revocation::step;

const partitions names{{"orders", 0}, {"orders", 1}};
constexpr base::instant ends{100s};

struct a_revocation : testing::Test {
    hand_driven by_hand;

    revocation make(revocation_terms terms = {.ends = ends}) {
        std::vector<boundary::partition_ref> leaving;
        for (const auto& name : names) {
            leaving.push_back(
                std::make_shared<const boundary::partition_identity>(boundary::partition_identity{name, {}}));
        }
        return {std::move(leaving), names, terms};
    }
    // The application has met the fence that was asked for since.
    void meet_fence(revocation& going) {
        const auto asked = only<exchange::fence_wanted>(by_hand.take_facts());
        ASSERT_EQ(asked.size(), 1U);
        going.on_fences_met(asked[0].ticket, by_hand.context());
    }
    // The only commit that was asked for since.
    exchange::revocation_commit_wanted commit() {
        const auto asked = only<exchange::revocation_commit_wanted>(by_hand.take_facts());
        EXPECT_EQ(asked.size(), 1U);
        return asked.empty() ? exchange::revocation_commit_wanted{} : asked.front();
    }
};

TEST_F(a_revocation, fences_first_and_commits_once_the_fences_are_met) {
    auto going = make();
    going.begin(by_hand.context());
    EXPECT_EQ(going.at(), step::fencing);
    const auto facts = by_hand.take_facts();
    ASSERT_EQ(facts.size(), 1U);
    const auto& fence = std::get<exchange::fence_wanted>(facts[0]);
    EXPECT_EQ(fence.leaving, names);
    going.on_fences_met(fence.ticket + 1, by_hand.context());
    EXPECT_EQ(going.at(), step::fencing) << "of another revocation";
    going.on_fences_met(fence.ticket, by_hand.context());
    EXPECT_EQ(going.at(), step::committing);
    const auto asked = commit();
    EXPECT_EQ(asked.leaving, names);
    EXPECT_EQ(asked.deadline, ends);
    going.on_fences_met(fence.ticket, by_hand.context());
    EXPECT_TRUE(by_hand.take_facts().empty());
}

TEST_F(a_revocation, ends_with_the_answer_to_its_own_commit_without_a_listener) {
    auto going = make();
    going.begin(by_hand.context());
    meet_fence(going);
    const auto asked = commit();
    EXPECT_FALSE(going.on_committed(asked.ticket + 1));
    EXPECT_FALSE(going.finished());
    EXPECT_FALSE(going.on_committed(asked.ticket));
    EXPECT_TRUE(going.finished());
}

TEST_F(a_revocation, calls_the_listener_after_the_commit_and_commits_what_it_added) {
    auto going = make({.ends = ends, .has_listener = true});
    going.begin(by_hand.context());
    going.on_callbacks_answered(by_hand.context());
    EXPECT_EQ(going.at(), step::fencing) << "of a callback that nobody wanted yet";
    meet_fence(going);
    const auto first = commit();
    EXPECT_TRUE(going.on_committed(first.ticket));
    EXPECT_EQ(going.at(), step::calling_back);
    EXPECT_EQ(going.to_call_back(), names);
    EXPECT_FALSE(going.on_committed(first.ticket)) << "an answer counts once";
    going.on_callbacks_answered(by_hand.context());
    EXPECT_EQ(going.at(), step::committing_more);
    const auto more = commit();
    EXPECT_NE(more.ticket, first.ticket);
    EXPECT_FALSE(going.on_committed(first.ticket));
    EXPECT_FALSE(going.finished());
    EXPECT_FALSE(going.on_committed(more.ticket));
    EXPECT_TRUE(going.finished());
}

TEST_F(a_revocation, does_not_wait_for_fences_that_only_the_waiting_application_could_meet) {
    auto going = make({.ends = ends, .asked_by_application = true});
    going.begin(by_hand.context());
    EXPECT_EQ(going.at(), step::committing);
    const auto facts = by_hand.take_facts();
    ASSERT_EQ(facts.size(), 2U);
    EXPECT_EQ(std::get<exchange::fence_wanted>(facts[0]).ticket, 0U) << "nobody waits for it";
    EXPECT_TRUE(std::holds_alternative<exchange::revocation_commit_wanted>(facts[1]));
}

TEST_F(a_revocation, ends_at_its_time_whatever_it_waits_for) {
    for (const auto until : {step::fencing, step::committing, step::calling_back, step::committing_more}) {
        auto going = make({.ends = ends, .has_listener = true});
        going.begin(by_hand.context());
        if (until >= step::committing) meet_fence(going);
        if (until >= step::calling_back)
            going.on_committed(only<exchange::revocation_commit_wanted>(by_hand.take_facts()).back().ticket);
        if (until >= step::committing_more) going.on_callbacks_answered(by_hand.context());
        ASSERT_EQ(going.at(), until);
        going.on_time(ends - 1ms);
        EXPECT_FALSE(going.finished());
        going.on_time(ends);
        EXPECT_TRUE(going.finished());
        by_hand.take_facts();
    }
}

}  // namespace
}  // namespace strandline::core::group::consumer
