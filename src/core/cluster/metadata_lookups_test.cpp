#include "core/cluster/metadata_lookups.hpp"

#include <gtest/gtest.h>

#include "core/cluster/metadata_test_rig.hpp"

namespace strandline::core::cluster {
namespace {

using namespace test;
using strings = std::vector<std::string>;

constexpr boundary::operation_token token{5};

TEST(metadata_lookups, partitions_of_a_topic_are_looked_up) {
    rig r;
    r.manager->on_command(boundary::command::partitions_for{"orders"}, token, t0 + 10s, r.time());
    r.settle();
    EXPECT_EQ(r.asked(), strings{"orders"});
    r.answer(cluster_of({topic("orders", 1, {partition(0, 1, 3), partition(1, -1, 3)})}));
    ASSERT_EQ(r.completions.size(), 1U);
    EXPECT_EQ(r.completions[0].token, token);
    ASSERT_TRUE(r.completions[0].outcome);
    const auto& topics = std::get<boundary::topics_value>(*r.completions[0].outcome).topics;
    ASSERT_EQ(topics.at("orders").size(), 2U);
    EXPECT_EQ(topics.at("orders")[0], (partition_info{{"orders", 0}, 1, {1}, {1}, {}}));
    EXPECT_EQ(topics.at("orders")[1].leader, std::nullopt);
    EXPECT_EQ(r.known().find("orders"), nullptr) << "nobody goes on needing it";
}

TEST(metadata_lookups, what_is_known_and_fresh_is_told_at_once) {
    rig r;
    learn_orders(r);
    r.manager->on_command(boundary::command::partitions_for{"orders"}, token, t0 + 10s, r.time());
    r.settle();
    EXPECT_EQ(r.completions.size(), 1U);
    EXPECT_FALSE(r.sent);
}

TEST(metadata_lookups, a_topic_that_does_not_exist_is_said_not_to_after_a_second_look) {
    rig r;
    r.manager->on_command(boundary::command::partitions_for{"typo"}, token, t0 + 10s, r.time());
    r.settle();
    while (r.completions.empty() && r.now < t0 + 10s) {
        if (r.sent) {
            r.answer(cluster_of({failed_topic("typo", broker_error::unknown_topic_or_partition)}));
        } else {
            r.turn(r.wake_at);
        }
    }
    ASSERT_EQ(r.completions.size(), 1U);
    ASSERT_FALSE(r.completions[0].outcome);
    EXPECT_TRUE(r.completions[0].outcome.error() == errc::topic_not_found);
    EXPECT_LT(r.now, t0 + 1s);
}

TEST(metadata_lookups, a_look_up_that_was_given_up_does_not_slow_down_the_next) {
    rig r;
    const auto look_for_at_most = [&](base::duration wait) {
        const auto deadline = r.now + wait;
        r.completions.clear();
        r.manager->on_command(boundary::command::partitions_for{"typo"}, token, deadline, r.time());
        r.settle();
        while (r.completions.empty()) {
            if (r.sent) {
                r.answer(cluster_of({failed_topic("typo", broker_error::unknown_topic_or_partition)}));
            } else {
                r.turn(r.wake_at);
            }
        }
    };
    for (int i = 0; i < 8; ++i) look_for_at_most(150ms);
    ASSERT_TRUE(r.completions.at(0).outcome.error() == errc::timed_out);
    look_for_at_most(1s);
    EXPECT_TRUE(r.completions.at(0).outcome.error() == errc::topic_not_found);
}

TEST(metadata_lookups, a_refused_topic_fails_its_look_up) {
    rig r;
    r.manager->on_command(boundary::command::partitions_for{"secret"}, token, t0 + 10s, r.time());
    r.settle();
    r.answer(cluster_of({failed_topic("secret", broker_error::topic_authorization_failed)}));
    ASSERT_EQ(r.completions.size(), 1U);
    EXPECT_EQ(r.completions[0].outcome.error().code().category(), kafka_category());
    EXPECT_TRUE(r.errors.empty()) << "whoever asked has the answer";
}

TEST(metadata_lookups, a_look_up_ends_at_its_deadline) {
    rig r;
    r.connections.broker = std::nullopt;
    r.manager->on_command(boundary::command::partitions_for{"orders"}, token, t0 + 10s, r.time());
    r.settle();
    EXPECT_EQ(r.wake_at, t0 + 10s);
    r.turn(t0 + 10s);
    ASSERT_EQ(r.completions.size(), 1U);
    EXPECT_TRUE(r.completions[0].outcome.error() == errc::timed_out);
    EXPECT_NE(r.completions[0].outcome.error().message().find("orders"), std::string::npos);
}

TEST(metadata_lookups, a_look_up_can_be_cancelled) {
    rig r;
    r.connections.broker = std::nullopt;
    r.manager->on_command(boundary::command::list_topics{}, token, t0 + 10s, r.time());
    r.manager->on_cancel(token, r.time());
    r.manager->on_cancel(token, r.time());
    r.settle();
    ASSERT_EQ(r.completions.size(), 1U);
    EXPECT_TRUE(r.completions[0].outcome.error() == errc::timed_out);
}

TEST(metadata_lookups, all_topics_are_listed_without_becoming_of_interest) {
    rig r;
    learn_orders(r);
    r.manager->on_command(boundary::command::list_topics{}, token, t0 + 10s, r.time());
    r.settle();
    EXPECT_EQ(r.asked(), strings{"*"});
    r.answer(cluster_of({topic("orders", 1, {partition(0, 1, 3)}), topic("bills", 2, {partition(0, 1, 3)}),
                         failed_topic("broken", broker_error::leader_not_available)}));
    ASSERT_EQ(r.completions.size(), 1U);
    const auto& topics = std::get<boundary::topics_value>(*r.completions[0].outcome).topics;
    EXPECT_EQ(topics.size(), 2U);
    EXPECT_TRUE(topics.contains("bills"));
    EXPECT_EQ(r.known().topics.size(), 1U);
}

TEST(metadata_lookups, a_look_up_survives_a_failed_request) {
    rig r;
    r.manager->on_command(boundary::command::list_topics{}, token, t0 + 10s, r.time());
    r.settle();
    r.fail();
    r.turn(r.wake_at);
    r.answer(cluster_of({topic("orders", 1, {partition(0, 1, 3)})}));
    EXPECT_EQ(r.completions.size(), 1U);
}

}  // namespace
}  // namespace strandline::core::cluster
