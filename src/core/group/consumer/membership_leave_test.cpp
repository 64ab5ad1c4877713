// Unsubscribing, assigning by hand, and the stages of close.
#include "core/group/consumer/hand_driven_member.hpp"

namespace strandline::core::group::consumer {
namespace {

using boundary::command::leave_option;

// Through the stages that precede the leave.
void close_until_leave(hand_driven_member& member, leave_option leave = leave_option::by_default) {
    member.close(close_stage::commit, 1s, leave);
    member.close(close_stage::callbacks, 1s, leave);
    for (const auto& asked : member.callbacks()) member.answer_callback(asked.id);
    member.close(close_stage::commit_more, 1s, leave);
    member.close(close_stage::leave, 1s, leave);
}

std::optional<std::string> undone_of_leave(const hand_driven_member& member) {
    for (const auto& stage : member.stages) {
        if (stage.stage == close_stage::leave) return stage.undone;
    }
    return std::nullopt;
}

TEST(membership_manager, unsubscribing_revokes_in_order_and_then_leaves) {
    hand_driven_member member;
    member.become_stable({0, 1}, true);
    member.fences_are_met = false;
    const auto token = member.unsubscribe();
    EXPECT_EQ(member.order_of_facts(), (texts{"fence", "commit"})) << "the application's own call waits for no fence";
    ASSERT_EQ(member.callbacks().size(), 1U);
    EXPECT_EQ(member.callbacks()[0].what, callback::kind::revoked);
    EXPECT_EQ(member.manager.state_name(), "preparing_to_leave");
    EXPECT_TRUE(member.completions.empty());
    EXPECT_TRUE(member.manager.subscribed_topics().empty());
    EXPECT_TRUE(member.view().in_group) << "the listener may still commit";
    member.answer_callback(member.callbacks()[0].id);
    EXPECT_EQ(member.order_of_facts(), (texts{"fence", "commit", "commit", "gone", "assignment"}));
    ASSERT_EQ(member.completions.size(), 1U);
    EXPECT_EQ(member.completions[0].token, token);
    EXPECT_TRUE(member.completions[0].outcome.has_value());
    ASSERT_EQ(member.heartbeats.size(), 1U);
    EXPECT_EQ(member.heartbeats[0].member_epoch, member_epoch(-1));
    EXPECT_FALSE(member.view().in_group);
    member.answer({.epoch = -1});
    EXPECT_EQ(member.manager.state_name(), "unsubscribed");
    EXPECT_FALSE(member.told_others<exchange::coordinator_needed>().back().needed);
    member.pass(1h);
    EXPECT_EQ(member.idle.waits.wake_at(), base::never);
}

TEST(membership_manager, unsubscribing_ends_with_its_deadline_even_if_the_listener_does_not_return) {
    hand_driven_member member;
    member.become_stable({0}, true);
    member.unsubscribe(2s);
    member.pass(2s);
    EXPECT_EQ(member.completions.size(), 1U);
    EXPECT_EQ(member.heartbeats.back().member_epoch, member_epoch(-1));
}

TEST(membership_manager, a_cancelled_unsubscribe_has_its_result_and_goes_on_all_the_same) {
    hand_driven_member member;
    member.become_stable({0}, true);
    const auto token = member.unsubscribe();
    member.manager.on_cancel(token, member.time());
    member.turn();
    ASSERT_EQ(member.completions.size(), 1U);
    EXPECT_EQ(member.completions[0].outcome.error(), errc::timed_out);
    member.answer_callback(member.callbacks().at(0).id);
    EXPECT_EQ(member.completions.size(), 1U);
    EXPECT_EQ(member.manager.state_name(), "leaving");
}

TEST(membership_manager, unsubscribing_what_was_not_subscribed_is_done_at_once) {
    hand_driven_member member;
    member.unsubscribe();
    EXPECT_EQ(member.completions.size(), 1U);
    EXPECT_TRUE(member.heartbeats.empty());
}

TEST(membership_manager, a_subscription_without_topics_unsubscribes) {
    hand_driven_member member;
    member.become_stable({0});
    member.subscribe(texts{});
    EXPECT_EQ(member.completions.size(), 1U);
    EXPECT_EQ(member.heartbeats.back().member_epoch, member_epoch(-1));
}

TEST(membership_manager, subscribing_again_while_it_leaves_joins_after_the_leave) {
    hand_driven_member member;
    member.become_stable({0});
    member.unsubscribe();
    member.subscribe({"audit"});
    member.enter_poll();
    ASSERT_EQ(member.heartbeats.size(), 1U);
    member.answer({.epoch = -1});
    ASSERT_EQ(member.heartbeats.size(), 2U);
    EXPECT_EQ(member.heartbeats[1].member_epoch, member_epoch(0));
    EXPECT_EQ(member.heartbeats[1].subscribed_topic_names, texts{"audit"});
}

TEST(membership_manager, assigning_by_hand_commits_leaves_and_waits_for_nobody) {
    hand_driven_member member;
    member.become_stable({0, 1}, true);
    member.commits_are_answered = false;
    member.assign_by_hand();
    EXPECT_EQ(member.order_of_facts(), (texts{"fence", "commit", "gone", "assignment"}));
    EXPECT_TRUE(member.told_others<exchange::subscription_replaced>().at(0).by_hand);
    EXPECT_TRUE(member.callbacks().empty());
    EXPECT_TRUE(member.heartbeats.empty()) << "the commit's answer precedes the leave";
    const auto commit = member.told_others<exchange::revocation_commit_wanted>().at(0);
    EXPECT_EQ(commit.leaving, orders_partitions({0, 1}));
    member.manager.on_fact(exchange::revocation_committed{commit.ticket}, member.time());
    member.turn();
    EXPECT_EQ(member.heartbeats.at(0).member_epoch, member_epoch(-1));
    EXPECT_TRUE(member.completions.empty()) << "completed by whoever owns positions";
}

TEST(membership_manager, closing_fences_calls_the_listener_and_leaves_stage_by_stage) {
    hand_driven_member member;
    member.become_stable({0, 1}, true);
    member.close(close_stage::commit);
    EXPECT_EQ(member.order_of_facts(), texts{"fence"});
    EXPECT_TRUE(member.callbacks().empty());
    EXPECT_TRUE(member.stages.empty());
    member.close(close_stage::callbacks);
    ASSERT_EQ(member.callbacks().size(), 1U);
    EXPECT_EQ(member.callbacks()[0].what, callback::kind::revoked);
    EXPECT_EQ(member.callbacks()[0].which, orders_partitions({0, 1}));
    EXPECT_TRUE(member.stages.empty());
    EXPECT_TRUE(member.view().in_group);
    member.answer_callback(member.callbacks()[0].id);
    ASSERT_EQ(member.stages.size(), 1U);
    EXPECT_EQ(member.stages[0].stage, close_stage::callbacks);
    member.close(close_stage::commit_more);
    EXPECT_TRUE(member.heartbeats.empty());
    member.close(close_stage::leave);
    ASSERT_EQ(member.heartbeats.size(), 1U);
    heartbeat expected;
    expected.group_id = "billing";
    expected.member_id = member.view().member_id;
    expected.member_epoch = member_epoch(-1);
    EXPECT_EQ(member.heartbeats[0], expected);
    EXPECT_EQ(member.stages.size(), 1U) << "until the group has let it go";
    EXPECT_EQ(member.idle.why, exchange::because(wait_reason::leave_answer, member.sent->id.value()));
    member.answer({.epoch = -1});
    EXPECT_EQ(undone_of_leave(member), "");
    EXPECT_FALSE(member.told_others<exchange::coordinator_needed>().back().needed);
    EXPECT_EQ(member.told_others<exchange::assignment_changed>().at(0).removed, orders_partitions({0, 1}));
}

TEST(membership_manager, each_stage_of_close_is_finished_once_and_at_once_when_there_is_nothing_to_do) {
    hand_driven_member member;
    member.close(close_stage::commit);
    member.close(close_stage::callbacks);
    member.turn();
    member.close(close_stage::leave);
    member.turn();
    ASSERT_EQ(member.stages.size(), 2U);
    EXPECT_EQ(member.stages[0].stage, close_stage::callbacks);
    EXPECT_EQ(member.stages[1].stage, close_stage::leave);
    EXPECT_TRUE(member.heartbeats.empty());
}

// tickets: KAFKA-16639 (D4)
TEST(membership_manager, leaves_on_close_with_a_heartbeat_in_flight_or_lost) {
    for (const bool lost : {false, true}) {
        hand_driven_member member;
        member.become_stable({0});
        member.pass(heartbeat_interval);
        ASSERT_EQ(member.heartbeats.size(), 1U);
        const auto in_flight = *member.sent;
        if (lost) member.fail(request_failure::kind::expired);
        close_until_leave(member);
        ASSERT_EQ(member.heartbeats.size(), 2U);
        EXPECT_EQ(member.heartbeats[1].member_epoch, member_epoch(-1));
        heartbeat_answer late;
        late.member_epoch = member_epoch(5);
        member.manager.on_response(answer_to(in_flight, late), member.time());
        member.turn();
        EXPECT_FALSE(member.view().in_group);
    }
}

// tickets: KAFKA-16639 (D4)
TEST(membership_manager, leaves_on_close_while_its_join_is_in_flight) {
    hand_driven_member member;
    member.subscribe({"orders"});
    member.enter_poll();
    close_until_leave(member);
    ASSERT_EQ(member.heartbeats.size(), 2U);
    EXPECT_EQ(member.heartbeats[1].member_epoch, member_epoch(-1));
}

// tickets: KAFKA-16985 (D5) B81
TEST(membership_manager, leaves_on_close_without_any_time_left) {
    hand_driven_member member;
    member.become_stable({0}, true);
    for (const auto stage :
         {close_stage::commit, close_stage::callbacks, close_stage::commit_more, close_stage::leave}) {
        member.close(stage, 0s);
    }
    ASSERT_EQ(member.heartbeats.size(), 1U);
    EXPECT_EQ(member.heartbeats[0].member_epoch, member_epoch(-1));
    EXPECT_EQ(member.callbacks().size(), 1U);
}

// tickets: KAFKA-16933 (D6) B94
TEST(membership_manager, leaves_on_close_after_a_listener_that_threw) {
    hand_driven_member member;
    member.become_stable({0}, true);
    member.close(close_stage::commit);
    member.close(close_stage::callbacks);
    member.answer_callback(member.callbacks().at(0).id, error(errc::callback_failed, "boom"));
    member.close(close_stage::leave);
    EXPECT_EQ(member.heartbeats.at(0).member_epoch, member_epoch(-1));
}

TEST(membership_manager, the_listener_gives_up_each_partition_once_though_close_meets_a_revocation) {
    hand_driven_member member;
    member.become_stable({0, 1}, true);
    member.pass(heartbeat_interval);
    member.answer({.epoch = 2, .target = {{{orders, {1}}}}});
    const auto first = member.callbacks().at(0);
    member.close(close_stage::commit);
    member.close(close_stage::callbacks);
    ASSERT_EQ(member.callbacks().size(), 2U);
    EXPECT_EQ(member.callbacks()[1].which, orders_partitions({1}));
    member.answer_callback(first.id);
    EXPECT_TRUE(member.stages.empty());
    member.answer_callback(member.callbacks()[1].id);
    EXPECT_EQ(member.stages.size(), 1U);
}

TEST(membership_manager, a_static_member_steps_aside_unless_it_is_to_leave_for_good) {
    for (const auto& [option, epoch] :
         {std::pair{leave_option::by_default, -2}, std::pair{leave_option::leave_group, -1},
          std::pair{leave_option::remain_in_group, -2}}) {
        auto config = of_group_billing();
        config.group_instance_id = "till-7";
        hand_driven_member member(config);
        member.become_stable({0});
        close_until_leave(member, option);
        ASSERT_EQ(member.heartbeats.size(), 1U);
        EXPECT_EQ(member.heartbeats[0].member_epoch, member_epoch(epoch));
        EXPECT_EQ(member.heartbeats[0].instance_id, "till-7");
    }
}

TEST(membership_manager, a_member_that_is_to_remain_says_no_goodbye) {
    hand_driven_member member;
    member.become_stable({0});
    close_until_leave(member, leave_option::remain_in_group);
    EXPECT_TRUE(member.heartbeats.empty());
    EXPECT_EQ(undone_of_leave(member), "");
}

TEST(membership_manager, a_leave_is_not_waited_for_when_the_coordinator_cannot_be_reached) {
    hand_driven_member member;
    member.become_stable({0});
    member.by_hand.set(coordinator_broker, connection_role::group, readiness::state::backing_off);
    close_until_leave(member);
    EXPECT_TRUE(member.heartbeats.empty());
    EXPECT_EQ(undone_of_leave(member), "leave of group billing: the coordinator cannot be reached");
}

// tickets: KAFKA-18569 (D1)
TEST(membership_manager, a_leave_waits_for_discovery_only_while_a_broker_can_be_asked) {
    hand_driven_member member;
    member.become_stable({0});
    constexpr protocol::broker_id other{5};
    member.by_hand.coordinator.change().broker = protocol::no_broker;
    member.by_hand.connections.any = other;
    member.by_hand.set(other, connection_role::control, readiness::state::ready);
    close_until_leave(member);
    EXPECT_FALSE(undone_of_leave(member).has_value());
    EXPECT_EQ(member.idle.why, exchange::because(wait_reason::coordinator_unknown));
    member.by_hand.set(other, connection_role::control, readiness::state::backing_off);
    member.turn();
    EXPECT_EQ(undone_of_leave(member), "leave of group billing: the coordinator is not known");
}

TEST(membership_manager, a_leave_that_is_not_answered_ends_with_its_stage_and_is_not_tried_again) {
    hand_driven_member member;
    member.become_stable({0});
    close_until_leave(member);
    member.pass(1s);
    EXPECT_EQ(undone_of_leave(member), "leave of group billing: not answered in time");
    EXPECT_EQ(member.heartbeats.size(), 1U);
}

TEST(membership_manager, a_leave_that_was_sent_needs_no_coordinator_any_more) {
    hand_driven_member member;
    member.become_stable({0});
    close_until_leave(member);
    ASSERT_EQ(member.heartbeats.back().member_epoch, member_epoch(-1));
    member.turn();
    EXPECT_FALSE(member.told_others<exchange::coordinator_needed>().back().needed);
    EXPECT_EQ(member.manager.state_name(), "leaving") << "its answer is still awaited";
}

TEST(membership_manager, a_leave_that_is_refused_is_said_and_not_tried_again) {
    hand_driven_member member;
    member.become_stable({0});
    close_until_leave(member);
    member.refuse(broker_error::not_coordinator);
    EXPECT_EQ(undone_of_leave(member), "leave of group billing: NOT_COORDINATOR(16)");
    EXPECT_EQ(member.heartbeats.size(), 1U);
}

TEST(membership_manager, a_member_that_is_fenced_while_it_closes_does_not_come_back) {
    hand_driven_member member;
    member.become_stable({0});
    member.pass(heartbeat_interval);
    member.close(close_stage::commit);
    member.refuse(broker_error::fenced_member_epoch);
    EXPECT_EQ(member.manager.state_name(), "unsubscribed");
    member.close(close_stage::leave);
    EXPECT_EQ(member.heartbeats.size(), 1U);
    EXPECT_EQ(undone_of_leave(member), "");
}

TEST(membership_manager, heartbeats_go_on_during_the_stages_before_the_leave) {
    hand_driven_member member;
    member.become_stable({0}, true);
    member.close(close_stage::commit, 60s);
    member.pass(heartbeat_interval);
    EXPECT_EQ(member.heartbeats.size(), 1U);
    member.answer({.epoch = 2, .target = {{{orders, {0, 1}}}}});
    EXPECT_EQ(member.order_of_facts(), texts{"fence"}) << "nothing new is taken";
    member.close(close_stage::callbacks, 60s);
    member.pass(heartbeat_interval);
    EXPECT_EQ(member.heartbeats.size(), 2U);
}

}  // namespace
}  // namespace strandline::core::group::consumer
