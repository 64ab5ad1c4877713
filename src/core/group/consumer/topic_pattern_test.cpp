#include "core/group/consumer/topic_pattern.hpp"

#include <gtest/gtest.h>

namespace strandline::core::group::consumer {
namespace {

using names = std::vector<std::string>;

exchange::topic_metadata topic(std::string name, bool is_internal = false,
                               protocol::broker_error failure = protocol::broker_error::none) {
    exchange::topic_metadata made;
    made.name = std::move(name);
    made.is_internal = is_internal;
    made.failure = failure;
    return made;
}

exchange::cluster_view cluster_of(std::initializer_list<exchange::topic_metadata> topics) {
    exchange::cluster_view cluster;
    for (const auto& topic : topics) cluster.topics[topic.name] = topic;
    return cluster;
}

TEST(topic_pattern, matches_the_whole_name_as_brokers_do) {
    const auto pattern = topic_pattern::parse("topic-[0-9]+").value();
    EXPECT_TRUE(pattern.matches("topic-12"));
    EXPECT_FALSE(pattern.matches("a-topic-12"));
    EXPECT_FALSE(pattern.matches("topic-12-b"));
    // A search would find both; a full match finds neither.
    EXPECT_FALSE(topic_pattern::parse("^topic*").value().matches("topic-1"));
    EXPECT_TRUE(topic_pattern::parse("^topic.*").value().matches("topic-1"));
}

TEST(topic_pattern, one_that_does_not_compile_is_an_error_with_the_pattern_and_the_reason) {
    const auto refused = topic_pattern::parse("orders-(");
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error(), errc::invalid_argument);
    EXPECT_NE(refused.error().message().find("orders-("), std::string::npos);
    EXPECT_NE(refused.error().message().find("missing )"), std::string::npos);
}

TEST(topic_pattern, finds_the_clusters_topics_sorted) {
    const auto cluster = cluster_of({topic("b"), topic("a"), topic("c9")});
    EXPECT_EQ(topic_pattern::parse("[a-z]").value().matching(cluster, true), (names{"a", "b"}));
}

TEST(topic_pattern, internal_topics_match_only_when_they_are_not_excluded) {
    const auto cluster = cluster_of({topic("orders"), topic("__consumer_offsets", true)});
    const auto everything = topic_pattern::parse(".*").value();
    EXPECT_EQ(everything.matching(cluster, true), (names{"orders"}));
    EXPECT_EQ(everything.matching(cluster, false), (names{"__consumer_offsets", "orders"}));
}

TEST(topic_pattern, topics_that_the_cluster_says_it_lacks_do_not_match_but_those_without_leaders_do) {
    const auto cluster =
        cluster_of({topic("orders"), topic("gone", false, protocol::broker_error::unknown_topic_or_partition),
                    topic("new", false, protocol::broker_error::leader_not_available)});
    EXPECT_EQ(topic_pattern::parse(".*").value().matching(cluster, true), (names{"new", "orders"}));
}

}  // namespace
}  // namespace strandline::core::group::consumer
