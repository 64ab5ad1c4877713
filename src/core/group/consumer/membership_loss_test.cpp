// A member that the group forgot, that did not poll, or that was refused.
#include "core/group/consumer/hand_driven_member.hpp"

namespace strandline::core::group::consumer {
namespace {

// tickets: KAFKA-16251 (F2)
TEST(membership_manager, a_fenced_member_loses_its_partitions_and_joins_again_at_once) {
    for (const auto why : {broker_error::fenced_member_epoch, broker_error::unknown_member_id}) {
        hand_driven_member member;
        member.become_stable({0, 1}, true);
        const auto id = member.view().member_id;
        member.pass(heartbeat_interval);
        member.forget();
        member.refuse(why);
        EXPECT_EQ(member.order_of_facts(), (texts{"gone", "assignment"})) << "no commit of what is lost";
        EXPECT_TRUE(member.told_others<exchange::partitions_gone>().at(0).lost);
        EXPECT_TRUE(member.told_others<exchange::assignment_changed>().at(0).lost);
        ASSERT_EQ(member.callbacks().size(), 1U);
        EXPECT_EQ(member.callbacks()[0].what, callback::kind::lost);
        EXPECT_EQ(member.callbacks()[0].which, orders_partitions({0, 1}));
        EXPECT_EQ(member.manager.state_name(), "joining") << "not after the listener";
        EXPECT_FALSE(member.view().in_group);
        ASSERT_EQ(member.heartbeats.size(), 1U);
        EXPECT_EQ(member.heartbeats[0].member_epoch, member_epoch(0));
        EXPECT_EQ(member.heartbeats[0].member_id, id);
        EXPECT_EQ(member.heartbeats[0].subscribed_topic_names, texts{"orders"});
        EXPECT_EQ(member.heartbeats[0].rebalance_timeout_ms, 60'000);
        EXPECT_EQ(owned_in(member.heartbeats[0]), numbers{});
        member.answer({.epoch = 9});
        EXPECT_EQ(member.view().incarnation, 2U);
    }
}

TEST(membership_manager, a_member_that_is_turned_away_while_joining_backs_off) {
    hand_driven_member member;
    member.subscribe({"orders"});
    member.enter_poll();
    member.forget();
    member.refuse(broker_error::unknown_member_id);
    EXPECT_TRUE(member.heartbeats.empty());
    EXPECT_EQ(member.idle.why, backing_off_after(broker_error::unknown_member_id));
    member.pass(1s);
    EXPECT_EQ(member.heartbeats.size(), 1U);
}

// tickets: KAFKA-8104 (F3)
TEST(membership_manager, is_fenced_by_what_a_commit_learns_if_it_was_of_this_membership) {
    hand_driven_member member;
    member.become_stable({0});
    member.manager.on_fact(exchange::member_fenced{member_epoch(4), broker_error::unknown_member_id}, member.time());
    member.turn();
    EXPECT_EQ(member.manager.state_name(), "stable");
    member.manager.on_fact(exchange::member_fenced{member_epoch(1), broker_error::unknown_member_id}, member.time());
    member.turn();
    EXPECT_EQ(member.manager.state_name(), "joining");
    EXPECT_TRUE(member.told_others<exchange::partitions_gone>().at(0).lost);
}

// tickets: (F7) B33
TEST(membership_manager, lost_dominates_revoked) {
    hand_driven_member member;
    member.become_stable({0, 1}, true);
    member.pass(heartbeat_interval);
    member.answer({.epoch = 2, .target = {{{orders, {1}}}}});
    const auto revoked = member.callbacks().at(0);
    member.pass(heartbeat_interval);
    member.forget();
    member.refuse(broker_error::fenced_member_epoch);
    ASSERT_EQ(member.callbacks().size(), 1U);
    const auto lost = member.callbacks()[0];
    EXPECT_EQ(lost.what, callback::kind::lost);
    EXPECT_EQ(lost.supersedes, revoked.id);
    EXPECT_EQ(lost.which, orders_partitions({1}));
    EXPECT_TRUE(member.told_others<exchange::revocation_commit_wanted>().empty());
    EXPECT_EQ(member.told_others<exchange::partitions_gone>().at(0).which.size(), 2U);
    // The revoked-callback may have begun already; its end changes nothing any more.
    member.answer_callback(revoked.id);
    member.answer_callback(lost.id);
    EXPECT_TRUE(member.told_others<exchange::revocation_commit_wanted>().empty());
}

TEST(membership_manager, an_assigned_callback_that_ends_after_its_partitions_were_lost_vouches_for_nothing) {
    hand_driven_member member;
    member.subscribe({"orders"}, true);
    member.enter_poll();
    member.answer({.epoch = 1, .target = {{{orders, {0}}}}});
    const auto first = member.callbacks().at(0);
    member.refuse(broker_error::unknown_member_id);
    member.answer({.epoch = 2, .target = {{{orders, {0}}}}});
    const auto second = member.callbacks().back();
    ASSERT_EQ(second.what, callback::kind::assigned);
    member.answer_callback(first.id);
    EXPECT_TRUE(member.told_others<exchange::callback_acknowledged>().empty());
    member.answer_callback(second.id);
    EXPECT_EQ(member.told_others<exchange::callback_acknowledged>().size(), 1U);
}

// tickets: KAFKA-15818 (F1) M14
TEST(membership_manager, a_member_whose_application_does_not_poll_leaves_loses_its_partitions_and_says_so) {
    hand_driven_member member;
    member.become_stable({0, 1}, true);
    member.leave_poll();
    const auto expires = member.now + 60s;
    while (member.now < expires) {
        member.now = std::min(member.idle.waits.wake_at(), expires);
        member.forget();
        member.turn();
        if (member.now < expires && !member.heartbeats.empty()) member.answer({.epoch = 1});
    }
    ASSERT_EQ(member.errors().size(), 1U);
    EXPECT_EQ(member.errors()[0], errc::max_poll_exceeded);
    EXPECT_TRUE(member.errors()[0].retriable()) << "the next poll joins again";
    ASSERT_EQ(member.callbacks().size(), 1U);
    const auto lost = member.callbacks()[0];
    EXPECT_EQ(lost.what, callback::kind::lost);
    EXPECT_TRUE(std::holds_alternative<callback>(member.notices[0]))
        << "the listener hears of it before the poll fails";
    EXPECT_TRUE(member.told_others<exchange::partitions_gone>().at(0).lost);
    ASSERT_EQ(member.heartbeats.size(), 1U);
    EXPECT_EQ(member.heartbeats[0].member_epoch, member_epoch(-1));
    EXPECT_EQ(member.manager.state_name(), "leaving");

    member.answer({.epoch = -1});
    EXPECT_EQ(member.manager.state_name(), "stale");
    EXPECT_TRUE(member.manager.checkpoint_wanted());
    EXPECT_EQ(member.idle.waits.wake_at(), base::never);
    member.heartbeats.clear();
    member.enter_poll();
    EXPECT_TRUE(member.heartbeats.empty()) << "leave, listener, join: in this order";
    member.answer_callback(lost.id);
    ASSERT_EQ(member.heartbeats.size(), 1U);
    EXPECT_EQ(member.heartbeats[0].member_epoch, member_epoch(0));
    EXPECT_EQ(owned_in(member.heartbeats[0]), numbers{});
    EXPECT_EQ(member.heartbeats[0].subscribed_topic_names, texts{"orders"});
}

TEST(membership_manager, the_listener_may_hear_of_the_loss_before_the_leave_has_its_answer) {
    hand_driven_member member;
    member.become_stable({0}, true);
    member.leave_poll();
    member.pass(60s);
    const auto lost = member.callbacks().at(0);
    member.enter_poll();
    member.answer_callback(lost.id);
    EXPECT_EQ(member.manager.state_name(), "leaving");
    EXPECT_EQ(member.heartbeats.back().member_epoch, member_epoch(-1));
    member.answer({.epoch = -1});
    EXPECT_EQ(member.manager.state_name(), "joining");
    EXPECT_EQ(member.heartbeats.back().member_epoch, member_epoch(0));
}

TEST(membership_manager, a_stale_member_goes_on_even_if_its_leave_has_no_answer) {
    hand_driven_member member;
    member.become_stable({0});
    member.leave_poll();
    member.pass(60s);
    member.fail(request_failure::kind::disconnected);
    EXPECT_EQ(member.manager.state_name(), "stale");
    member.heartbeats.clear();
    member.enter_poll();
    EXPECT_EQ(member.manager.state_name(), "joining");
    EXPECT_EQ(member.heartbeats.size(), 1U);
}

// tickets: KAFKA-16026 (F1)
TEST(membership_manager, a_thread_inside_poll_keeps_the_member_alive_for_ever) {
    hand_driven_member member;
    member.become_stable({0});
    member.enter_poll();
    for (int minutes = 0; minutes < 10; ++minutes) {
        member.pass(60s);
        member.answer({.epoch = 1});
    }
    EXPECT_EQ(member.manager.state_name(), "stable");
    EXPECT_TRUE(member.errors().empty());
}

TEST(membership_manager, the_poll_that_arrives_in_the_turn_of_the_deadline_counts) {
    hand_driven_member member;
    member.become_stable({0});
    member.leave_poll();
    member.now += 60s;
    // A heartbeat's answer is applied first, the checkpoint later in the same turn.
    member.manager.on_fact(exchange::topics_changed{}, member.time());
    member.manager.on_checkpoint({.changed = {}, .last_poll = member.now - 1s, .inside_poll = false}, member.time());
    member.turn();
    EXPECT_TRUE(member.errors().empty());
    EXPECT_EQ(member.manager.state_name(), "stable");
}

TEST(membership_manager, time_in_a_callback_counts_against_the_poll_interval) {
    hand_driven_member member;
    member.become_stable({0, 1}, true);
    member.enter_poll();
    member.pass(heartbeat_interval);
    member.answer({.epoch = 2, .target = {{{orders, {1}}}}});
    // The callback runs: the thread is not inside poll any more.
    member.leave_poll();
    member.forget();
    member.pass(60s);
    ASSERT_EQ(member.errors().size(), 1U);
    EXPECT_EQ(member.errors()[0], errc::max_poll_exceeded);
    EXPECT_EQ(member.callbacks().at(0).what, callback::kind::lost);
}

TEST(membership_manager, a_refusal_for_good_is_fatal_and_nothing_more_is_sent) {
    for (const auto why : {broker_error::unreleased_instance_id, broker_error::fenced_instance_id,
                           broker_error::group_authorization_failed, broker_error::group_id_not_found,
                           broker_error::unsupported_assignor, broker_error::group_max_size_reached}) {
        hand_driven_member member;
        member.become_stable({0}, true);
        member.pass(heartbeat_interval);
        member.forget();
        member.refuse(why, "because");
        EXPECT_EQ(member.manager.state_name(), "fatal");
        const auto fatal = member.told_others<exchange::fatal_error>();
        ASSERT_EQ(fatal.size(), 1U);
        EXPECT_EQ(fatal[0].reason, errc::fatal_group_error);
        EXPECT_TRUE(fatal[0].reason.fatal());
        EXPECT_NE(fatal[0].reason.message().find("because"), std::string::npos);
        EXPECT_EQ(member.callbacks().at(0).what, callback::kind::lost);
        EXPECT_TRUE(member.view().fatal);
        EXPECT_FALSE(member.view().in_group);
        member.enter_poll();
        member.pass(1h);
        EXPECT_TRUE(member.heartbeats.empty());
        EXPECT_EQ(member.idle.waits.wake_at(), base::never);
        EXPECT_FALSE(member.told_others<exchange::coordinator_needed>().back().needed);
        member.subscribe({"audit"});
        EXPECT_EQ(member.completions.back().outcome.error(), errc::fatal_group_error);
    }
}

TEST(membership_manager, ends_when_no_coordinator_will_ever_be_told) {
    hand_driven_member member;
    member.by_hand.coordinator.change() = {};
    member.subscribe({"orders"});
    member.enter_poll();
    member.by_hand.coordinator.change().refusal = error(errc::fatal_group_error, "no access");
    member.turn();
    EXPECT_EQ(member.manager.state_name(), "fatal");
    EXPECT_TRUE(member.told_others<exchange::fatal_error>().empty()) << "who was refused has said so";
}

}  // namespace
}  // namespace strandline::core::group::consumer
