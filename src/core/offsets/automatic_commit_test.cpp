// Commits that nobody asked for: by the timer, before partitions are given up, and at close.
#include <gtest/gtest.h>

#include "core/offsets/commit_manager.hpp"
#include "core/offsets/commit_test_rig.hpp"

namespace strandline::core::offsets {

namespace {

using namespace offsets::test;

struct automatic_rig : commit_rig {
    gathered_outputs close(close_stage stage, base::duration budget = 4s) {
        auto& shown = lifecycle.change();
        shown.stage = stage;
        shown.stage_deadline = now + budget;
        return plan();
    }
};

}  // namespace

TEST(automatic_commit, what_was_processed_is_committed_at_every_interval) {
    automatic_rig r;
    r.process(orders, 10);
    EXPECT_TRUE(r.plan().requests.empty());
    EXPECT_EQ(r.wake_at, t0 + 5s);
    r.now = t0 + 5s;
    const auto out = r.plan();
    EXPECT_EQ(committed_by(out.requests.at(0)), (by_partition{{0, 10}}));
    r.answer(out.requests[0]);
    EXPECT_TRUE(r.settle().requests.empty());
    EXPECT_EQ(r.wake_at, t0 + 10s);
    EXPECT_TRUE(r.plan().completions.empty());
}

TEST(automatic_commit, a_due_commit_without_progress_waits_for_progress_and_for_no_timer) {
    automatic_rig r;
    r.plan();
    EXPECT_FALSE(r.manager->progress_wanted());
    r.now = t0 + 5s;
    EXPECT_TRUE(r.plan().requests.empty());
    EXPECT_TRUE(r.manager->progress_wanted());
    EXPECT_EQ(r.wake_at, base::never);
    r.now += 60s;
    r.process(orders, 10);
    EXPECT_EQ(r.plan().requests.size(), 1U);
    EXPECT_FALSE(r.manager->progress_wanted());
}

TEST(automatic_commit, what_was_processed_of_a_deleted_topic_sets_no_timer) {
    automatic_rig r;
    r.process(orders, 10);
    r.plan();
    r.know_topic("orders", 2, 1, 0, 9);
    r.now = t0 + 5s;
    EXPECT_TRUE(r.plan().requests.empty());
    EXPECT_EQ(r.wake_at, base::never);
    EXPECT_TRUE(r.manager->progress_wanted());
}

// The expired timer of a commit that cannot be sent is not reported as due again and again.
// tickets: KAFKA-20970 (A3) KAFKA-20253 (A1)
TEST(automatic_commit, with_an_unknown_coordinator_a_due_commit_awaits_the_coordinator) {
    automatic_rig r;
    r.process(orders, 10);
    r.coordinator.change().broker = protocol::no_broker;
    r.plan();
    EXPECT_TRUE(r.facts.take<exchange::coordinator_needed>().at(0).needed);
    r.now = t0 + 5s;
    EXPECT_TRUE(r.plan().requests.empty());
    EXPECT_EQ(r.wake_at, base::never);
    r.process(orders, 30);
    r.coordinator.change().broker = protocol::broker_id(3);
    EXPECT_EQ(committed_by(r.plan().requests.at(0)), (by_partition{{0, 30}}));
}

TEST(automatic_commit, a_failed_one_is_not_repeated_as_it_was_the_next_one_covers_more) {
    automatic_rig r;
    r.process(orders, 10);
    r.plan();
    r.now = t0 + 5s;
    auto out = r.plan();
    r.answer(out.requests.at(0), broker_error::coordinator_load_in_progress);
    EXPECT_TRUE(r.plan().requests.empty());
    r.process(orders, 12);
    r.now = r.wake_at;
    EXPECT_LT(r.now, t0 + 6s);
    EXPECT_EQ(committed_by(r.plan().requests.at(0)), (by_partition{{0, 12}}));
}

// A topic that was deleted refuses them until the metadata says so.
TEST(automatic_commit, one_that_goes_on_failing_is_tried_ever_less_often_until_one_succeeds) {
    automatic_rig r;
    r.config.retry = {10ms, 1s};
    r.process(orders, 10);
    r.plan();
    r.now = t0 + 5s;
    std::vector<base::duration> waits;
    for (int i = 0; i < 9; ++i) {
        const auto out = r.plan();
        r.answer(out.requests.at(0), broker_error::unknown_topic_or_partition);
        EXPECT_TRUE(r.plan().requests.empty());
        waits.push_back(r.wake_at - r.now);
        r.now = r.wake_at;
    }
    EXPECT_LT(waits.front(), 20ms);
    EXPECT_GE(waits.back(), 1s);
    EXPECT_LE(waits.back(), 5s);
    r.answer(r.plan().requests.at(0));
    r.settle();
    r.process(orders, 20);
    r.now += 5s;
    r.answer(r.plan().requests.at(0), broker_error::unknown_topic_or_partition);
    r.plan();
    EXPECT_LT(r.wake_at - r.now, 20ms);
}

TEST(automatic_commit, one_that_is_refused_for_good_is_told_once_for_each_reason_until_one_succeeds) {
    automatic_rig r;
    r.process(orders, 10);
    r.plan();
    std::vector<std::string> told;
    const auto try_it = [&](broker_error answer) {
        r.now += 5s;
        r.answer(r.plan().requests.at(0), answer);
        const auto out = r.settle();
        for (const auto& notice : out.notices) {
            const auto& reason = std::get<boundary::error_raised>(notice).reason;
            EXPECT_TRUE(reason.retriable()) << "the next poll goes on";
            told.push_back(reason.code().message());
        }
    };
    try_it(broker_error::group_authorization_failed);
    ASSERT_EQ(told.size(), 1U);
    EXPECT_NE(told[0].find("GROUP_AUTHORIZATION_FAILED"), std::string::npos);
    try_it(broker_error::group_authorization_failed);
    EXPECT_EQ(told.size(), 1U);
    try_it(broker_error::topic_authorization_failed);
    EXPECT_EQ(told.size(), 2U);
    try_it(broker_error::none);
    r.process(orders, 20);
    try_it(broker_error::group_authorization_failed);
    EXPECT_EQ(told.size(), 3U);
}

TEST(automatic_commit, a_group_with_members_that_refuses_one_who_is_none_of_them_is_told) {
    automatic_rig r;
    r.member.change() = {};
    r.process(orders, 10);
    r.plan();
    r.now += 5s;
    r.answer(r.plan().requests.at(0), broker_error::unknown_member_id);
    const auto out = r.plan();
    ASSERT_EQ(out.notices.size(), 1U);
    const auto& reason = std::get<boundary::error_raised>(out.notices[0]).reason;
    EXPECT_TRUE(reason == errc::commit_failed);
    EXPECT_NE(reason.message().find("assigned by hand"), std::string::npos) << reason.message();
    r.now += 5s;
    EXPECT_EQ(r.plan().requests.size(), 1U) << "it is tried again all the same";
}

TEST(automatic_commit, a_member_that_is_fenced_hears_of_its_loss_and_not_of_the_commit) {
    automatic_rig r;
    r.process(orders, 10);
    r.plan();
    r.now += 5s;
    r.answer(r.plan().requests.at(0), broker_error::unknown_member_id);
    EXPECT_TRUE(r.plan().notices.empty());
    EXPECT_EQ(r.facts.take<exchange::member_fenced>().size(), 1U);
}

TEST(automatic_commit, the_last_commit_of_what_is_given_up_is_told_if_it_is_refused) {
    automatic_rig r;
    r.member.change().in_group = false;
    r.make().on_fact(exchange::offsets_left{{{r.change(orders).partition, offset_and_metadata(8)}}}, r.time());
    r.answer(r.plan().requests.at(0), broker_error::group_authorization_failed);
    EXPECT_EQ(r.plan().notices.size(), 1U);

    automatic_rig revoking;
    revoking.process(orders, 10);
    revoking.make().on_fact(exchange::revocation_commit_wanted{1, {orders}, t0 + 10s}, revoking.time());
    revoking.answer(revoking.plan().requests.at(0), broker_error::group_authorization_failed);
    EXPECT_EQ(revoking.plan().notices.size(), 1U);
    EXPECT_EQ(revoking.facts.take<exchange::revocation_committed>().size(), 1U) << "it goes on";
}

TEST(automatic_commit, it_never_goes_below_what_the_application_committed_itself_unless_that_moved_back) {
    automatic_rig r;
    r.process(orders, 100);
    auto out = r.commit(1, {{orders, offset_and_metadata(200)}});
    r.answer(out.requests.at(0));
    r.settle();
    r.now = t0 + 5s;
    EXPECT_TRUE(r.plan().requests.empty());
    r.process(orders, 201);
    out = r.plan();
    EXPECT_EQ(committed_by(out.requests.at(0)), (by_partition{{0, 201}}));
    r.answer(out.requests[0]);
    r.settle();
    // The application seeks back: another incarnation, and what it does now is what it means.
    r.change(orders).era = boundary::incarnation(99);
    r.process(orders, 50);
    r.now = t0 + 10s;
    EXPECT_EQ(committed_by(r.plan().requests.at(0)), (by_partition{{0, 50}}));
}

TEST(automatic_commit, switched_off_it_commits_nothing_neither_by_time_nor_at_close) {
    automatic_rig r;
    r.config.enable_auto_commit = false;
    r.process(orders, 10);
    r.plan();
    EXPECT_EQ(r.wake_at, base::never);
    r.now += 60s;
    EXPECT_TRUE(r.plan().requests.empty());
    const auto out = r.close(close_stage::commit);
    EXPECT_TRUE(out.requests.empty());
    ASSERT_EQ(out.stages.size(), 1U);
    EXPECT_TRUE(out.stages[0].uncommitted.empty());
}

TEST(automatic_commit, partitions_about_to_be_given_up_are_committed_first_and_the_answer_is_told) {
    automatic_rig r;
    r.process(orders, 10);
    r.process(more_orders, 20);
    r.make().on_fact(exchange::revocation_commit_wanted{41, {orders}, r.now + 10s}, r.time());
    const auto out = r.plan();
    EXPECT_EQ(committed_by(out.requests.at(0)), (by_partition{{0, 10}}));
    EXPECT_TRUE(r.facts.take<exchange::revocation_committed>().empty());
    r.answer(out.requests[0]);
    EXPECT_EQ(r.facts.take<exchange::revocation_committed>().at(0).ticket, 41U);
}

TEST(automatic_commit, a_revocation_with_nothing_to_commit_still_waits_for_commits_ahead_of_it) {
    automatic_rig r;
    r.make().on_fact(exchange::revocation_commit_wanted{1, {orders}, r.now + 10s}, r.time());
    EXPECT_EQ(r.facts.take<exchange::revocation_committed>().size(), 1U);
    const auto out = r.commit(7, {{orders, offset_and_metadata(3)}}, false);
    r.make().on_fact(exchange::revocation_commit_wanted{2, {orders}, r.now + 10s}, r.time());
    EXPECT_TRUE(r.facts.take<exchange::revocation_committed>().empty());
    r.answer(out.requests.at(0));
    EXPECT_EQ(r.facts.take<exchange::revocation_committed>().at(0).ticket, 2U);
}

TEST(automatic_commit, a_revocation_is_told_as_done_also_when_its_time_is_up_or_its_member_is_fenced) {
    automatic_rig r;
    r.coordinator.change().broker = protocol::no_broker;
    r.process(orders, 10);
    r.make().on_fact(exchange::revocation_commit_wanted{1, {orders}, r.now + 10s}, r.time());
    r.plan();
    EXPECT_EQ(r.wake_at, t0 + 5s);
    r.now = t0 + 10s;
    r.plan();
    EXPECT_EQ(r.facts.take<exchange::revocation_committed>().size(), 1U);

    r.make().on_fact(exchange::revocation_commit_wanted{2, {orders}, r.now + 10s}, r.time());
    r.member.change().in_group = false;
    r.plan();
    EXPECT_EQ(r.facts.take<exchange::revocation_committed>().size(), 1U);
}

TEST(automatic_commit, a_revocation_whose_partitions_are_lost_is_over_and_nobody_is_told_of_its_commit) {
    automatic_rig r;
    r.coordinator.change().broker = protocol::no_broker;
    r.process(orders, 10);
    r.make().on_fact(exchange::revocation_commit_wanted{1, {orders}, r.now + 10s}, r.time());
    r.plan();
    r.make().on_fact(exchange::partitions_gone{{r.change(orders).partition}, true}, r.time());
    r.plan();
    r.now += 10s;
    r.plan();
    EXPECT_TRUE(r.facts.take<exchange::revocation_committed>().empty());
}

TEST(automatic_commit, what_was_processed_of_partitions_given_up_by_hand_is_committed) {
    automatic_rig r;
    r.member.change().in_group = false;
    r.make().on_fact(exchange::offsets_left{{{r.change(orders).partition, offset_and_metadata(8)}}}, r.time());
    EXPECT_EQ(committed_by(r.plan().requests.at(0)), (by_partition{{0, 8}}));
}

TEST(automatic_commit, close_commits_what_was_processed_and_ends_the_stage_with_the_answer) {
    automatic_rig r;
    r.process(orders, 10);
    auto out = r.close(close_stage::commit);
    EXPECT_EQ(committed_by(out.requests.at(0)), (by_partition{{0, 10}}));
    EXPECT_TRUE(out.stages.empty());
    r.answer(out.requests[0]);
    out = r.settle();
    ASSERT_EQ(out.stages.size(), 1U);
    EXPECT_EQ(out.stages[0].stage, close_stage::commit);
    EXPECT_TRUE(out.stages[0].uncommitted.empty());
    EXPECT_TRUE(r.plan().stages.empty());

    out = r.close(close_stage::commit_more);
    ASSERT_EQ(out.stages.size(), 1U);
    EXPECT_EQ(out.stages[0].stage, close_stage::commit_more);
}

// tickets: KAFKA-19357 (D2)
TEST(automatic_commit, close_without_anybody_to_reach_gives_up_at_once_and_says_what_is_left) {
    automatic_rig r;
    r.process(orders, 10);
    r.coordinator.change().broker = protocol::no_broker;
    r.network.any.reset();
    r.commit(5, {{more_orders, offset_and_metadata(3)}}, false);
    const auto out = r.close(close_stage::commit);
    ASSERT_EQ(out.stages.size(), 1U);
    EXPECT_EQ(out.stages[0].uncommitted, (strandline::offsets{{orders, offset_and_metadata(10, 5)}}));
    ASSERT_EQ(out.completions.size(), 1U);
    EXPECT_TRUE(out.completions[0].outcome.error() == errc::consumer_closed);
}

// tickets: (D10)
TEST(automatic_commit, close_waits_for_a_silent_coordinator_no_longer_than_its_stage_lasts) {
    automatic_rig r;
    r.process(orders, 10);
    EXPECT_EQ(r.close(close_stage::commit, 160ms).requests.size(), 1U);
    EXPECT_LT(r.wake_at, r.now + 160ms);
    r.now = r.wake_at;
    const auto out = r.plan();
    ASSERT_EQ(out.stages.size(), 1U);
    EXPECT_EQ(out.stages[0].uncommitted.size(), 1U);
}

// tickets: (D10); invariants: V14
TEST(automatic_commit, close_sends_nothing_twice_that_a_silent_coordinator_has_been_sent) {
    automatic_rig r;
    r.process(orders, 10);
    r.process(more_orders, 20);
    EXPECT_EQ(r.close(close_stage::commit, 160ms).requests.size(), 1U);
    r.now = r.wake_at;
    r.plan();
    // A callback has moved on in one of them meanwhile.
    r.process(orders, 12);
    const auto out = r.close(close_stage::commit_more, 160ms);
    ASSERT_EQ(out.requests.size(), 1U);
    EXPECT_EQ(committed_by(out.requests[0]), (by_partition{{0, 12}}));
}

// tickets: KAFKA-19357 (D2)
TEST(automatic_commit, commits_left_when_close_goes_on_end) {
    automatic_rig r;
    r.coordinator.change().broker = protocol::no_broker;
    r.commit(5, {{more_orders, offset_and_metadata(3)}});
    const auto out = r.close(close_stage::leave);
    ASSERT_EQ(out.completions.size(), 1U);
    EXPECT_TRUE(out.completions[0].outcome.error() == errc::consumer_closed);
}

}  // namespace strandline::core::offsets
