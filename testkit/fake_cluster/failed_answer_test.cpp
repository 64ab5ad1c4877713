#include "testkit/fake_cluster/failed_answer.hpp"

#include <gtest/gtest.h>

#include "protocol/messages/all.hpp"
#include "testkit/fake_cluster/handlers.hpp"

namespace strandline::testkit::fake {
namespace {

using protocol::broker_error;

constexpr auto error = broker_error::not_coordinator;

// As a client would read it: what cannot be written is not there.
template <class Request>
typename Request::response failed(const Request& request, std::int16_t version = Request::max_version) {
    using response = typename Request::response;
    const auto made = failed_answer(request, version, error);
    protocol::writer out(protocol::measure(made, version));
    EXPECT_TRUE(protocol::encode(out, made, version).has_value()) << Request::name << " " << version;
    return protocol::decode<response>(std::move(out).take(), version).value_or(response{});
}

TEST(failed_answer, names_each_partition_that_was_asked_for) {
    messages::produce_request request;
    auto& topic = request.topic_data.emplace_back();
    topic.name = "orders";
    topic.partition_data.emplace_back().index = protocol::partition_index(3);
    const auto answer = failed(request, 12);
    ASSERT_EQ(answer.responses.size(), 1U);
    EXPECT_EQ(answer.responses[0].name, "orders");
    const auto& partition = answer.responses[0].partition_responses.at(0);
    EXPECT_EQ(partition.index.value(), 3);
    EXPECT_EQ(partition.error_code, error);
    EXPECT_EQ(partition.base_offset, -1);
}

TEST(failed_answer, of_a_fetch_is_about_its_partitions_if_it_names_any) {
    messages::fetch_request request;
    EXPECT_EQ(failed(request).error_code, error);
    request.topics.emplace_back().partitions.emplace_back().partition = protocol::partition_index(3);
    const auto answer = failed(request);
    EXPECT_EQ(answer.error_code, broker_error::none);
    const auto& partition = answer.responses.at(0).partitions.at(0);
    EXPECT_EQ(partition.partition_index.value(), 3);
    EXPECT_EQ(partition.error_code, error);
    EXPECT_EQ(partition.records, base::shared_bytes{});
}

TEST(failed_answer, of_find_coordinator_stands_where_its_version_has_it) {
    messages::find_coordinator_request old;
    old.coordinator_key = "group";
    EXPECT_EQ(failed(old, 3).error_code, error);
    EXPECT_EQ(failed(old, 3).node_id, protocol::no_broker);
    messages::find_coordinator_request newer;
    newer.coordinator_keys = {"group", "other"};
    const auto answer = failed(newer, 6);
    ASSERT_EQ(answer.coordinators.size(), 2U);
    EXPECT_EQ(answer.coordinators[1].key, "other");
    EXPECT_EQ(answer.coordinators[1].error_code, error);
}

TEST(failed_answer, of_offset_fetch_is_about_each_group) {
    messages::offset_fetch_request request;
    request.groups.emplace_back().group_id = "group";
    const auto answer = failed(request, 9);
    EXPECT_EQ(answer.groups.at(0).group_id, "group");
    EXPECT_EQ(answer.groups.at(0).error_code, error);
    messages::offset_fetch_request old;
    old.group_id = "group";
    EXPECT_EQ(failed(old, 7).error_code, error);
}

TEST(failed_answer, of_transactions_is_about_each_of_them) {
    messages::add_partitions_to_txn_request old;
    auto& topic = old.v3_and_below_topics.emplace_back();
    topic.name = "orders";
    topic.partitions = {protocol::partition_index(1)};
    const auto answer = failed(old, 3);
    EXPECT_EQ(answer.results_by_topic_v3_and_below.at(0).results_by_partition.at(0).partition_error_code, error);
    messages::add_partitions_to_txn_request newer;
    auto& one = newer.transactions.emplace_back();
    one.transactional_id = "teller";
    one.topics = {topic};
    const auto shown = failed(newer, 5).results_by_transaction.at(0);
    EXPECT_EQ(shown.transactional_id, "teller");
    EXPECT_EQ(shown.topic_results.at(0).name, "orders");
    EXPECT_EQ(shown.topic_results.at(0).results_by_partition.at(0).partition_index.value(), 1);
}

TEST(failed_answer, of_administration_names_what_was_asked_for) {
    messages::delete_topics_request deletion;
    deletion.topic_names = {"orders"};
    EXPECT_EQ(failed(deletion, 5).responses.at(0).name, "orders");
    messages::delete_groups_request groups;
    groups.groups_names = {"billing"};
    EXPECT_EQ(failed(groups).results.at(0).group_id, "billing");
    messages::describe_groups_request described;
    described.groups = {"billing"};
    EXPECT_EQ(failed(described).groups.at(0).group_id, "billing");
    messages::describe_configs_request configs;
    configs.resources.emplace_back().resource_name = "orders";
    EXPECT_EQ(failed(configs).results.at(0).resource_name, "orders");
    EXPECT_EQ(failed(configs).results.at(0).error_code, error);
}

}  // namespace
}  // namespace strandline::testkit::fake
