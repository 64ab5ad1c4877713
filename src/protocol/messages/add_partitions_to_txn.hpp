// AddPartitionsToTxn (24): enrols partitions in a transaction. From version 4 on it is what brokers say to each other.
#pragma once

#include "protocol/message.hpp"

namespace strandline::protocol::messages {

struct add_partitions_to_txn_response;

struct add_partitions_to_txn_request {
    static constexpr std::string_view name = "AddPartitionsToTxnRequest";
    static constexpr auto key = api_key::add_partitions_to_txn;
    static constexpr std::int16_t min_version = 0, max_version = 5;
    static constexpr std::int16_t first_flexible_version = 3;
    using response = add_partitions_to_txn_response;

    struct add_partitions_to_txn_topic {
        std::string name{};
        std::vector<partition_index> partitions{};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const add_partitions_to_txn_topic&) const = default;

        static constexpr void describe(auto& field) {
            using self = add_partitions_to_txn_topic;
            field("Name", &self::name);
            field("Partitions", &self::partitions);
        }
    };

    struct add_partitions_to_txn_transaction {
        std::string transactional_id{};
        protocol::producer_id producer_id{};
        std::int16_t producer_epoch{};
        bool verify_only{};
        std::vector<add_partitions_to_txn_topic> topics{};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const add_partitions_to_txn_transaction&) const = default;

        static constexpr void describe(auto& field) {
            using self = add_partitions_to_txn_transaction;
            field("TransactionalId", &self::transactional_id);
            field("ProducerId", &self::producer_id);
            field("ProducerEpoch", &self::producer_epoch);
            field("VerifyOnly", &self::verify_only);
            field("Topics", &self::topics);
        }
    };

    std::vector<add_partitions_to_txn_transaction> transactions{};
    std::string v3_and_below_transactional_id{};
    producer_id v3_and_below_producer_id{};
    std::int16_t v3_and_below_producer_epoch{};
    std::vector<add_partitions_to_txn_topic> v3_and_below_topics{};
    tagged_fields unknown_tagged_fields{};

    bool operator==(const add_partitions_to_txn_request&) const = default;

    static constexpr void describe(auto& field) {
        using self = add_partitions_to_txn_request;
        field("Transactions", &self::transactions, since(4));
        field("V3AndBelowTransactionalId", &self::v3_and_below_transactional_id, until(3));
        field("V3AndBelowProducerId", &self::v3_and_below_producer_id, until(3));
        field("V3AndBelowProducerEpoch", &self::v3_and_below_producer_epoch, until(3));
        field("V3AndBelowTopics", &self::v3_and_below_topics, until(3));
    }
};

struct add_partitions_to_txn_response {
    static constexpr std::string_view name = "AddPartitionsToTxnResponse";
    static constexpr auto key = api_key::add_partitions_to_txn;
    static constexpr std::int16_t min_version = 0, max_version = 5;
    static constexpr std::int16_t first_flexible_version = 3;

    struct add_partitions_to_txn_partition_result {
        protocol::partition_index partition_index{};
        broker_error partition_error_code{};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const add_partitions_to_txn_partition_result&) const = default;

        static constexpr void describe(auto& field) {
            using self = add_partitions_to_txn_partition_result;
            field("PartitionIndex", &self::partition_index);
            field("PartitionErrorCode", &self::partition_error_code);
        }
    };

    struct add_partitions_to_txn_topic_result {
        std::string name{};
        std::vector<add_partitions_to_txn_partition_result> results_by_partition{};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const add_partitions_to_txn_topic_result&) const = default;

        static constexpr void describe(auto& field) {
            using self = add_partitions_to_txn_topic_result;
            field("Name", &self::name);
            field("ResultsByPartition", &self::results_by_partition);
        }
    };

    struct add_partitions_to_txn_result {
        std::string transactional_id{};
        std::vector<add_partitions_to_txn_topic_result> topic_results{};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const add_partitions_to_txn_result&) const = default;

        static constexpr void describe(auto& field) {
            using self = add_partitions_to_txn_result;
            field("TransactionalId", &self::transactional_id);
            field("TopicResults", &self::topic_results);
        }
    };

    std::int32_t throttle_time_ms{};
    broker_error error_code{};
    std::vector<add_partitions_to_txn_result> results_by_transaction{};
    std::vector<add_partitions_to_txn_topic_result> results_by_topic_v3_and_below{};
    tagged_fields unknown_tagged_fields{};

    bool operator==(const add_partitions_to_txn_response&) const = default;

    static constexpr void describe(auto& field) {
        using self = add_partitions_to_txn_response;
        field("ThrottleTimeMs", &self::throttle_time_ms);
        field("ErrorCode", &self::error_code, since(4).ignorable());
        field("ResultsByTransaction", &self::results_by_transaction, since(4));
        field("ResultsByTopicV3AndBelow", &self::results_by_topic_v3_and_below, until(3));
    }
};

}  // namespace strandline::protocol::messages
