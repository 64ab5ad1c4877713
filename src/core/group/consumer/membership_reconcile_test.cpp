// From what is owned to what is assigned.
#include "core/group/consumer/hand_driven_member.hpp"

namespace strandline::core::group::consumer {
namespace {

TEST(membership_manager, takes_what_it_is_assigned_and_acknowledges_it_at_once) {
    hand_driven_member member;
    member.subscribe({"orders"});
    member.enter_poll();
    member.forget();
    member.answer({.epoch = 1, .target = {{{orders, {0, 1}}}}});
    const auto changes = member.told_others<exchange::assignment_changed>();
    ASSERT_EQ(changes.size(), 1U);
    ASSERT_EQ(changes[0].added.size(), 2U);
    EXPECT_EQ(changes[0].added[0]->name, (topic_partition{"orders", 0}));
    EXPECT_EQ(changes[0].added[0]->topic_id, orders);
    EXPECT_FALSE(changes[0].callback_pending);
    EXPECT_EQ(member.manager.state_name(), "acknowledging");
    ASSERT_EQ(member.heartbeats.size(), 1U);
    EXPECT_EQ(owned_in(member.heartbeats[0]), (numbers{0, 1}));
    EXPECT_FALSE(member.heartbeats[0].subscribed_topic_names.has_value());
    member.answer({.epoch = 1});
    EXPECT_EQ(member.manager.state_name(), "stable");
    EXPECT_EQ(member.heartbeats.size(), 1U);
}

// tickets: KAFKA-16107 (C6)
TEST(membership_manager, the_assigned_callback_keeps_records_back_but_neither_positions_nor_the_acknowledgement) {
    hand_driven_member member;
    member.subscribe({"orders"}, true);
    member.enter_poll();
    member.forget();
    member.answer({.epoch = 1, .target = {{{orders, {0}}}}});
    const auto changes = member.told_others<exchange::assignment_changed>();
    ASSERT_EQ(changes.size(), 1U);
    EXPECT_TRUE(changes[0].callback_pending);
    EXPECT_EQ(owned_in(member.heartbeats.at(0)), numbers{0});
    const auto asked = member.callbacks();
    ASSERT_EQ(asked.size(), 1U);
    EXPECT_EQ(asked[0].what, callback::kind::assigned);
    EXPECT_EQ(asked[0].which, orders_partitions({0}));
    EXPECT_TRUE(member.told_others<exchange::callback_acknowledged>().empty());
    member.answer_callback(asked[0].id);
    const auto acknowledged = member.told_others<exchange::callback_acknowledged>();
    ASSERT_EQ(acknowledged.size(), 1U);
    EXPECT_EQ(acknowledged[0].which, orders_partitions({0}));
}

TEST(membership_manager, an_assignment_of_null_leaves_everything_as_it_is_and_an_empty_one_gives_up_everything) {
    hand_driven_member member;
    member.become_stable({0, 1});
    member.pass(heartbeat_interval);
    member.answer({.epoch = 2});
    EXPECT_EQ(member.manager.state_name(), "stable");
    EXPECT_TRUE(member.told_others<exchange::assignment_changed>().empty());
    member.pass(heartbeat_interval);
    member.answer({.epoch = 3, .target = {{}}});
    const auto changes = member.told_others<exchange::assignment_changed>();
    ASSERT_EQ(changes.size(), 1U);
    EXPECT_EQ(changes[0].removed, orders_partitions({0, 1}));
    EXPECT_EQ(owned_in(member.heartbeats.back()), numbers{});
}

// tickets: KAFKA-16460 (C3) M3
TEST(membership_manager, revokes_in_order_fence_commit_listener_commit_again_and_only_then_acknowledges) {
    hand_driven_member member;
    member.become_stable({0, 1}, true);
    member.fences_are_met = member.commits_are_answered = false;
    member.pass(heartbeat_interval);
    member.forget();
    member.answer({.epoch = 2, .target = {{{orders, {1}}}}});
    EXPECT_EQ(member.order_of_facts(), texts{"fence"});
    EXPECT_EQ(member.told_others<exchange::fence_wanted>().at(0).leaving, orders_partitions({0}));
    EXPECT_EQ(member.manager.state_name(), "reconciling");
    EXPECT_EQ(member.idle.why, exchange::because(wait_reason::fences_of_revocation));

    member.manager.on_fact(exchange::fences_met{member.told_others<exchange::fence_wanted>().at(0).ticket},
                           member.time());
    member.turn();
    EXPECT_EQ(member.order_of_facts(), (texts{"fence", "commit"}));
    const auto first = member.told_others<exchange::revocation_commit_wanted>().at(0);
    EXPECT_EQ(first.leaving, orders_partitions({0}));
    EXPECT_EQ(first.deadline, member.now + 60s);
    EXPECT_TRUE(member.callbacks().empty());
    EXPECT_EQ(member.idle.why, exchange::because(wait_reason::commit_of_revocation));

    member.manager.on_fact(exchange::revocation_committed{first.ticket}, member.time());
    member.turn();
    ASSERT_EQ(member.callbacks().size(), 1U);
    const auto asked = member.callbacks()[0];
    EXPECT_EQ(asked.what, callback::kind::revoked);
    EXPECT_EQ(asked.which, orders_partitions({0}));
    EXPECT_EQ(member.idle.why, exchange::because(wait_reason::listener, asked.id.value()));

    member.answer_callback(asked.id);
    const auto second = member.told_others<exchange::revocation_commit_wanted>().at(1);
    EXPECT_NE(second.ticket, first.ticket);
    EXPECT_TRUE(member.heartbeats.empty()) << "nothing is acknowledged before the commit has its answer";

    member.manager.on_fact(exchange::revocation_committed{second.ticket}, member.time());
    member.turn();
    EXPECT_EQ(member.order_of_facts(), (texts{"fence", "commit", "commit", "gone", "assignment"}));
    EXPECT_FALSE(member.told_others<exchange::partitions_gone>().at(0).lost);
    ASSERT_EQ(member.heartbeats.size(), 1U);
    EXPECT_EQ(owned_in(member.heartbeats[0]), numbers{1});
}

TEST(membership_manager, a_fence_that_was_met_for_an_earlier_revocation_says_nothing_of_a_later_one) {
    hand_driven_member member;
    member.become_stable({0, 1});
    member.fences_are_met = false;
    member.pass(heartbeat_interval);
    member.forget();
    member.answer({.epoch = 2, .target = {{{orders, {1}}}}});
    const auto first = member.told_others<exchange::fence_wanted>().at(0).ticket;
    member.pass(heartbeat_interval);
    member.enter_poll();
    member.answer({.epoch = 3, .target = {{}}});
    member.pass(60s);
    const auto fences = member.told_others<exchange::fence_wanted>();
    ASSERT_EQ(fences.size(), 2U) << "the first one has ended by its time";
    member.manager.on_fact(exchange::fences_met{first}, member.time());
    member.turn();
    EXPECT_TRUE(member.told_others<exchange::revocation_commit_wanted>().empty());
    member.manager.on_fact(exchange::fences_met{fences[1].ticket}, member.time());
    member.turn();
    EXPECT_EQ(member.told_others<exchange::revocation_commit_wanted>().size(), 1U);
}

// The facts of one round would lead to those of the next, round in circles.
TEST(membership_manager, what_follows_from_a_fact_is_done_at_the_end_of_the_turn_or_in_the_next_one) {
    hand_driven_member member;
    member.become_stable({0, 1});
    member.fences_are_met = member.commits_are_answered = false;
    member.pass(heartbeat_interval);
    member.answer({.epoch = 2, .target = {{{orders, {1}}}}});
    member.manager.on_fact(exchange::fences_met{member.told_others<exchange::fence_wanted>().at(0).ticket},
                           member.time());
    member.drain();
    const auto ticket = member.told_others<exchange::revocation_commit_wanted>().at(0).ticket;
    member.forget();
    member.manager.on_fact(exchange::revocation_committed{ticket}, member.time());
    member.drain();
    EXPECT_TRUE(member.facts.empty());
    const auto waits = plan_of(member.manager, member.by_hand.views, member.time());
    EXPECT_LE(waits.waits.wake_at(), member.now + 1us) << "after the last input of a turn";
    member.turn();
    EXPECT_EQ(member.order_of_facts(), (texts{"gone", "assignment"}));
}

TEST(membership_manager, without_a_listener_and_with_nothing_handed_out_a_revocation_needs_no_application) {
    hand_driven_member member;
    member.become_stable({0, 1});
    member.pass(heartbeat_interval);
    member.forget();
    member.answer({.epoch = 2, .target = {{{orders, {1}}}}});
    EXPECT_EQ(member.order_of_facts(), (texts{"fence", "commit", "gone", "assignment"}));
    ASSERT_EQ(member.heartbeats.size(), 1U);
    EXPECT_EQ(owned_in(member.heartbeats[0]), numbers{1});
    EXPECT_TRUE(member.notices.empty());
}

// tickets: KAFKA-3782 (E9)
TEST(membership_manager, heartbeats_go_on_while_a_revocation_waits_for_the_application) {
    hand_driven_member member;
    member.become_stable({0, 1}, true);
    member.pass(heartbeat_interval);
    member.answer({.epoch = 2, .target = {{{orders, {1}}}}});
    member.forget();
    for (int beats = 0; beats < 3; ++beats) {
        member.pass(heartbeat_interval);
        member.answer({.epoch = 2});
    }
    EXPECT_EQ(member.heartbeats.size(), 3U);
    for (const auto& said : member.heartbeats) EXPECT_FALSE(said.topic_partitions.has_value());
    EXPECT_EQ(member.manager.state_name(), "reconciling");
}

// tickets: B44
TEST(membership_manager, a_revocation_waits_no_longer_than_the_rebalance_budget) {
    hand_driven_member member;
    member.become_stable({0, 1}, true);
    member.pass(heartbeat_interval);
    member.answer({.epoch = 2, .target = {{{orders, {1}}}}});
    const auto ends = member.now + 60s;
    member.enter_poll();
    member.forget();
    while (member.now < ends) {
        member.now = std::min(member.idle.waits.wake_at(), ends);
        member.turn();
        // Except at the last instant, when the acknowledgement goes out.
        if (member.now < ends && !member.heartbeats.empty()) member.answer({.epoch = 2});
        if (member.now < ends) member.heartbeats.clear();
    }
    EXPECT_EQ(member.order_of_facts(), (texts{"gone", "assignment"}));
    EXPECT_EQ(owned_in(member.heartbeats.back()), numbers{1});
}

TEST(membership_manager, the_newest_target_wins_and_one_revocation_is_under_way_at_a_time) {
    hand_driven_member member;
    member.become_stable({0, 1, 2}, true);
    member.pass(heartbeat_interval);
    member.answer({.epoch = 2, .target = {{{orders, {1, 2}}}}});
    const auto first = member.callbacks().at(0);
    member.forget();
    member.pass(heartbeat_interval);
    member.answer({.epoch = 3, .target = {{{orders, {2, 3}}}}});
    member.pass(heartbeat_interval);
    member.answer({.epoch = 4, .target = {{{orders, {2}}}}});
    EXPECT_TRUE(member.order_of_facts().empty()) << "the first one is not through";
    member.answer_callback(first.id);
    const auto second = member.callbacks().at(0);
    EXPECT_EQ(second.which, orders_partitions({1}));
    member.answer_callback(second.id);
    EXPECT_EQ(owned_in(member.heartbeats.back()), numbers{2});
    for (const auto& change : member.told_others<exchange::assignment_changed>()) EXPECT_TRUE(change.added.empty());
}

// tickets: M16
TEST(membership_manager, only_topics_with_a_name_are_acknowledged_and_the_rest_when_it_is_known) {
    hand_driven_member member;
    member.subscribe({"orders"});
    member.enter_poll();
    const auto later = topic_number(9);
    member.forget();
    member.answer({.epoch = 1, .target = {{{orders, {0}}, {later, {5}}}}});
    EXPECT_EQ(owned_in(member.heartbeats.at(0)), numbers{0});
    EXPECT_EQ(owned_in(member.heartbeats.at(0), later), numbers{});
    const auto interest = member.told_others<exchange::topics_of_interest>();
    ASSERT_EQ(interest.size(), 1U);
    EXPECT_EQ(interest[0].ids, std::vector{later});
    member.answer({.epoch = 1});
    EXPECT_EQ(member.manager.state_name(), "reconciling");
    EXPECT_EQ(member.idle.why, exchange::because(wait_reason::topic_names));

    for (int beats = 0; beats < 3; ++beats) {
        member.pass(heartbeat_interval);
        member.answer({.epoch = 1});
        member.manager.on_fact(exchange::topics_changed{}, member.time());
        member.turn();
    }
    int acknowledgements = 0;
    for (const auto& said : member.heartbeats) acknowledgements += said.topic_partitions.has_value() ? 1 : 0;
    EXPECT_EQ(acknowledgements, 1) << "one for each set of partitions";

    member.by_hand.cluster.change().names[later] = "made-later";
    member.manager.on_fact(exchange::topics_changed{}, member.time());
    member.turn();
    EXPECT_EQ(owned_in(member.heartbeats.back(), later), numbers{5});
    EXPECT_TRUE(member.told_others<exchange::topics_of_interest>().back().ids.empty());
    member.answer({.epoch = 1});
    EXPECT_EQ(member.manager.state_name(), "stable");
}

// tickets: KAFKA-20145 (A8)
TEST(membership_manager, a_target_that_is_told_again_is_not_acknowledged_again) {
    hand_driven_member member;
    member.become_stable({0});
    member.pass(heartbeat_interval);
    member.forget();
    member.answer({.epoch = 2, .target = {{{orders, {0}}}}});
    EXPECT_EQ(member.manager.state_name(), "stable");
    EXPECT_TRUE(member.heartbeats.empty());
    EXPECT_TRUE(member.order_of_facts().empty());
}

TEST(membership_manager, an_acknowledgement_without_an_answer_is_made_again) {
    hand_driven_member member;
    member.subscribe({"orders"});
    member.enter_poll();
    member.answer({.epoch = 1, .target = {{{orders, {0}}}}});
    member.fail(request_failure::kind::expired);
    EXPECT_EQ(member.manager.state_name(), "acknowledging");
    member.pass(1s);
    EXPECT_EQ(owned_in(member.heartbeats.back()), numbers{0});
    member.answer({.epoch = 1});
    EXPECT_EQ(member.manager.state_name(), "stable");
}

TEST(membership_manager, a_topic_made_again_is_given_up_under_its_old_id_first) {
    hand_driven_member member;
    member.become_stable({0});
    const auto anew = topic_number(7);
    auto& cluster = member.by_hand.cluster.change();
    cluster.names.erase(orders);
    cluster.names[anew] = "orders";
    member.pass(heartbeat_interval);
    member.forget();
    member.answer({.epoch = 2, .target = {{{anew, {0}}}}});
    EXPECT_EQ(member.order_of_facts(), (texts{"fence", "commit", "gone", "assignment", "assignment"}));
    const auto changes = member.told_others<exchange::assignment_changed>();
    EXPECT_EQ(changes.at(0).removed, orders_partitions({0}));
    ASSERT_EQ(changes.at(1).added.size(), 1U);
    EXPECT_EQ(changes[1].added[0]->topic_id, anew);
    EXPECT_EQ(owned_in(member.heartbeats.back(), anew), numbers{0});
}

TEST(membership_manager, a_listener_that_throws_stops_nothing_and_is_reported_by_whoever_ran_it) {
    hand_driven_member member;
    member.become_stable({0, 1}, true);
    member.pass(heartbeat_interval);
    member.forget();
    member.answer({.epoch = 2, .target = {{{orders, {1}}}}});
    member.answer_callback(member.callbacks().at(0).id, error(errc::callback_failed, "boom"));
    EXPECT_TRUE(member.errors().empty());
    EXPECT_EQ(owned_in(member.heartbeats.back()), numbers{1});
}

}  // namespace
}  // namespace strandline::core::group::consumer
