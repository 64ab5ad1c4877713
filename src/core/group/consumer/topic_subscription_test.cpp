#include "core/group/consumer/topic_subscription.hpp"

#include <gtest/gtest.h>

namespace strandline::core::group::consumer {
namespace {

using names = std::vector<std::string>;
using boundary::command::subscribe;

subscribe to(names topics) {
    subscribe command;
    command.topics = std::move(topics);
    return command;
}
subscribe to_pattern(std::string pattern) {
    subscribe command;
    command.client_pattern = std::move(pattern);
    return command;
}
exchange::cluster_view cluster_of(std::uint64_t answers, const names& topics) {
    exchange::cluster_view cluster;
    cluster.answers = answers;
    for (const auto& name : topics) cluster.topics[name].name = name;
    return cluster;
}

TEST(topic_subscription, sorts_topics_and_names_each_once) {
    const auto subscription = topic_subscription::make(to({"b", "a", "b"}), {}).value();
    EXPECT_EQ(subscription.topics(), (names{"a", "b"}));
    EXPECT_TRUE(subscription.resolved());
    EXPECT_FALSE(subscription.needs_all_topics());
}

TEST(topic_subscription, one_to_nothing_is_empty) {
    EXPECT_TRUE(topic_subscription().empty());
    EXPECT_TRUE(topic_subscription::make(to({}), {}).value().empty());
    EXPECT_FALSE(topic_subscription::make(to_pattern("a.*"), {}).value().empty());
}

TEST(topic_subscription, a_bad_client_side_pattern_is_refused) {
    EXPECT_EQ(topic_subscription::make(to_pattern("("), {}).error(), errc::invalid_argument);
}

TEST(topic_subscription, a_client_side_pattern_stands_for_topics_once_the_cluster_was_heard_of_anew) {
    auto subscription = topic_subscription::make(to_pattern("a.*"), cluster_of(3, {"old"})).value();
    EXPECT_FALSE(subscription.look_at(cluster_of(3, {"ab"}), true));
    EXPECT_FALSE(subscription.resolved());
    EXPECT_TRUE(subscription.look_at(cluster_of(4, {"b", "ab", "aa"}), true));
    EXPECT_TRUE(subscription.resolved());
    EXPECT_EQ(subscription.topics(), (names{"aa", "ab"}));
    EXPECT_FALSE(subscription.look_at(cluster_of(5, {"ab", "aa"}), true)) << "the same topics match";
    EXPECT_TRUE(subscription.look_at(cluster_of(6, {"ab"}), true));
}

TEST(topic_subscription, a_broker_side_pattern_is_left_to_the_broker) {
    subscribe command;
    command.broker_pattern = "a.*(?<x>";
    const auto subscription = topic_subscription::make(command, {}).value();
    EXPECT_EQ(subscription.broker_pattern(), "a.*(?<x>");
    EXPECT_EQ(subscription.pattern(), "a.*(?<x>");
    EXPECT_TRUE(subscription.topics().empty());
    EXPECT_TRUE(subscription.resolved());
}

TEST(topic_subscription, names_what_the_cluster_does_not_have) {
    auto cluster = cluster_of(1, {"a", "denied"});
    cluster.topics["denied"].failure = protocol::broker_error::unknown_topic_or_partition;
    const auto subscription = topic_subscription::make(to({"a", "b", "denied"}), {}).value();
    EXPECT_EQ(subscription.unmatched(cluster), (names{"b", "denied"}));
    EXPECT_TRUE(subscription.unmatched(cluster_of(0, {})).empty()) << "nothing was heard of the cluster yet";
}

// tickets: M15
TEST(topic_subscription, a_pattern_that_matches_nothing_stands_for_itself) {
    auto subscription = topic_subscription::make(to_pattern("^topic*"), cluster_of(1, {})).value();
    EXPECT_TRUE(subscription.unmatched(cluster_of(1, {})).empty());
    subscription.look_at(cluster_of(2, {"topic-1"}), true);
    EXPECT_EQ(subscription.unmatched(cluster_of(2, {"topic-1"})), (names{"^topic*"}));
}

}  // namespace
}  // namespace strandline::core::group::consumer
