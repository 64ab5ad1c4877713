// What brokers answer in corners, one by one: a real broker was asked each of these (tests/conformance/broker).
#include <gtest/gtest.h>

#include "protocol/any_request.hpp"
#include "protocol/codec.hpp"
#include "records/batch_builder.hpp"
#include "testkit/fake_cluster/fake_cluster_core.hpp"
#include "testkit/fake_cluster/handlers.hpp"

namespace strandline::testkit::fake {
namespace {

using protocol::broker_error;

constexpr connection_id client{1};

base::shared_bytes batch(std::size_t size = 1, const records::batch_options& options = {}) {
    const std::string value(size, 'x');
    records::batch_builder builder(options);
    builder.append({.timestamp = 1000, .value = base::as_bytes(value)});
    return builder.build();
}

// A client of one broker that has one topic.
struct answers : testing::Test {
    answers() {
        orders = &core.cluster().create_topic("orders", 1, 1);
        EXPECT_TRUE(core.on_accept(client, protocol::broker_id(1)));
    }

    template <class Request>
    typename Request::response ask(const Request& request, std::int16_t version = Request::max_version) {
        using response = typename Request::response;
        const auto frame =
            protocol::encode_request_frame(request, version, protocol::correlation_id(1), "test").value();
        core.on_bytes(client, frame, {}, {});
        const auto out = core.take_outgoing();
        if (out.size() != 1 || out[0].close) {
            ADD_FAILURE() << "no answer";
            return {};
        }
        const auto split =
            protocol::split_response(out[0].bytes.slice(4, out[0].bytes.size() - 4), response::key, version).value();
        return protocol::decode<response>(split.body, version).value();
    }

    messages::produce_response::partition_produce_response produce(base::shared_bytes records, std::int16_t acks = -1) {
        messages::produce_request request;
        request.acks = acks;
        auto& topic = request.topic_data.emplace_back();
        topic.name = "orders";
        topic.partition_data.emplace_back().records = std::move(records);
        return ask(request, 12).responses.at(0).partition_responses.at(0);
    }
    messages::metadata_response::metadata_response_topic metadata(const std::string& name, bool may_create = false) {
        messages::metadata_request request;
        request.topics->emplace_back().name = name;
        request.allow_auto_topic_creation = may_create;
        return ask(request, 12).topics.at(0);
    }
    messages::fetch_response::partition_data fetch(std::int64_t from, std::int32_t last_epoch = -1) {
        messages::fetch_request request;
        auto& topic = request.topics.emplace_back();
        topic.topic = "orders";
        auto& partition = topic.partitions.emplace_back();
        partition.fetch_offset = from;
        partition.partition_max_bytes = 1 << 20;
        partition.last_fetched_epoch = protocol::leader_epoch(last_epoch);
        return ask(request, 12).responses.at(0).partitions.at(0);
    }

