// Joining, and when a member heartbeats.
#include "core/group/consumer/hand_driven_member.hpp"

namespace strandline::core::group::consumer {
namespace {

// tickets: KAFKA-20426 (A2)
TEST(membership_manager, an_unsubscribed_consumer_with_a_group_needs_nothing_and_sets_no_timer) {
    hand_driven_member member;
    member.assign_by_hand();
    member.leave_poll();
    member.pass(1h);
    EXPECT_TRUE(member.heartbeats.empty());
    EXPECT_EQ(member.idle.waits.wake_at(), base::never);
    EXPECT_TRUE(member.told_others<exchange::coordinator_needed>().empty());
    EXPECT_FALSE(member.manager.checkpoint_wanted());
}

TEST(membership_manager, joins_at_the_first_poll_after_subscribe) {
    hand_driven_member member;
    member.subscribe({"orders"});
    EXPECT_TRUE(member.heartbeats.empty());
    EXPECT_TRUE(member.manager.checkpoint_wanted());
    EXPECT_EQ(member.idle.why, exchange::because(wait_reason::poll_to_join));
    EXPECT_EQ(member.idle.waits.wake_at(), base::never);
    ASSERT_EQ(member.completions.size(), 1U);
    EXPECT_TRUE(member.completions[0].outcome.has_value());
    member.enter_poll();
    EXPECT_EQ(member.manager.state_name(), "joining");
    EXPECT_EQ(member.heartbeats.size(), 1U);
    EXPECT_FALSE(member.manager.checkpoint_wanted());
    const auto needs = member.told_others<exchange::coordinator_needed>();
    ASSERT_EQ(needs.size(), 1U);
    EXPECT_TRUE(needs[0].needed);
}

TEST(membership_manager, a_poll_that_ended_before_subscribe_does_not_make_it_join) {
    hand_driven_member member;
    member.leave_poll();
    member.pass(1s);
    member.subscribe({"orders"});
    member.manager.on_checkpoint({.changed = {}, .last_poll = member.now - 1s, .inside_poll = false}, member.time());
    member.turn();
    EXPECT_TRUE(member.heartbeats.empty());
    member.enter_poll();
    EXPECT_EQ(member.heartbeats.size(), 1U);
}

const decltype(told::target)::value_type nothing;

// A broker of 4.3 and newer may answer a join before it has assigned anew (KIP-1263).
TEST(membership_manager, nothing_assigned_is_told_to_the_listener_once_it_was_told_twice) {
    hand_driven_member member;
    member.subscribe({"orders"}, true);
    member.enter_poll();
    member.answer({.epoch = 1, .target = nothing});
    EXPECT_TRUE(member.callbacks().empty());
    EXPECT_EQ(member.idle.waits.wake_at(), member.now + 1200ms) << "sooner than the next heartbeat would be";
    member.pass(1200ms);
    ASSERT_EQ(member.heartbeats.size(), 2U);
    member.answer({.epoch = 1});
    ASSERT_EQ(member.callbacks().size(), 1U);
    EXPECT_EQ(member.callbacks()[0].what, callback::kind::assigned);
    EXPECT_TRUE(member.callbacks()[0].which.empty());
    member.answer_callback(member.callbacks()[0].id);
    member.pass(heartbeat_interval);
    member.answer({.epoch = 1});
    EXPECT_EQ(member.callbacks().size(), 1U) << "once";
}

TEST(membership_manager, nothing_assigned_is_not_believed_because_a_heartbeat_came_early) {
    hand_driven_member member;
    member.subscribe({"orders"}, true);
    member.enter_poll();
    member.answer({.epoch = 1, .target = nothing});
    member.pass(1199ms);
    member.subscribe({"orders", "audit"}, true);
    ASSERT_EQ(member.heartbeats.size(), 2U) << "it is told of the subscription at once";
    member.answer({.epoch = 1});
    EXPECT_TRUE(member.callbacks().empty());
    member.pass(1ms);
    ASSERT_EQ(member.heartbeats.size(), 3U);
    member.answer({.epoch = 1});
    EXPECT_EQ(member.callbacks().size(), 1U);
}

TEST(membership_manager, what_is_assigned_a_moment_after_joining_is_the_first_assignment) {
    hand_driven_member member;
    member.subscribe({"orders"}, true);
    member.enter_poll();
    member.answer({.epoch = 1, .target = nothing});
    member.pass(1200ms);
    member.answer({.epoch = 2, .target = {{{orders, {0}}}}});
    ASSERT_EQ(member.callbacks().size(), 1U);
    EXPECT_EQ(member.callbacks()[0].which, orders_partitions({0}));
}

// tickets: (F6) B32 M14
TEST(membership_manager, the_first_heartbeat_says_everything_and_owns_nothing) {
    auto config = of_group_billing();
    config.group_instance_id = "till-7";
    config.client_rack = "a";
    config.group_remote_assignor = "range";
    hand_driven_member member(config);
    member.subscribe({"orders", "audit"});
    member.enter_poll();
    ASSERT_EQ(member.heartbeats.size(), 1U);
    const auto& said = member.heartbeats[0];
    EXPECT_EQ(said.group_id, "billing");
    EXPECT_EQ(said.member_id.size(), 22U);
    EXPECT_EQ(said.member_epoch, member_epoch(0));
    EXPECT_EQ(said.instance_id, "till-7");
    EXPECT_EQ(said.rack_id, "a");
    EXPECT_EQ(said.rebalance_timeout_ms, 60'000);
    EXPECT_EQ(said.subscribed_topic_names, (texts{"audit", "orders"}));
    EXPECT_FALSE(said.subscribed_topic_regex.has_value());
    EXPECT_EQ(said.server_assignor, "range");
    EXPECT_EQ(owned_in(said), numbers{});
    EXPECT_EQ(member.sent->role, connection_role::group);
    EXPECT_EQ(member.sent->version, 1);
}

TEST(membership_manager, a_later_heartbeat_says_only_who_it_is) {
    auto config = of_group_billing();
    config.group_instance_id = "till-7";
    hand_driven_member member(config);
    member.become_stable();
    member.pass(heartbeat_interval);
    ASSERT_EQ(member.heartbeats.size(), 1U);
    heartbeat expected;
    expected.group_id = "billing";
    expected.member_id = member.view().member_id;
    expected.member_epoch = member_epoch(1);
    expected.instance_id = "till-7";
    EXPECT_EQ(member.heartbeats[0], expected);
}

TEST(membership_manager, older_brokers_make_the_members_id) {
    hand_driven_member member;
    member.by_hand.connections.newest_versions[heartbeat::key] = 0;
    member.subscribe({"orders"});
    member.enter_poll();
    EXPECT_EQ(member.heartbeats.at(0).member_id, "");
    heartbeat_answer body;
    body.member_id = "made-by-the-broker";
    body.member_epoch = member_epoch(1);
    body.heartbeat_interval_ms = 3000;
    member.answer(body);
    EXPECT_EQ(member.view().member_id, "made-by-the-broker");
    member.pass(heartbeat_interval);
    EXPECT_EQ(member.heartbeats.back().member_id, "made-by-the-broker");
}

// tickets: KAFKA-16285 (C8)
TEST(membership_manager, member_id_and_epoch_become_known_together) {
    hand_driven_member member;
    member.subscribe({"orders"});
    member.enter_poll();
    EXPECT_FALSE(member.view().in_group);
    member.answer({.epoch = 7});
    EXPECT_TRUE(member.view().in_group);
    EXPECT_EQ(member.view().epoch, member_epoch(7));
    EXPECT_EQ(member.view().member_id, member.heartbeats[0].member_id);
    EXPECT_EQ(member.view().incarnation, 1U);
    EXPECT_EQ(member.manager.state_name(), "stable");
}

TEST(membership_manager, heartbeats_at_the_interval_that_the_broker_sets) {
    hand_driven_member member;
    member.become_stable();
    EXPECT_EQ(member.idle.waits.wake_at(), member.now + heartbeat_interval);
    EXPECT_EQ(member.idle.why, exchange::because(wait_reason::heartbeat_interval));
    member.pass(heartbeat_interval - 1ms);
    EXPECT_TRUE(member.heartbeats.empty());
    member.pass(1ms);
    EXPECT_EQ(member.heartbeats.size(), 1U);
}

// tickets: KAFKA-21031 (A5)
TEST(membership_manager, one_heartbeat_is_in_flight_and_a_timer_that_is_due_meanwhile_makes_nobody_run) {
    hand_driven_member member;
    member.become_stable();
    member.pass(heartbeat_interval);
    member.pass(heartbeat_interval * 2);
    EXPECT_EQ(member.heartbeats.size(), 1U);
    EXPECT_EQ(member.idle.waits.wake_at(), member.sent->expires_at);
    member.answer({.epoch = 1});
    EXPECT_EQ(member.heartbeats.size(), 2U) << "it was due long ago";
}

// tickets: KAFKA-20253 (A1) KAFKA-21010 (A4) M4
TEST(membership_manager, waits_for_the_coordinator_without_a_timer_while_it_is_unknown) {
    hand_driven_member member;
    member.by_hand.coordinator.change().broker = protocol::no_broker;
    member.subscribe({"orders"});
    member.enter_poll();
    EXPECT_TRUE(member.heartbeats.empty());
    EXPECT_EQ(member.idle.why, exchange::because(wait_reason::coordinator_unknown));
    EXPECT_EQ(member.idle.waits.wake_at(), member.now + 60s) << "the poll interval alone";
}

// tickets: KAFKA-5263 (A10)
TEST(membership_manager, asks_for_a_connection_of_its_own_to_the_coordinator) {
    hand_driven_member member;
    member.by_hand.set(coordinator_broker, connection_role::group, readiness::state::unknown);
    member.subscribe({"orders"});
    member.enter_poll();
    ASSERT_EQ(member.wanted.size(), 1U);
    EXPECT_EQ(member.wanted[0].broker, coordinator_broker);
    EXPECT_EQ(member.wanted[0].role, connection_role::group);
    EXPECT_TRUE(member.heartbeats.empty());
    member.by_hand.set(coordinator_broker, connection_role::group, readiness::state::ready);
    member.turn();
    EXPECT_EQ(member.heartbeats.size(), 1U);
}

TEST(membership_manager, heeds_that_the_coordinator_throttles_and_passes_it_on) {
    hand_driven_member member;
    member.become_stable();
    member.pass(heartbeat_interval);
    heartbeat_answer body;
    body.member_epoch = member_epoch(1);
    body.heartbeat_interval_ms = 3000;
    body.throttle_time_ms = 10'000;
    member.answer(body);
    const auto passed_on = member.told_others<exchange::broker_throttled>();
    ASSERT_EQ(passed_on.size(), 1U);
    EXPECT_EQ(passed_on[0].role, connection_role::group);
    member.by_hand.connections.quiet_until = passed_on[0].until;
    member.by_hand.connections_view.change();
    member.pass(heartbeat_interval);
    EXPECT_EQ(member.heartbeats.size(), 1U);
    EXPECT_EQ(member.idle.waits.wake_at(), passed_on[0].until);
}

TEST(membership_manager, a_heartbeat_without_an_answer_makes_the_next_one_say_everything_owned_partitions_included) {
    for (const auto how : {request_failure::kind::expired, request_failure::kind::disconnected,
                           request_failure::kind::not_ready, request_failure::kind::malformed}) {
        hand_driven_member member;
        member.become_stable({0, 1});
        member.pass(heartbeat_interval);
        member.forget();
        member.fail(how);
        EXPECT_TRUE(member.heartbeats.empty()) << "after a back-off";
        EXPECT_EQ(member.manager.state_name(), "stable");
        member.pass(1s);
        ASSERT_EQ(member.heartbeats.size(), 1U);
        EXPECT_EQ(member.heartbeats[0].member_epoch, member_epoch(1));
        EXPECT_EQ(member.heartbeats[0].rebalance_timeout_ms, 60'000);
        EXPECT_EQ(member.heartbeats[0].subscribed_topic_names, texts{"orders"});
        EXPECT_EQ(owned_in(member.heartbeats[0]), (numbers{0, 1}));
        EXPECT_EQ(member.told_others<exchange::coordinator_lost>().size(),
                  how == request_failure::kind::disconnected ? 1U : 0U);
    }
}

// tickets: B29
TEST(membership_manager, goes_on_with_another_coordinator_at_once_and_tells_it_everything) {
    for (const auto why : {broker_error::not_coordinator, broker_error::coordinator_not_available}) {
        hand_driven_member member;
        member.become_stable();
        member.pass(heartbeat_interval);
        member.forget();
        member.refuse(why);
        const auto losses = member.told_others<exchange::coordinator_lost>();
        ASSERT_EQ(losses.size(), 1U);
        EXPECT_EQ(losses[0].version, 1U);
        constexpr protocol::broker_id other{2};
        member.by_hand.set(other, connection_role::group, readiness::state::ready);
        member.by_hand.coordinator.change() = {.broker = other, .version = 2, .refusal = {}};
        member.heartbeats.clear();
        member.turn();
        ASSERT_EQ(member.heartbeats.size(), 1U);
        EXPECT_EQ(member.sent->broker, other);
        EXPECT_EQ(owned_in(member.heartbeats[0]), (numbers{0, 1}));
        EXPECT_EQ(member.heartbeats[0].member_epoch, member_epoch(1)) << "the same member, without a rebalance";
    }
}

TEST(membership_manager, does_not_wait_for_the_answer_of_a_broker_that_coordinates_no_longer) {
    hand_driven_member member;
    member.become_stable();
    member.pass(heartbeat_interval);
    const auto late = *member.sent;
    constexpr protocol::broker_id other{2};
    member.by_hand.set(other, connection_role::group, readiness::state::ready);
    member.by_hand.coordinator.change() = {.broker = other, .version = 2, .refusal = {}};
    member.turn();
    ASSERT_EQ(member.heartbeats.size(), 2U);
    EXPECT_EQ(owned_in(member.heartbeats[1]), (numbers{0, 1}));
    heartbeat_answer body;
    body.error_code = broker_error::unknown_member_id;
    member.manager.on_response(answer_to(late, body), member.time());
    EXPECT_EQ(member.manager.state_name(), "stable");
}

TEST(membership_manager, backs_off_while_the_coordinator_is_loading) {
    hand_driven_member member;
    member.become_stable();
    member.pass(heartbeat_interval);
    member.forget();
    member.refuse(broker_error::coordinator_load_in_progress);
    EXPECT_TRUE(member.heartbeats.empty());
    EXPECT_EQ(member.idle.why, backing_off_after(broker_error::coordinator_load_in_progress));
    EXPECT_TRUE(member.told_others<exchange::coordinator_lost>().empty());
    member.now = member.idle.waits.wake_at();
    member.turn();
    EXPECT_EQ(member.heartbeats.size(), 1U);
}

// tickets: KAFKA-18813 B77
TEST(membership_manager, a_topic_it_may_not_read_is_told_once_for_each_poll_and_changes_nothing) {
    hand_driven_member member;
    member.become_stable();
    member.pass(heartbeat_interval);
    member.forget();
    member.refuse(broker_error::topic_authorization_failed, "orders");
    for (int again = 0; again < 3; ++again) {
        member.pass(2s);
        member.refuse(broker_error::topic_authorization_failed, "orders");
    }
    ASSERT_EQ(member.errors().size(), 1U);
    EXPECT_EQ(member.errors()[0].code().value(), 29);
    EXPECT_NE(member.errors()[0].message().find("orders"), std::string::npos);
    EXPECT_EQ(member.manager.state_name(), "stable");
    member.leave_poll();
    member.pass(2s);
    member.refuse(broker_error::topic_authorization_failed, "orders");
    EXPECT_EQ(member.errors().size(), 2U);
    EXPECT_EQ(owned_in(member.heartbeats.back()), (numbers{0, 1}));
}

TEST(membership_manager, a_broker_without_the_protocol_ends_the_membership_with_a_typed_error) {
    hand_driven_member member;
    member.by_hand.connections.newest_versions.clear();
    member.subscribe({"orders"});
    member.enter_poll();
    const auto fatal = member.told_others<exchange::fatal_error>();
    ASSERT_EQ(fatal.size(), 1U);
    EXPECT_EQ(fatal[0].reason, errc::unsupported_version);
    EXPECT_EQ(member.manager.state_name(), "fatal");
    EXPECT_TRUE(member.heartbeats.empty());
}

}  // namespace
}  // namespace strandline::core::group::consumer
