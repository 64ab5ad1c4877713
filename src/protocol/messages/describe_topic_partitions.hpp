// DescribeTopicPartitions (75): metadata of topics, page by page.
#pragma once

#include <limits>

#include "protocol/message.hpp"

namespace strandline::protocol::messages {

struct describe_topic_partitions_response;

struct describe_topic_partitions_request {
    static constexpr std::string_view name = "DescribeTopicPartitionsRequest";
    static constexpr auto key = api_key::describe_topic_partitions;
    static constexpr std::int16_t min_version = 0, max_version = 0;
    static constexpr std::int16_t first_flexible_version = 0;
    using response = describe_topic_partitions_response;

    struct topic_request {
        std::string name{};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const topic_request&) const = default;

        static constexpr void describe(auto& field) {
            using self = topic_request;
            field("Name", &self::name);
        }
    };

    // Without initialisers: clang++ does not take a nested struct that has some for default-constructible in an
    // optional.
    struct cursor_value {
        std::string topic_name;
        protocol::partition_index partition_index;
        tagged_fields unknown_tagged_fields;

        bool operator==(const cursor_value&) const = default;

        static constexpr void describe(auto& field) {
            using self = cursor_value;
            field("TopicName", &self::topic_name);
            field("PartitionIndex", &self::partition_index);
        }
    };

    std::vector<topic_request> topics{};
    std::int32_t response_partition_limit{2000};
    std::optional<cursor_value> cursor{};
    tagged_fields unknown_tagged_fields{};

    bool operator==(const describe_topic_partitions_request&) const = default;

    static constexpr void describe(auto& field) {
        using self = describe_topic_partitions_request;
        field("Topics", &self::topics);
        field("ResponsePartitionLimit", &self::response_partition_limit);
        field("Cursor", &self::cursor);
    }
};

struct describe_topic_partitions_response {
    static constexpr std::string_view name = "DescribeTopicPartitionsResponse";
    static constexpr auto key = api_key::describe_topic_partitions;
    static constexpr std::int16_t min_version = 0, max_version = 0;
    static constexpr std::int16_t first_flexible_version = 0;

    struct describe_topic_partitions_response_partition {
        broker_error error_code{};
        protocol::partition_index partition_index{};
        broker_id leader_id{};
        protocol::leader_epoch leader_epoch{-1};
        std::vector<broker_id> replica_nodes{};
        std::vector<broker_id> isr_nodes{};
        std::optional<std::vector<broker_id>> eligible_leader_replicas{};
        std::optional<std::vector<broker_id>> last_known_elr{};
        std::vector<broker_id> offline_replicas{};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const describe_topic_partitions_response_partition&) const = default;

        static constexpr void describe(auto& field) {
            using self = describe_topic_partitions_response_partition;
            field("ErrorCode", &self::error_code);
            field("PartitionIndex", &self::partition_index);
            field("LeaderId", &self::leader_id);
            field("LeaderEpoch", &self::leader_epoch);
            field("ReplicaNodes", &self::replica_nodes);
            field("IsrNodes", &self::isr_nodes);
            field("EligibleLeaderReplicas", &self::eligible_leader_replicas);
            field("LastKnownElr", &self::last_known_elr);
            field("OfflineReplicas", &self::offline_replicas);
        }
    };

    struct describe_topic_partitions_response_topic {
        broker_error error_code{};
        std::optional<std::string> name{std::in_place};
        protocol::topic_id topic_id{};
        bool is_internal{};
        std::vector<describe_topic_partitions_response_partition> partitions{};
        std::int32_t topic_authorized_operations{std::numeric_limits<std::int32_t>::min()};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const describe_topic_partitions_response_topic&) const = default;

        static constexpr void describe(auto& field) {
            using self = describe_topic_partitions_response_topic;
            field("ErrorCode", &self::error_code);
            field("Name", &self::name);
            field("TopicId", &self::topic_id);
            field("IsInternal", &self::is_internal);
            field("Partitions", &self::partitions);
            field("TopicAuthorizedOperations", &self::topic_authorized_operations);
        }
    };

    // Without initialisers: clang++ does not take a nested struct that has some for default-constructible in an
    // optional.
    struct cursor {
        std::string topic_name;
        protocol::partition_index partition_index;
        tagged_fields unknown_tagged_fields;

        bool operator==(const cursor&) const = default;

        static constexpr void describe(auto& field) {
            using self = cursor;
            field("TopicName", &self::topic_name);
            field("PartitionIndex", &self::partition_index);
        }
    };

    std::int32_t throttle_time_ms{};
    std::vector<describe_topic_partitions_response_topic> topics{};
    std::optional<cursor> next_cursor{};
    tagged_fields unknown_tagged_fields{};

    bool operator==(const describe_topic_partitions_response&) const = default;

    static constexpr void describe(auto& field) {
        using self = describe_topic_partitions_response;
        field("ThrottleTimeMs", &self::throttle_time_ms);
        field("Topics", &self::topics);
        field("NextCursor", &self::next_cursor);
    }
};

}  // namespace strandline::protocol::messages