    fake_cluster_core core{{}};
    topic_state* orders = nullptr;
};

TEST_F(answers, old_clients_are_told_less) {
    messages::list_offsets_request request;
    request.replica_id = protocol::no_broker;
    auto& topic = request.topics.emplace_back();
    topic.name = "orders";
    topic.partitions.emplace_back().timestamp = -1;
    for (std::int16_t version = 1; version <= messages::list_offsets_request::max_version; ++version) {
        EXPECT_EQ(ask(request, version).topics.at(0).partitions.at(0).offset, 0) << version;
    }
}

TEST_F(answers, a_topic_that_is_made_by_asking_is_there_the_next_time) {
    EXPECT_EQ(metadata("wished", true).error_code, broker_error::unknown_topic_or_partition);
    EXPECT_EQ(metadata("wished").error_code, broker_error::none);
}

TEST_F(answers, looking_for_a_coordinator_makes_the_topic_it_keeps) {
    messages::find_coordinator_request request;
    request.coordinator_keys = {"billing"};
    EXPECT_EQ(ask(request).coordinators.at(0).error_code, broker_error::none);
    const auto offsets = metadata("__consumer_offsets");
    EXPECT_EQ(offsets.partitions.size(), 50U);
    EXPECT_TRUE(offsets.is_internal);
    EXPECT_EQ(metadata("__transaction_state").error_code, broker_error::unknown_topic_or_partition);
}

TEST_F(answers, records_that_may_not_be_written_are_not) {
    EXPECT_EQ(produce(batch(), 2).error_code, broker_error::invalid_required_acks);
    EXPECT_EQ(produce(base::shared_bytes{}).error_code, broker_error::invalid_record);
    EXPECT_EQ(produce(batch(1'100'000)).error_code, broker_error::message_too_large);
    const auto transactional =
        batch(1, {.producer_id = 1, .producer_epoch = 0, .base_sequence = 0, .transactional = true});
    const auto refused = produce(transactional);
    EXPECT_EQ(refused.error_code, broker_error::transactional_id_authorization_failed);
    EXPECT_EQ(refused.base_offset, -1);
    EXPECT_EQ(refused.log_start_offset, -1);
    EXPECT_EQ(orders->find(0)->log.high_watermark(), 0);
}

TEST_F(answers, a_topic_may_take_less_and_stamp_what_it_takes) {
    orders->configs["max.message.bytes"] = "1000";
    orders->configs["message.timestamp.type"] = "LogAppendTime";
    EXPECT_EQ(produce(batch(1000)).error_code, broker_error::message_too_large);
    EXPECT_EQ(produce(batch()).log_append_time_ms, 0);
}

TEST_F(answers, out_of_range_nothing_is_told_of_the_log) {
    produce(batch());
    const auto beyond = fetch(2);
    EXPECT_EQ(beyond.error_code, broker_error::offset_out_of_range);
    EXPECT_EQ(beyond.high_watermark, -1);
    EXPECT_EQ(fetch(1).high_watermark, 1);
    // An epoch that has not come is out of range, one that ended before diverges.
    EXPECT_EQ(fetch(1, 7).error_code, broker_error::offset_out_of_range);
    core.cluster().elect(*orders->find(0), protocol::broker_id(1));
    EXPECT_EQ(fetch(2, 0).diverging_epoch.end_offset, 1);
}

TEST_F(answers, special_timestamps_have_their_versions) {
    messages::list_offsets_request request;
    request.replica_id = protocol::no_broker;
    auto& topic = request.topics.emplace_back();
    topic.name = "orders";
    topic.partitions.emplace_back().timestamp = -3;
    EXPECT_EQ(ask(request, 6).topics.at(0).partitions.at(0).error_code, broker_error::unsupported_version);
    EXPECT_EQ(ask(request, 7).topics.at(0).partitions.at(0).error_code, broker_error::none);
    topic.partitions[0].timestamp = -9;
    EXPECT_EQ(ask(request).topics.at(0).partitions.at(0).error_code, broker_error::unsupported_version);
}

TEST_F(answers, a_name_that_looks_like_another_is_refused) {
    messages::create_topics_request request;
    auto& topic = request.topics.emplace_back();
    topic.name = "look.alike";
    topic.num_partitions = 1;
    topic.replication_factor = 1;
    EXPECT_EQ(ask(request).topics.at(0).error_code, broker_error::none);
    topic.name = "look_alike";
    EXPECT_EQ(ask(request).topics.at(0).error_code, broker_error::invalid_topic_exception);
    topic.name = "a b";
    EXPECT_EQ(ask(request).topics.at(0).error_message,
              "Topic name is invalid: 'a b' contains one or more characters other than ASCII alphanumerics, '.', '_' "
              "and '-'");
}

TEST_F(answers, configs_are_checked_as_brokers_do) {
    messages::create_topics_request request;
    auto& topic = request.topics.emplace_back();
    topic.name = "strict";
    topic.num_partitions = 1;
    topic.replication_factor = 1;
    auto& config = topic.configs.emplace_back();
    const auto message_for = [&](const char* name, const char* value) {
        config.name = name;
        config.value = value;
        return ask(request).topics.at(0).error_message.value_or("");
    };
    EXPECT_EQ(message_for("retention.ms", "soon"),
              "Invalid value soon for configuration retention.ms: Not a number of type LONG");
    EXPECT_EQ(message_for("min.insync.replicas", "0"),
              "Invalid value 0 for configuration min.insync.replicas: Value must be at least 1");
    EXPECT_EQ(message_for("cleanup.policy", "burn"),
              "Invalid value burn for configuration cleanup.policy: String must be one of: compact, delete");
    EXPECT_EQ(message_for("cleanup.policy", "compact,delete"), "");
}

TEST_F(answers, a_client_says_who_it_is_in_words_of_letters) {
    messages::api_versions_request request;
    request.client_software_name = "strand line";
    request.client_software_version = "1.0";
    EXPECT_EQ(ask(request, 3).error_code, broker_error::invalid_request);
    request.client_software_name = "strandline";
    EXPECT_EQ(ask(request, 3).error_code, broker_error::none);
    request.node_id = protocol::broker_id(1);
    EXPECT_EQ(ask(request, 5).error_code, broker_error::invalid_request);
    request.cluster_id = core.cluster().cluster_id();
    EXPECT_EQ(ask(request, 5).error_code, broker_error::none);
    request.node_id = protocol::broker_id(2);
    EXPECT_EQ(ask(request, 5).error_code, broker_error::rebootstrap_required);
}

TEST_F(answers, a_producer_that_comes_again_must_wait_for_the_end_of_what_it_left_open) {
    messages::init_producer_id_request init;
    init.transactional_id = "teller";
    init.transaction_timeout_ms = 60'000;
    const auto first = ask(init, 4);
    ASSERT_EQ(first.error_code, broker_error::none);
    messages::add_partitions_to_txn_request add;
    add.v3_and_below_transactional_id = "teller";
    add.v3_and_below_producer_id = first.producer_id;
    add.v3_and_below_producer_epoch = first.producer_epoch;
    auto& topic = add.v3_and_below_topics.emplace_back();
    topic.name = "orders";
    topic.partitions = {protocol::partition_index(0)};
    ask(add, 3);
    EXPECT_EQ(ask(init, 4).error_code, broker_error::concurrent_transactions);
    EXPECT_EQ(ask(init, 4).error_code, broker_error::none);
}

}  // namespace
}  // namespace strandline::testkit::fake
