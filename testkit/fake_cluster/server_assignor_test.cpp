#include "testkit/fake_cluster/server_assignor.hpp"

#include <gtest/gtest.h>

namespace strandline::testkit::fake {
namespace {

struct server_assignor : testing::Test {
    server_assignor() {
        cluster.add_broker(protocol::broker_id(1), "");
        orders = cluster.create_topic("orders", 4, 1).id;
        bills = cluster.create_topic("bills", 3, 1).id;
    }
    partition_set of(protocol::topic_id topic, const std::vector<int>& partitions) const {
        partition_set made;
        for (const auto index : partitions) made.insert({topic, index});
        return made;
    }

    cluster_state cluster{"cluster", 1};
    protocol::topic_id orders;
    protocol::topic_id bills;
};

TEST_F(server_assignor, gives_ranges_in_the_order_of_member_ids) {
    const auto target = assign_ranges({{"a", {"orders"}}, {"b", {"orders"}}, {"c", {"orders"}}}, cluster);
    EXPECT_EQ(target.at("a"), of(orders, {0, 1}));
    EXPECT_EQ(target.at("b"), of(orders, {2}));
    EXPECT_EQ(target.at("c"), of(orders, {3}));
}

TEST_F(server_assignor, gives_each_topic_to_its_subscribers_only) {
    const auto target = assign_ranges({{"a", {"orders"}}, {"b", {"bills"}}}, cluster);
    EXPECT_EQ(target.at("a"), of(orders, {0, 1, 2, 3}));
    EXPECT_EQ(target.at("b"), of(bills, {0, 1, 2}));
}

TEST_F(server_assignor, gives_equal_shares_uniformly) {
    const auto target = assign_uniformly({{"a", {"orders", "bills"}}, {"b", {"orders", "bills"}}}, cluster, {});
    EXPECT_EQ(target.at("a").size() + target.at("b").size(), 7u);
    EXPECT_GE(target.at("a").size(), 3u);
    EXPECT_GE(target.at("b").size(), 3u);
}

TEST_F(server_assignor, lets_members_keep_what_their_share_allows) {
    const std::map<std::string, partition_set> before{{"a", of(orders, {0, 1, 2, 3})}};
    const auto target = assign_uniformly({{"a", {"orders"}}, {"b", {"orders"}}}, cluster, before);
    EXPECT_EQ(target.at("a"), of(orders, {0, 1}));
    EXPECT_EQ(target.at("b"), of(orders, {2, 3}));
    // Nothing moves when nothing has changed.
    EXPECT_EQ(assign_uniformly({{"a", {"orders"}}, {"b", {"orders"}}}, cluster, target), target);
}

TEST_F(server_assignor, leaves_members_without_partitions_when_there_are_too_few) {
    const auto target =
        assign_uniformly({{"a", {"bills"}}, {"b", {"bills"}}, {"c", {"bills"}}, {"d", {"bills"}}}, cluster, {});
    ASSERT_EQ(target.size(), 4u);
    std::size_t empty = 0;
    for (const auto& [member, partitions] : target) empty += partitions.empty() ? 1 : 0;
    EXPECT_EQ(empty, 1u);
}

}  // namespace
}  // namespace strandline::testkit::fake
