#include "core/offsets/topic_lists.hpp"

#include <gtest/gtest.h>

#include "core/offsets/commit_item.hpp"
#include "protocol/messages/offset_commit.hpp"

namespace strandline::core::offsets {
namespace {

using request_topic = protocol::messages::offset_commit_request::offset_commit_request_topic;
using response_topic = protocol::messages::offset_commit_response::offset_commit_response_topic;

commit_item item_of(std::string topic, std::int32_t partition, protocol::topic_id id = {}) {
    return {{std::move(topic), partition}, id, {}, offset_and_metadata(7)};
}

response_topic answered(std::string name, protocol::topic_id id, const std::vector<std::int32_t>& indexes) {
    response_topic topic;
    topic.name = std::move(name);
    topic.topic_id = id;
    for (const auto index : indexes) topic.partitions.emplace_back().partition_index = protocol::partition_index(index);
    return topic;
}

TEST(topic_lists, a_request_names_each_topic_once_and_its_partitions_as_they_were_asked_for) {
    const commit_items items{item_of("payments", 1), item_of("orders", 3), item_of("payments", 0),
                             item_of("orders", 2)};
    const auto topics = by_topic(items, &request_topic::name, [](request_topic& to, const commit_item& item) {
        to.partitions.emplace_back().partition_index = protocol::partition_index(item.partition.partition);
    });
    ASSERT_EQ(topics.size(), 2U);
    EXPECT_EQ(topics[0].name, "orders");
    EXPECT_EQ(topics[1].name, "payments");
    ASSERT_EQ(topics[0].partitions.size(), 2U);
    EXPECT_EQ(topics[0].partitions[0].partition_index.value(), 3);
    EXPECT_EQ(topics[0].partitions[1].partition_index.value(), 2);
}

TEST(topic_lists, an_answer_is_about_single_partitions_and_its_last_word_counts) {
    std::vector<response_topic> topics{answered("orders", {}, {3, 2}), answered("orders", {}, {3})};
    topics[1].partitions[0].error_code = protocol::broker_error::not_coordinator;
    const auto found =
        by_partition(topics, &response_topic::name, [](const auto& partition) { return partition.error_code; });
    EXPECT_EQ(found, (std::map<topic_partition, protocol::broker_error>{
                         {{"orders", 2}, protocol::broker_error::none},
                         {{"orders", 3}, protocol::broker_error::not_coordinator}}));
}

TEST(topic_lists, topics_that_an_answer_has_by_id_are_called_as_they_were_asked_for) {
    const protocol::topic_id id({1});
    const asked_topics asked(commit_items{item_of("orders", 3, id)});
    EXPECT_EQ(asked.name_of(answered("", id, {})), "orders");
    EXPECT_EQ(asked.name_of(answered("", protocol::topic_id({2}), {})), "") << "nobody asked about it";
    EXPECT_EQ(asked_topics().name_of(answered("orders", id, {})), "orders");
}

}  // namespace
}  // namespace strandline::core::offsets
