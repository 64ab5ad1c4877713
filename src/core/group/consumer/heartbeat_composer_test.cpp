#include "core/group/consumer/heartbeat_composer.hpp"

#include <limits>
#include <memory>

#include <gtest/gtest.h>

namespace strandline::core::group::consumer {
namespace {

using namespace std::chrono_literals;
using protocol::member_epoch;

struct a_heartbeat_composer : testing::Test {
    boundary::core_config config = [] {
        boundary::core_config made;
        made.group_id = "billing";
        made.group_remote_assignor = "uniform";
        made.client_rack = "r1";
        made.max_poll_interval = 60s;
        return made;
    }();
    heartbeat_composer composer{config};

    std::string id = "me";
    bool id_confirmed = true;
    std::int32_t epoch = 3;
    std::vector<std::string> topics{"orders"};
    std::string pattern;
    owned_partitions owned;
    std::uint64_t owned_version = 1;

    a_heartbeat_composer() { own(0); }
    void own(std::int32_t partition) {
        protocol::topic_id topic_id{};
        topic_id.octets[15] = 1;
        owned.add(boundary::make_partition_ref({"orders", partition}, topic_id));
        ++owned_version;
    }
    member_report member() const {
        return {id, id_confirmed, member_epoch(epoch), topics, pattern, owned, owned_version};
    }
    heartbeat_composer::request compose(std::int16_t version = 1) { return composer.compose(member(), version); }
    heartbeat_composer::request after_an_answer() {
        compose();
        composer.on_answered();
        return compose();
    }
};

TEST_F(a_heartbeat_composer, says_everything_first) {
    const auto said = compose();
    EXPECT_EQ(said.group_id, "billing");
    EXPECT_EQ(said.member_id, "me");
    EXPECT_EQ(said.member_epoch, member_epoch(3));
    EXPECT_EQ(said.rack_id, "r1");
    EXPECT_EQ(said.rebalance_timeout_ms, 60'000);
    EXPECT_EQ(said.server_assignor, "uniform");
    EXPECT_EQ(said.subscribed_topic_names, topics);
    ASSERT_TRUE(said.topic_partitions.has_value());
    ASSERT_EQ(said.topic_partitions->size(), 1U);
    EXPECT_EQ(said.topic_partitions->front().partitions,
              (std::vector<protocol::partition_index>{protocol::partition_index(0)}));
}

TEST_F(a_heartbeat_composer, says_only_who_it_is_once_the_group_knows_everything) {
    const auto said = after_an_answer();
    EXPECT_EQ(said.member_id, "me");
    EXPECT_EQ(said.member_epoch, member_epoch(3));
    EXPECT_FALSE(said.rack_id.has_value());
    EXPECT_EQ(said.rebalance_timeout_ms, -1);
    EXPECT_FALSE(said.server_assignor.has_value());
    EXPECT_FALSE(said.subscribed_topic_names.has_value());
    EXPECT_FALSE(said.subscribed_topic_regex.has_value());
    EXPECT_FALSE(said.topic_partitions.has_value());
}

TEST_F(a_heartbeat_composer, says_what_changed_since) {
    after_an_answer();
    composer.on_answered();
    own(1);
    EXPECT_TRUE(composer.owned_is_news(member()));
    EXPECT_FALSE(composer.subscription_is_news(member()));
    const auto owned_said = compose();
    EXPECT_EQ(owned_said.topic_partitions->front().partitions.size(), 2U);
    EXPECT_FALSE(owned_said.subscribed_topic_names.has_value());
    composer.on_answered();
    EXPECT_FALSE(composer.owned_is_news(member()));
    topics.emplace_back("audit");
    EXPECT_TRUE(composer.subscription_is_news(member()));
    const auto topics_said = compose();
    EXPECT_EQ(topics_said.subscribed_topic_names, topics);
    EXPECT_FALSE(topics_said.topic_partitions.has_value());
}

TEST_F(a_heartbeat_composer, says_everything_again_when_nobody_knows_whether_the_last_one_was_heard) {
    after_an_answer();
    composer.on_unanswered();
    EXPECT_TRUE(composer.subscription_is_news(member()));
    const auto said = compose();
    EXPECT_EQ(said.subscribed_topic_names, topics);
    EXPECT_EQ(said.rebalance_timeout_ms, 60'000);
    EXPECT_EQ(said.topic_partitions->size(), 1U);
}

TEST_F(a_heartbeat_composer, does_not_take_for_acknowledged_what_was_said_without_an_answer) {
    after_an_answer();
    composer.on_answered();
    own(1);
    compose();
    composer.on_unanswered();
    EXPECT_TRUE(composer.owned_is_news(member()));
    composer.on_answered();  // of nothing
    EXPECT_TRUE(composer.owned_is_news(member()));
}

TEST_F(a_heartbeat_composer, joins_with_everything_and_owning_nothing) {
    after_an_answer();
    composer.on_answered();
    epoch = 0;
    const auto said = compose();
    EXPECT_EQ(said.subscribed_topic_names, topics);
    EXPECT_EQ(said.rebalance_timeout_ms, 60'000);
    ASSERT_TRUE(said.topic_partitions.has_value());
    EXPECT_TRUE(said.topic_partitions->empty());
}

TEST_F(a_heartbeat_composer, leaves_the_member_id_to_a_broker_that_makes_it) {
    id_confirmed = false;
    epoch = 0;
    EXPECT_EQ(compose(0).member_id, "");
    EXPECT_EQ(compose(1).member_id, "me");
    id_confirmed = true;
    EXPECT_EQ(compose(0).member_id, "me");
}

TEST_F(a_heartbeat_composer, takes_a_pattern_away_that_the_group_may_hold_until_that_is_answered) {
    pattern = "o.*";
    EXPECT_EQ(compose().subscribed_topic_regex, "o.*");
    composer.on_unanswered();  // the group may have heard it all the same
    pattern.clear();
    EXPECT_EQ(compose().subscribed_topic_regex, "");
    composer.on_unanswered();
    EXPECT_EQ(compose().subscribed_topic_regex, "");
    composer.on_answered();
    EXPECT_FALSE(compose().subscribed_topic_regex.has_value());
}

TEST_F(a_heartbeat_composer, says_a_pattern_that_changed_and_no_pattern_to_a_broker_that_has_none) {
    pattern = "o.*";
    EXPECT_FALSE(compose(0).subscribed_topic_regex.has_value());
    composer.on_unanswered();
    compose();
    composer.on_answered();
    EXPECT_FALSE(compose().subscribed_topic_regex.has_value());
    composer.on_answered();
    pattern = "a.*";
    EXPECT_TRUE(composer.subscription_is_news(member()));
    EXPECT_EQ(compose().subscribed_topic_regex, "a.*");
}

TEST_F(a_heartbeat_composer, names_a_static_member_in_every_heartbeat_and_in_the_last) {
    config.group_instance_id = "till-7";
    EXPECT_EQ(compose().instance_id, "till-7");
    composer.on_answered();
    EXPECT_EQ(compose().instance_id, "till-7");
    const auto said = composer.compose_leave("me", heartbeat_composer::stepping_aside_epoch);
    EXPECT_EQ(said.group_id, "billing");
    EXPECT_EQ(said.member_id, "me");
    EXPECT_EQ(said.member_epoch, member_epoch(-2));
    EXPECT_EQ(said.instance_id, "till-7");
}

TEST_F(a_heartbeat_composer, keeps_the_rebalance_timeout_within_what_the_wire_can_say) {
    config.max_poll_interval = base::duration::max();
    EXPECT_EQ(compose().rebalance_timeout_ms, std::numeric_limits<std::int32_t>::max());
}

}  // namespace
}  // namespace strandline::core::group::consumer
