#include "core/offsets/commit_manager.hpp"

#include <gtest/gtest.h>

#include "core/boundary/asynchronous_commits.hpp"
#include "core/offsets/commit_test_rig.hpp"

namespace strandline::core::offsets {

namespace {

using namespace offsets::test;

}  // namespace

TEST(commit_manager, a_commit_carries_what_was_processed_with_the_members_id_and_epoch) {
    commit_rig r;
    r.config.group_instance_id = "instance";
    r.process(orders, 10);
    r.process(more_orders, 20);
    const auto out = r.commit(1);
    ASSERT_EQ(out.requests.size(), 1U);
    EXPECT_EQ(out.requests[0].broker.value(), 3);
    EXPECT_EQ(out.requests[0].role, exchange::connection_role::group);
    EXPECT_EQ(out.requests[0].version, 10);
    const auto& asked = commit_of(out.requests[0]);
    EXPECT_EQ(asked.group_id, "billing");
    EXPECT_EQ(asked.member_id, "member-1");
    EXPECT_EQ(asked.generation_id_or_member_epoch.value(), 7);
    EXPECT_EQ(asked.group_instance_id, "instance");
    EXPECT_EQ(asked.topics.at(0).topic_id, id_of(1));
    EXPECT_EQ(asked.topics[0].partitions[0].committed_leader_epoch.value(), 5);
    EXPECT_EQ(committed_by(out.requests[0]), (by_partition{{0, 10}, {1, 20}}));

    r.answer(out.requests[0]);
    const auto done = r.settle();
    ASSERT_EQ(done.completions.size(), 1U);
    EXPECT_EQ(std::get<strandline::offsets>(*done.completions[0].outcome).at(orders).offset, 10);
    EXPECT_TRUE(r.subscription.get().uncommitted.empty());
}

TEST(commit_manager, only_what_changed_since_is_sent) {
    commit_rig r;
    r.process(orders, 10);
    r.process(more_orders, 20);
    auto out = r.commit(1);
    r.answer(out.requests[0]);
    r.settle();
    r.process(more_orders, 21);
    EXPECT_EQ(committed_by(r.commit(2).requests.at(0)), (by_partition{{1, 21}}));
}

// tickets: KAFKA-16103 (D7)
TEST(commit_manager, a_commit_of_nothing_completes_at_once_but_not_before_those_ahead_of_it) {
    commit_rig r;
    EXPECT_EQ(r.commit(1).completions.size(), 1U);
    r.process(orders, 10);
    const auto out = r.commit(2, false);
    r.change(orders).committed = offset_and_metadata(10);
    r.note(orders);
    EXPECT_TRUE(r.commit(3).completions.empty());
    r.answer(out.requests[0]);
    const auto done = r.settle();
    ASSERT_EQ(done.completions.size(), 2U);
    EXPECT_EQ(done.completions[0].token.value(), 2U);
    EXPECT_EQ(done.completions[1].token.value(), 3U);
}

TEST(commit_manager, one_commit_is_in_flight_at_a_time_and_keeps_the_offsets_it_captured) {
    commit_rig r;
    r.process(orders, 10);
    const auto first = r.commit(1);
    r.process(orders, 15);
    EXPECT_TRUE(r.commit(2).requests.empty());
    r.process(orders, 99);
    r.answer(first.requests[0]);
    const auto second = r.settle();
    EXPECT_EQ(committed_by(second.requests.at(0)), (by_partition{{0, 15}}));
}

// tickets: KAFKA-16033 (F5) KAFKA-16285 (C8) B41
TEST(commit_manager, the_epoch_is_that_of_the_moment_of_sending_and_a_stale_one_is_tried_again_only_with_a_newer) {
    commit_rig r;
    r.process(orders, 10);
    auto out = r.commit(1);
    r.answer(out.requests[0], broker_error::stale_member_epoch);
    r.now += 2s;
    EXPECT_TRUE(r.plan().requests.empty());
    EXPECT_TRUE(r.plan().completions.empty());
    r.member.change().epoch = protocol::member_epoch(8);
    out = r.plan();
    ASSERT_EQ(out.requests.size(), 1U);
    EXPECT_EQ(commit_of(out.requests[0]).generation_id_or_member_epoch.value(), 8);
    EXPECT_EQ(committed_by(out.requests[0]), (by_partition{{0, 10}}));
}

TEST(commit_manager, a_stale_epoch_is_tried_again_as_well_when_no_newer_one_comes) {
    commit_rig r;
    r.process(orders, 10);
    auto out = r.commit(1);
    r.answer(out.requests[0], broker_error::stale_member_epoch);
    r.now += 2s;
    EXPECT_TRUE(r.plan().requests.empty());
    r.now = t0 + r.config.request_timeout;
    out = r.plan();
    ASSERT_EQ(out.requests.size(), 1U);
    r.answer(out.requests[0]);
    const auto done = r.plan();
    ASSERT_EQ(done.completions.size(), 1U);
    EXPECT_TRUE(done.completions[0].outcome);
}

TEST(commit_manager, a_passing_error_is_tried_again_until_the_deadline_and_names_what_it_waited_for) {
    commit_rig r;
    r.process(orders, 10);
    auto out = r.commit(1, true, r.now + 1s);
    r.answer(out.requests[0], broker_error::coordinator_load_in_progress);
    EXPECT_TRUE(r.plan().requests.empty());
    r.now = r.wake_at;
    out = r.plan();
    ASSERT_EQ(out.requests.size(), 1U);
    r.now = t0 + 1s;
    const auto late = r.plan();
    ASSERT_EQ(late.completions.size(), 1U);
    EXPECT_TRUE(late.completions[0].outcome.error() == errc::timed_out);
    EXPECT_NE(late.completions[0].outcome.error().message().find("answer"), std::string::npos);
    // One result, whatever still comes.
    r.answer(out.requests[0]);
    EXPECT_TRUE(r.plan().completions.empty());
}

TEST(commit_manager, an_asynchronous_commit_is_not_tried_again) {
    commit_rig r;
    r.process(orders, 10);
    auto out = r.commit(1, false);
    r.answer(out.requests[0], broker_error::coordinator_load_in_progress);
    out = r.plan();
    EXPECT_TRUE(out.requests.empty());
    ASSERT_EQ(out.completions.size(), 1U);
    EXPECT_TRUE(out.completions[0].outcome.error().retriable());
}

// tickets: B29
TEST(commit_manager, a_coordinator_that_is_elsewhere_is_told_as_lost_and_the_commit_goes_to_the_next) {
    commit_rig r;
    r.process(orders, 10);
    auto out = r.commit(1);
    r.answer(out.requests[0], broker_error::not_coordinator);
    const auto lost = r.facts.take<exchange::coordinator_lost>();
    ASSERT_EQ(lost.size(), 1U);
    EXPECT_EQ(lost[0].version, 4U);
    r.coordinator.change().broker = protocol::no_broker;
    r.now += 1s;
    EXPECT_TRUE(r.plan().requests.empty());
    r.coordinator.change().broker = protocol::broker_id(2);
    out = r.plan();
    EXPECT_EQ(out.requests.at(0).broker.value(), 2);
    EXPECT_EQ(committed_by(out.requests[0]), (by_partition{{0, 10}}));
}

TEST(commit_manager, a_commit_whose_answer_was_lost_is_sent_again) {
    commit_rig r;
    r.process(orders, 10);
    auto out = r.commit(1);
    r.manager->on_response(no_answer_to(out.requests[0]), r.time());
    EXPECT_EQ(r.facts.take<exchange::coordinator_lost>().size(), 1U);
    r.now += 1s;
    EXPECT_EQ(r.plan().requests.size(), 1U);
}

// tickets: B24
TEST(commit_manager, a_partition_that_is_refused_does_not_keep_the_others_from_being_committed) {
    commit_rig r;
    r.process(orders, 10);
    r.process(more_orders, 20);
    const auto out = r.commit(1);
    r.answer(out.requests[0], broker_error::none, {{0, broker_error::offset_metadata_too_large}});
    EXPECT_EQ(r.facts.take<exchange::offsets_committed>().at(0).which.at(0).first, r.slot_of(more_orders));
    const auto done = r.plan();
    ASSERT_EQ(done.completions.size(), 1U);
    const auto& failure = done.completions[0].outcome.error();
    EXPECT_EQ(failure.code().value(), 12);
    EXPECT_EQ(failure.about().partition, orders);
}

// tickets: B93
TEST(commit_manager, a_commit_of_a_member_that_the_group_does_not_know_fails_and_is_told_to_the_membership) {
    for (const auto why : {broker_error::unknown_member_id, broker_error::fenced_member_epoch}) {
        commit_rig r;
        r.process(orders, 10);
        const auto out = r.commit(1);
        r.answer(out.requests[0], why);
        const auto fenced = r.facts.take<exchange::member_fenced>();
        ASSERT_EQ(fenced.size(), 1U);
        EXPECT_EQ(fenced[0].seen.value(), 7);
        const auto done = r.plan();
        EXPECT_TRUE(done.completions.at(0).outcome.error() == errc::commit_failed);
    }
}

// tickets: KAFKA-16933 (D6)
TEST(commit_manager, fencing_ends_commits_in_flight_and_those_that_wait) {
    commit_rig r;
    r.process(orders, 10);
    const auto out = r.commit(1);
    r.commit(2, strandline::offsets{{more_orders, offset_and_metadata(3)}}, false);
    r.member.change().in_group = false;
    const auto done = r.plan();
    ASSERT_EQ(done.completions.size(), 2U);
    for (const auto& completion : done.completions) EXPECT_TRUE(completion.outcome.error() == errc::commit_failed);
    // The member joins again: what it asks for now is its own.
    r.answer(out.requests[0]);
    auto& me = r.member.change();
    me.in_group = true;
    me.incarnation = 2;
    EXPECT_EQ(r.commit(3).requests.size(), 1U);
}

// Another turn may come at the same instant: what was answered with a wait for a later one has to be asked for again.
TEST(commit_manager, says_that_a_revocation_ended_with_the_last_input_of_a_turn) {
    commit_rig r;
    r.process(orders, 10);
    r.make().on_fact(exchange::revocation_commit_wanted{41, {orders}, r.now + 10s}, r.time());
    r.plan();
    r.member.change().in_group = false;
    static_cast<void>(r.manager_test_rig::plan(*r.manager));
    EXPECT_TRUE(r.facts.take<exchange::revocation_committed>().empty()) << "a plan tells no facts";
    EXPECT_TRUE(r.manager->on_turn(r.time()));
    EXPECT_EQ(r.facts.take<exchange::revocation_committed>().size(), 1U);
    EXPECT_FALSE(r.manager->on_turn(r.time()));
}

// tickets: KAFKA-18034 (D3); invariants: V13 V20
TEST(commit_manager, what_waits_for_a_coordinator_that_is_refused_for_good_ends_at_once) {
    commit_rig r;
    r.coordinator.change().broker = protocol::no_broker;
    r.process(orders, 10);
    EXPECT_TRUE(r.commit(1).completions.empty());
    r.make().on_fact(exchange::committed_wanted{{{r.slot_of(orders), r.subscription.get().find(orders)->era}}},
                     r.time());
    const error refusal(errc::fatal_group_error, "not for you", {}, {.retriable = false, .fatal = true});
    r.coordinator.change().refusal = refusal;
    const auto out = r.plan();
    ASSERT_EQ(out.completions.size(), 1U);
    EXPECT_EQ(out.completions[0].outcome.error(), refusal);
    const auto known = r.facts.take<exchange::committed_known>();
    ASSERT_EQ(known.size(), 1U);
    EXPECT_EQ(known[0].failure, refusal);
    // Whatever is asked for from now on as well.
    const auto later = r.commit(2);
    ASSERT_EQ(later.completions.size(), 1U);
    EXPECT_EQ(later.completions[0].outcome.error(), refusal);
}

TEST(commit_manager, without_a_member_the_epoch_is_none_and_the_member_id_empty) {
    commit_rig r;
    r.member.change().in_group = false;
    r.process(orders, 10);
    const auto out = r.commit(1);
    EXPECT_EQ(commit_of(out.requests.at(0)).generation_id_or_member_epoch.value(), -1);
    EXPECT_EQ(commit_of(out.requests[0]).member_id, "");
}

TEST(commit_manager, topics_go_by_name_if_an_id_is_unknown) {
    commit_rig r;
    r.process(orders, 10);
    const auto out = r.commit(1, {{{"elsewhere", 4}, offset_and_metadata(3)}, {orders, offset_and_metadata(9)}});
    EXPECT_EQ(out.requests.at(0).version, 9);
}

TEST(commit_manager, offsets_of_a_topic_that_was_made_anew_are_not_committed_to_its_successor) {
    commit_rig r;
    r.process(orders, 10);
    r.know_topic("orders", 2, 1, 0, 9);
    r.network.newest[protocol::api_key::offset_commit] = 9;
    const auto out = r.commit(1);
    EXPECT_TRUE(out.requests.empty());
    EXPECT_TRUE(out.completions.at(0).outcome.error() == errc::commit_failed) << "however often it is asked in a turn";
}

TEST(commit_manager, a_commit_of_a_deleted_topic_holds_up_nothing_behind_it) {
    commit_rig r;
    r.know_topic("letters", 1, 1, 0, 4);
    r.coordinator.change().broker = protocol::no_broker;
    EXPECT_TRUE(r.commit(1, {{{"letters", 0}, offset_and_metadata(3)}}).completions.empty());
    EXPECT_TRUE(r.commit(2, {{orders, offset_and_metadata(9)}}).completions.empty());
    r.know_topic("letters", 1, 1, 0, 5);
    r.coordinator.change().broker = protocol::broker_id(3);
    const auto out = r.plan();
    EXPECT_EQ(out.completions.at(0).token.value(), 1U);
    EXPECT_EQ(out.requests.size(), 1U);
}

// tickets: B25
TEST(commit_manager, a_negative_offset_never_leaves) {
    commit_rig r;
    const auto out = r.commit(1, {{orders, offset_and_metadata(-1)}});
    EXPECT_TRUE(out.requests.empty());
    EXPECT_TRUE(out.completions.at(0).outcome.error() == errc::invalid_argument);
    EXPECT_TRUE(r.commit(2).requests.empty());
}

TEST(commit_manager, without_a_group_there_is_nothing_to_commit_at_close) {
    commit_rig r;
    r.config.group_id.reset();
    r.lifecycle.change().stage = close_stage::commit;
    EXPECT_EQ(r.plan().stages.size(), 1U);
}

TEST(commit_manager, asynchronous_commits_beyond_the_limit_fold_into_the_newest) {
    commit_rig r;
    r.coordinator.change().broker = protocol::no_broker;
    for (std::uint64_t token = 1; token <= boundary::asynchronous_commit_limit; ++token) {
        r.commit(token, {{orders, offset_and_metadata(static_cast<std::int64_t>(token))}}, false);
    }
    const auto out = r.commit(100, {{more_orders, offset_and_metadata(5)}}, false);
    ASSERT_EQ(out.completions.size(), 1U);
    EXPECT_EQ(out.completions[0].token.value(), boundary::asynchronous_commit_limit);
    EXPECT_TRUE(out.completions[0].outcome.error() == errc::commit_superseded);
    r.coordinator.change().broker = protocol::broker_id(3);
    auto sent = r.plan();
    std::size_t requests = 0;
    by_partition last;
    while (!sent.requests.empty()) {
        ++requests;
        last = committed_by(sent.requests[0]);
        r.answer(sent.requests[0]);
        sent = r.settle();
    }
    EXPECT_EQ(requests, boundary::asynchronous_commit_limit);
    EXPECT_EQ(last, (by_partition{{0, 64}, {1, 5}}));
}

TEST(commit_manager, a_cancelled_commit_has_its_result_and_the_next_goes_on) {
    commit_rig r;
    r.process(orders, 10);
    const auto out = r.commit(1);
    r.commit(2, {{orders, offset_and_metadata(11)}});
    r.manager->on_cancel(boundary::operation_token(1), r.time());
    auto done = r.plan();
    ASSERT_EQ(done.completions.size(), 1U);
    EXPECT_TRUE(done.completions[0].outcome.error() == errc::timed_out);
    r.answer(out.requests[0]);
    done = r.settle();
    EXPECT_TRUE(done.completions.empty());
    EXPECT_EQ(committed_by(done.requests.at(0)), (by_partition{{0, 11}}));
}

// tickets: B37
TEST(commit_manager, lost_partitions_are_taken_out_of_what_waits) {
    commit_rig r;
    r.coordinator.change().broker = protocol::no_broker;
    r.commit(1, {{orders, offset_and_metadata(3)}, {more_orders, offset_and_metadata(4)}});
    r.manager->on_fact(exchange::partitions_gone{{r.change(orders).partition}, true}, r.time());
    r.coordinator.change().broker = protocol::broker_id(3);
    const auto out = r.plan();
    EXPECT_EQ(committed_by(out.requests.at(0)), (by_partition{{1, 4}}));
    r.answer(out.requests[0]);
    EXPECT_TRUE(r.plan().completions.at(0).outcome.error() == errc::commit_failed);
}

// tickets: KAFKA-13563 (C12)
TEST(commit_manager, the_coordinator_is_needed_while_something_is_to_be_committed_or_looked_up) {
    commit_rig r;
    r.config.enable_auto_commit = false;
    r.process(orders, 10);
    r.plan();
    EXPECT_TRUE(r.facts.take<exchange::coordinator_needed>().empty());
    const auto out = r.commit(1);
    auto told = r.facts.take<exchange::coordinator_needed>();
    ASSERT_EQ(told.size(), 1U);
    EXPECT_TRUE(told[0].needed);
    r.answer(out.requests[0]);
    told = r.facts.take<exchange::coordinator_needed>();
    ASSERT_EQ(told.size(), 1U);
    EXPECT_FALSE(told[0].needed);
}

}  // namespace strandline::core::offsets
