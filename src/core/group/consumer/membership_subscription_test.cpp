// What the group is told of a subscription, and when.
#include "core/group/consumer/hand_driven_member.hpp"

namespace strandline::core::group::consumer {
namespace {

boundary::command::subscribe to_client_pattern(std::string pattern) {
    boundary::command::subscribe command;
    command.client_pattern = std::move(pattern);
    return command;
}
boundary::command::subscribe to_broker_pattern(std::string pattern) {
    boundary::command::subscribe command;
    command.broker_pattern = std::move(pattern);
    return command;
}

void hear_of_topics(hand_driven_member& member, const texts& topics) {
    auto& cluster = member.by_hand.cluster.change();
    ++cluster.answers;
    cluster.topics.clear();
    for (const auto& name : topics) cluster.topics[name].name = name;
    member.manager.on_fact(exchange::topics_changed{}, member.time());
    member.turn();
}

TEST(membership_manager, a_changed_subscription_is_told_at_once_and_nothing_else_with_it) {
    hand_driven_member member;
    member.become_stable({0});
    member.subscribe({"orders", "audit"});
    ASSERT_EQ(member.heartbeats.size(), 1U);
    EXPECT_EQ(member.heartbeats[0].subscribed_topic_names, (texts{"audit", "orders"}));
    EXPECT_FALSE(member.heartbeats[0].topic_partitions.has_value());
    EXPECT_EQ(member.heartbeats[0].rebalance_timeout_ms, -1);
    EXPECT_EQ(member.manager.state_name(), "stable");
    const auto interest = member.told_others<exchange::topics_of_interest>();
    ASSERT_EQ(interest.size(), 1U);
    EXPECT_EQ(interest[0].names, (texts{"audit", "orders"}));
}

TEST(membership_manager, a_subscription_that_changes_while_a_heartbeat_is_in_flight_is_told_by_the_next) {
    hand_driven_member member;
    member.become_stable({0});
    member.pass(heartbeat_interval);
    member.subscribe({"audit"});
    ASSERT_EQ(member.heartbeats.size(), 1U);
    member.answer({.epoch = 1});
    ASSERT_EQ(member.heartbeats.size(), 2U);
    EXPECT_EQ(member.heartbeats[1].subscribed_topic_names, texts{"audit"});
}

TEST(membership_manager, the_same_subscription_again_is_not_told_again) {
    hand_driven_member member;
    member.become_stable({0});
    member.subscribe({"orders"});
    EXPECT_TRUE(member.heartbeats.empty());
}

TEST(membership_manager, a_client_side_pattern_joins_with_the_topics_that_match_once_they_are_known) {
    hand_driven_member member;
    member.subscribe(to_client_pattern("app-[a-z]+"));
    const auto interest = member.told_others<exchange::topics_of_interest>();
    ASSERT_EQ(interest.size(), 1U);
    EXPECT_TRUE(interest[0].all);
    member.enter_poll();
    EXPECT_TRUE(member.heartbeats.empty());
    EXPECT_EQ(member.idle.why, exchange::because(wait_reason::topics_of_pattern));
    hear_of_topics(member, {"app-b", "app-a", "app-1"});
    ASSERT_EQ(member.heartbeats.size(), 1U);
    EXPECT_EQ(member.heartbeats[0].subscribed_topic_names, (texts{"app-a", "app-b"}));
    EXPECT_FALSE(member.heartbeats[0].subscribed_topic_regex.has_value());
    EXPECT_EQ(member.manager.subscribed_pattern(), "app-[a-z]+");
    member.answer({.epoch = 1});
    hear_of_topics(member, {"app-b", "app-c"});
    EXPECT_EQ(member.heartbeats.back().subscribed_topic_names, (texts{"app-b", "app-c"}));
}

TEST(membership_manager, a_member_keeps_its_topics_until_it_is_known_what_a_new_pattern_matches) {
    hand_driven_member member;
    member.become_stable({0});
    member.subscribe(to_client_pattern("a.*"));
    member.pass(heartbeat_interval);
    for (const auto& said : member.heartbeats) EXPECT_FALSE(said.subscribed_topic_names.has_value());
    member.answer({.epoch = 1});
    hear_of_topics(member, {"audit"});
    EXPECT_EQ(member.heartbeats.back().subscribed_topic_names, texts{"audit"});
}

TEST(membership_manager, an_invalid_client_side_pattern_fails_the_call_and_changes_nothing) {
    hand_driven_member member;
    member.become_stable({0});
    member.subscribe(to_client_pattern("app-("));
    ASSERT_EQ(member.completions.size(), 1U);
    EXPECT_EQ(member.completions[0].outcome.error(), errc::invalid_argument);
    EXPECT_EQ(member.manager.subscribed_topics(), texts{"orders"});
    EXPECT_TRUE(member.facts.empty());
}

TEST(membership_manager, a_broker_side_pattern_is_sent_as_it_is_and_taken_away_by_an_empty_one) {
    hand_driven_member member;
    member.subscribe(to_broker_pattern("app-.*"));
    member.enter_poll();
    ASSERT_EQ(member.heartbeats.size(), 1U);
    EXPECT_EQ(member.heartbeats[0].subscribed_topic_regex, "app-.*");
    EXPECT_EQ(member.heartbeats[0].subscribed_topic_names, texts{});
    member.answer({.epoch = 1});
    member.subscribe({"orders"});
    ASSERT_EQ(member.heartbeats.size(), 2U);
    EXPECT_EQ(member.heartbeats[1].subscribed_topic_regex, "");
    EXPECT_EQ(member.heartbeats[1].subscribed_topic_names, texts{"orders"});
    member.fail(request_failure::kind::expired);
    member.pass(1s);
    EXPECT_EQ(member.heartbeats.back().subscribed_topic_regex, "") << "whether it was taken away is not known";
    member.answer({.epoch = 1});
    member.pass(heartbeat_interval);
    EXPECT_FALSE(member.heartbeats.back().subscribed_topic_regex.has_value());
}

TEST(membership_manager, a_broker_side_pattern_needs_a_broker_that_knows_them) {
    hand_driven_member member;
    member.by_hand.connections.newest_versions[heartbeat::key] = 0;
    member.subscribe(to_broker_pattern("app-.*"));
    member.enter_poll();
    EXPECT_TRUE(member.heartbeats.empty());
    ASSERT_EQ(member.told_others<exchange::fatal_error>().size(), 1U);
    EXPECT_EQ(member.told_others<exchange::fatal_error>()[0].reason, errc::unsupported_version);
}

// tickets: B42
TEST(membership_manager, a_pattern_that_the_broker_refuses_is_fatal_with_the_brokers_reason) {
    hand_driven_member member;
    member.subscribe(to_broker_pattern("app-("));
    member.enter_poll();
    member.refuse(broker_error::invalid_regular_expression, "app-( is missing a parenthesis");
    ASSERT_EQ(member.told_others<exchange::fatal_error>().size(), 1U);
    EXPECT_NE(member.told_others<exchange::fatal_error>()[0].reason.message().find("app-( is missing"),
              std::string::npos);
}

TEST(membership_manager, names_what_was_subscribed_and_is_not_there) {
    hand_driven_member member;
    member.subscribe({"orders", "ordres"});
    EXPECT_EQ(member.manager.unmatched_topics(), texts{"ordres"});
    hear_of_topics(member, {"orders", "ordres"});
    EXPECT_TRUE(member.manager.unmatched_topics().empty());
}

}  // namespace
}  // namespace strandline::core::group::consumer
