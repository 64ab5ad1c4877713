// Situations that lie with the group: the right cause is named first.
#include <gmock/gmock.h>

#include "tests/explain/driven_consumer.hpp"

namespace strandline::explain_tests {
namespace {

using testing::HasSubstr;

// A member that is inside poll, owns the partitions of orders and has read them to the end.
void become_member(driven_consumer& rig, std::int32_t count = 1, bool has_listener = false) {
    rig.topic("orders", count);
    rig.subscribe({"orders"}, has_listener);
    rig.enter_poll();
    rig.pass_until([&] { return rig.assigned() == static_cast<std::size_t>(count); });
}

TEST(explain, says_that_nothing_has_been_subscribed_to) {
    driven_consumer rig;
    EXPECT_EQ(rig.explain().cause, wait_cause::not_subscribed) << to_string(rig.explain());
}

TEST(explain, says_that_a_member_joins_with_the_next_poll) {
    driven_consumer rig;
    rig.topic();
    rig.subscribe({"orders"});
    rig.pass(5s);
    EXPECT_EQ(rig.explain().cause, wait_cause::poll_awaited) << to_string(rig.explain());
    EXPECT_EQ(rig.explain().first.steps.back().ends_with, "the next poll");
}

TEST(explain, names_a_coordinator_that_is_being_looked_for) {
    driven_consumer rig;
    rig.topic();
    rig.swallow(api_key::find_coordinator);
    rig.subscribe({"orders"});
    rig.enter_poll();
    rig.pass(500ms);
    EXPECT_EQ(rig.explain().cause, wait_cause::coordinator_unknown) << to_string(rig.explain());
    EXPECT_THAT(rig.explain().first.steps.back().text, HasSubstr("FindCoordinator request"));
}

TEST(explain, names_a_coordinator_that_is_not_available) {
    driven_consumer rig;
    rig.topic();
    rig.refuse(api_key::find_coordinator, broker_error::coordinator_not_available);
    rig.subscribe({"orders"});
    rig.enter_poll();
    rig.pass(5s);
    EXPECT_EQ(rig.explain().cause, wait_cause::coordinator_unavailable) << to_string(rig.explain());
    ASSERT_TRUE(rig.explain().first.reason);
    EXPECT_EQ(rig.explain().first.reason->code().value(), 15);
}

TEST(explain, names_a_coordinator_that_cannot_be_reached) {
    driven_consumer rig(config_of(), brokers(2));
    rig.topic();
    rig.cluster.groups().move_coordinator("billing", broker_id(2));
    rig.ports[first_port + 2] = driven_consumer::port::refuses;
    rig.subscribe({"orders"});
    rig.enter_poll();
    rig.pass(2s);
    const auto why = rig.explain();
    EXPECT_TRUE(why.cause == wait_cause::broker_unreachable || why.cause == wait_cause::coordinator_unavailable)
        << to_string(why);
    EXPECT_THAT(to_string(why.first), HasSubstr("broker 2"));
    EXPECT_THAT(to_string(why.first), HasSubstr("Connection refused"));
}

TEST(explain, says_that_the_coordinator_has_not_let_the_member_in_yet) {
    driven_consumer rig;
    rig.topic();
    rig.swallow(api_key::consumer_group_heartbeat);
    rig.subscribe({"orders"});
    rig.enter_poll();
    rig.pass(300ms);
    EXPECT_EQ(rig.explain().cause, wait_cause::joining) << to_string(rig.explain());
    EXPECT_THAT(rig.explain().first.steps.back().text, HasSubstr("ConsumerGroupHeartbeat request"));
}

TEST(explain, suspects_a_coordinator_that_does_not_answer_a_heartbeat) {
    driven_consumer rig;
    rig.topic();
    rig.swallow(api_key::consumer_group_heartbeat);
    rig.subscribe({"orders"});
    rig.enter_poll();
    rig.pass(10s);
    EXPECT_EQ(rig.explain().cause, wait_cause::broker_silent) << to_string(rig.explain());
    EXPECT_THAT(rig.explain().summary, HasSubstr("has not answered ConsumerGroupHeartbeat request"));
}

TEST(explain, says_that_the_group_gave_this_member_nothing) {
    driven_consumer rig;
    rig.topic();
    // Another member has what there is.
    protocol::messages::consumer_group_heartbeat_request other;
    other.group_id = "billing";
    other.member_id = "other";
    other.member_epoch = protocol::member_epoch(0);
    other.rebalance_timeout_ms = 300'000;
    other.subscribed_topic_names = std::vector<std::string>{"orders"};
    other.topic_partitions.emplace();
    rig.cluster.groups().heartbeat(other, "other", rig.now());
    rig.subscribe({"orders"});
    rig.enter_poll();
    rig.pass_until([&] { return rig.member_state() == "stable"; });
    ASSERT_EQ(rig.assigned(), 0U);
    EXPECT_EQ(rig.explain().cause, wait_cause::nothing_assigned) << to_string(rig.explain());
}

TEST(explain, names_a_topic_that_the_cluster_does_not_know) {
    driven_consumer rig(config_of(), without_topic_creation());
    rig.subscribe({"ordres"});
    rig.enter_poll();
    rig.pass(3s);
    EXPECT_EQ(rig.explain().cause, wait_cause::topic_unknown) << to_string(rig.explain());
    EXPECT_THAT(rig.explain().summary, HasSubstr("ordres"));
}

TEST(explain, names_a_pattern_of_the_client_that_matches_no_topic) {
    driven_consumer rig;
    rig.topic("payments");
    rig.submit(command::subscribe{{}, {}, "orders-.*", false});
    rig.enter_poll();
    rig.pass(3s);
    EXPECT_EQ(rig.explain().cause, wait_cause::pattern_unmatched) << to_string(rig.explain());
    EXPECT_THAT(rig.explain().summary, HasSubstr("orders-.*"));
}

TEST(explain, names_a_pattern_of_the_broker_that_matches_no_topic) {
    driven_consumer rig;
    rig.topic("payments");
    rig.submit(command::subscribe{{}, "orders-.*", {}, false});
    rig.enter_poll();
    rig.pass(3s);
    EXPECT_EQ(rig.explain().cause, wait_cause::pattern_unmatched) << to_string(rig.explain());
}

TEST(explain, says_that_a_pattern_waits_for_the_names_of_topics) {
    driven_consumer rig;
    rig.swallow(api_key::metadata);
    rig.submit(command::subscribe{{}, {}, "orders-.*", false});
    rig.enter_poll();
    rig.pass(500ms);
    const auto why = rig.explain();
    EXPECT_THAT(to_string(why.first), HasSubstr("which topics match the pattern")) << to_string(why);
    EXPECT_THAT(to_string(why.first), HasSubstr("Metadata request"));
}

TEST(explain, says_that_the_group_assigned_a_topic_nobody_has_named_yet) {
    driven_consumer rig(config_of(), without_topic_creation());
    rig.topic();
    // Metadata does not know it, the group does.
    rig.refuse(api_key::metadata, broker_error::unknown_topic_or_partition);
    rig.submit(command::subscribe{{}, "ord.*", {}, false});
    rig.enter_poll();
    rig.pass(3s);
    ASSERT_EQ(rig.assigned(), 0U);
    EXPECT_EQ(rig.explain().cause, wait_cause::topic_id_unknown) << to_string(rig.explain());
}

TEST(explain, says_that_the_member_joins_again_after_the_group_forgot_it) {
    driven_consumer rig;
    become_member(rig);
    auto hook = rig.refuse(api_key::consumer_group_heartbeat, broker_error::fenced_member_epoch);
    rig.pass_until([&] { return rig.member_state() == "joining"; });
    rig.cluster.forget_interceptor(hook);
    hook = rig.swallow(api_key::consumer_group_heartbeat);
    rig.pass(300ms);
    EXPECT_EQ(rig.explain().cause, wait_cause::rejoining) << to_string(rig.explain());
    EXPECT_THAT(rig.explain().summary, HasSubstr("forgotten"));
}

TEST(explain, says_that_a_fenced_member_that_is_turned_away_tries_again_later) {
    driven_consumer rig;
    become_member(rig);
    rig.refuse(api_key::consumer_group_heartbeat, broker_error::unknown_member_id);
    rig.pass(12s);
    EXPECT_EQ(rig.explain().cause, wait_cause::rejoining) << to_string(rig.explain());
}

TEST(explain, says_that_the_member_left_because_nobody_polled) {
    driven_consumer rig;
    become_member(rig);
    rig.leave_poll();
    rig.pass(6min);
    EXPECT_EQ(rig.explain().cause, wait_cause::max_poll_exceeded) << to_string(rig.explain());
    EXPECT_EQ(rig.explain().first.steps.back().ends_with, "the next poll");
}

// Polls for `wait` while the coordinator refuses every heartbeat.
void join_in_vain(driven_consumer& rig, broker_error why, base::duration wait) {
    rig.topic();
    rig.refuse(api_key::consumer_group_heartbeat, why);
    rig.subscribe({"orders"});
    rig.enter_poll();
    rig.pass(wait);
}

TEST(explain, names_a_group_instance_id_that_is_in_use) {
    auto config = config_of();
    config.group_instance_id = "till-3";
    driven_consumer rig(config);
    join_in_vain(rig, broker_error::unreleased_instance_id, 1s);
    EXPECT_EQ(rig.explain().cause, wait_cause::instance_id_in_use) << to_string(rig.explain());
}

TEST(explain, names_a_group_that_this_consumer_may_not_join) {
    driven_consumer rig;
    join_in_vain(rig, broker_error::group_authorization_failed, 1s);
    EXPECT_EQ(rig.explain().cause, wait_cause::not_authorized) << to_string(rig.explain());
}

TEST(explain, names_a_group_that_refuses_this_consumer_for_good) {
    driven_consumer rig;
    join_in_vain(rig, broker_error::group_max_size_reached, 1s);
    EXPECT_EQ(rig.explain().cause, wait_cause::refused_for_good) << to_string(rig.explain());
    ASSERT_TRUE(rig.explain().first.reason);
    EXPECT_TRUE(rig.explain().first.reason->fatal());
}

TEST(explain, names_a_topic_that_the_coordinator_says_may_not_be_read) {
    driven_consumer rig;
    join_in_vain(rig, broker_error::topic_authorization_failed, 2s);
    EXPECT_EQ(rig.explain().cause, wait_cause::not_authorized) << to_string(rig.explain());
}

TEST(explain, says_that_the_assigned_callback_waits_for_a_poll) {
    driven_consumer rig;
    become_member(rig, 1, true);
    rig.leave_poll();
    rig.pass(1s);
    EXPECT_EQ(rig.explain().cause, wait_cause::poll_awaited) << to_string(rig.explain());
    EXPECT_THAT(rig.explain().summary, HasSubstr("assigned-callback of orders-0"));
}

TEST(explain, names_a_callback_that_runs_and_since_when) {
    driven_consumer rig;
    become_member(rig, 1, true);
    rig.take();
    ASSERT_TRUE(rig.wanted_callback());
    rig.callback = boundary::application_view::doing{"on_assigned", rig.now()};
    rig.pass(4200ms);
    EXPECT_EQ(rig.explain().cause, wait_cause::callback_running) << to_string(rig.explain());
    EXPECT_EQ(rig.explain().first.steps.back().age, 4200ms);
    EXPECT_THAT(rig.explain().summary, HasSubstr("on_assigned has been running for 4.2 s"));
}

// The group gives orders-1 to another member.
void lose_one_partition(driven_consumer& rig) {
    protocol::messages::consumer_group_heartbeat_request other;
    other.group_id = "billing";
    other.member_id = "other";
    other.member_epoch = protocol::member_epoch(0);
    other.rebalance_timeout_ms = 300'000;
    other.subscribed_topic_names = std::vector<std::string>{"orders"};
    other.topic_partitions.emplace();
    rig.cluster.groups().heartbeat(other, "other", rig.now());
    rig.pass(6s);
}

TEST(explain, says_that_a_revocation_waits_for_what_the_application_still_works_on) {
    driven_consumer rig;
    become_member(rig, 2);
    rig.produce(orders_0);
    rig.produce(orders_1);
    rig.pass(1s);
    ASSERT_GT(rig.take(), 0U);
    rig.leave_poll();
    lose_one_partition(rig);
    EXPECT_EQ(rig.explain().cause, wait_cause::checkpoint_awaited) << to_string(rig.explain());
    EXPECT_THAT(rig.explain().first.steps.back().ends_with, HasSubstr("the next poll"));
}

TEST(explain, says_that_a_revocation_waits_for_the_listener) {
    driven_consumer rig;
    become_member(rig, 2, true);
    rig.take();
    rig.finish_callback();
    rig.leave_poll();
    lose_one_partition(rig);
    EXPECT_EQ(rig.explain().cause, wait_cause::poll_awaited) << to_string(rig.explain());
    EXPECT_THAT(rig.explain().summary, HasSubstr("rebalance listener"));
}

TEST(explain, says_that_a_revocation_waits_for_a_commit) {
    driven_consumer rig;
    become_member(rig, 2);
    rig.produce(orders_0);
    rig.produce(orders_1);
    rig.pass(1s);
    rig.take();
    rig.swallow(api_key::offset_commit);
    // Processed, so that there is something to commit.
    handoff::application_progress progress;
    for (const auto& piece : rig.held) {
        progress.changed.push_back({piece.source->slot, piece.source->era, piece.to, -1});
        progress.settled.push_back({piece.source->slot, piece.source->era});
    }
    rig.meeting.fold(progress);
    lose_one_partition(rig);
    const auto why = rig.explain();
    EXPECT_TRUE(why.cause == wait_cause::commit_awaited || why.cause == wait_cause::broker_silent) << to_string(why);
    EXPECT_THAT(to_string(why.first), HasSubstr("commit of partitions that leave"));
    EXPECT_THAT(to_string(why.first), HasSubstr("OffsetCommit request"));
}

TEST(explain, says_what_close_waits_for) {
    driven_consumer rig;
    become_member(rig);
    rig.produce(orders_0);
    rig.pass(1s);
    rig.take();
    handoff::application_progress progress;
    for (const auto& piece : rig.held)
        progress.changed.push_back({piece.source->slot, piece.source->era, piece.to, -1});
    rig.meeting.fold(progress);
    rig.swallow(api_key::offset_commit);
    rig.call = boundary::application_view::doing{"close", rig.now()};
    rig.submit(command::close{}, 30s);
    rig.pass(500ms);
    const auto why = rig.explain();
    EXPECT_EQ(why.cause, wait_cause::closing) << to_string(why);
    EXPECT_THAT(why.summary, HasSubstr("commit of what was processed"));
    EXPECT_THAT(to_string(why.first), HasSubstr("OffsetCommit request"));
}

TEST(explain, says_what_a_call_inside_a_callback_waits_for_before_it_blames_the_callback) {
    driven_consumer rig;
    become_member(rig);
    rig.swallow(api_key::offset_commit);
    rig.callback = boundary::application_view::doing{"on_revoked", rig.now()};
    rig.inner = boundary::application_view::doing{"commit", rig.now()};
    rig.submit(command::commit{command::commit::source::named, {{orders_0, offset_and_metadata(3)}}, true});
    rig.pass(12s);
    const auto why = rig.explain();
    EXPECT_EQ(why.cause, wait_cause::broker_silent) << to_string(why);
    EXPECT_THAT(why.summary, HasSubstr("has not answered OffsetCommit request"));
    ASSERT_FALSE(why.also.empty());
    EXPECT_EQ(why.also[0].cause, wait_cause::callback_running);
}

TEST(explain, says_that_it_has_been_closed) {
    driven_consumer rig;
    become_member(rig);
    rig.submit(command::close{}, 30s);
    rig.pass(1s);
    EXPECT_EQ(rig.explain().cause, wait_cause::closed) << to_string(rig.explain());
}

TEST(explain, says_what_a_commit_waits_for) {
    driven_consumer rig;
    become_member(rig);
    rig.swallow(api_key::offset_commit);
    rig.call = boundary::application_view::doing{"commit", rig.now()};
    rig.submit(command::commit{command::commit::source::named, {{orders_0, offset_and_metadata(3)}}, true});
    rig.pass(700ms);
    const auto why = rig.explain();
    EXPECT_EQ(why.cause, wait_cause::answer_awaited) << to_string(why);
    EXPECT_THAT(to_string(why.first), HasSubstr("commit waits 0.7 s <- commits"));
    EXPECT_THAT(to_string(why.first), HasSubstr("OffsetCommit request"));
}

}  // namespace
}  // namespace strandline::explain_tests
