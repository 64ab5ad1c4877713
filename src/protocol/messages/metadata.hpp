// Metadata (3): the brokers of the cluster, its topics, their partitions and who leads them.
#pragma once

#include <limits>

#include "protocol/message.hpp"

namespace strandline::protocol::messages {

struct metadata_response;

struct metadata_request {
    static constexpr std::string_view name = "MetadataRequest";
    static constexpr auto key = api_key::metadata;
    static constexpr std::int16_t min_version = 0, max_version = 13;
    static constexpr std::int16_t first_flexible_version = 9;
    using response = metadata_response;

    struct metadata_request_topic {
        protocol::topic_id topic_id{};
        std::optional<std::string> name{std::in_place};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const metadata_request_topic&) const = default;

        static constexpr void describe(auto& field) {
            using self = metadata_request_topic;
            field("TopicId", &self::topic_id, since(10).ignorable());
            field("Name", &self::name, nullable_since(10));
        }
    };

    // Null asks for all topics, empty for none. Version 0 has no null: there empty asks for all.
    std::optional<std::vector<metadata_request_topic>> topics{std::in_place};
    bool allow_auto_topic_creation{true};
    bool include_cluster_authorized_operations{};
    bool include_topic_authorized_operations{};
    tagged_fields unknown_tagged_fields{};

    bool operator==(const metadata_request&) const = default;

    static constexpr void describe(auto& field) {
        using self = metadata_request;
        field("Topics", &self::topics, nullable_since(1));
        field("AllowAutoTopicCreation", &self::allow_auto_topic_creation, since(4));
        field("IncludeClusterAuthorizedOperations", &self::include_cluster_authorized_operations, between(8, 10));
        field("IncludeTopicAuthorizedOperations", &self::include_topic_authorized_operations, since(8));
    }
};

struct metadata_response {
    static constexpr std::string_view name = "MetadataResponse";
    static constexpr auto key = api_key::metadata;
    static constexpr std::int16_t min_version = 0, max_version = 13;
    static constexpr std::int16_t first_flexible_version = 9;

    struct metadata_response_broker {
        broker_id node_id{};
        std::string host{};
        std::int32_t port{};
        std::optional<std::string> rack{};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const metadata_response_broker&) const = default;

        static constexpr void describe(auto& field) {
            using self = metadata_response_broker;
            field("NodeId", &self::node_id);
            field("Host", &self::host);
            field("Port", &self::port);
            field("Rack", &self::rack, since(1).ignorable());
        }
    };

    struct metadata_response_partition {
        broker_error error_code{};
        protocol::partition_index partition_index{};
        broker_id leader_id{};
        protocol::leader_epoch leader_epoch{-1};
        std::vector<broker_id> replica_nodes{};
        std::vector<broker_id> isr_nodes{};
        std::vector<broker_id> offline_replicas{};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const metadata_response_partition&) const = default;

        static constexpr void describe(auto& field) {
            using self = metadata_response_partition;
            field("ErrorCode", &self::error_code);
            field("PartitionIndex", &self::partition_index);
            field("LeaderId", &self::leader_id);
            field("LeaderEpoch", &self::leader_epoch, since(7).ignorable());
            field("ReplicaNodes", &self::replica_nodes);
            field("IsrNodes", &self::isr_nodes);
            field("OfflineReplicas", &self::offline_replicas, since(5).ignorable());
        }
    };

    struct metadata_response_topic {
        broker_error error_code{};
        std::optional<std::string> name{std::in_place};
        protocol::topic_id topic_id{};
        bool is_internal{};
        std::vector<metadata_response_partition> partitions{};
        // One bit per operation; the least number if nobody asked.
        std::int32_t topic_authorized_operations{std::numeric_limits<std::int32_t>::min()};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const metadata_response_topic&) const = default;

        static constexpr void describe(auto& field) {
            using self = metadata_response_topic;
            field("ErrorCode", &self::error_code);
            field("Name", &self::name, nullable_since(12));
            field("TopicId", &self::topic_id, since(10).ignorable());
            field("IsInternal", &self::is_internal, since(1).ignorable());
            field("Partitions", &self::partitions);
            field("TopicAuthorizedOperations", &self::topic_authorized_operations, since(8));
        }
    };

    std::int32_t throttle_time_ms{};
    std::vector<metadata_response_broker> brokers{};
    std::optional<std::string> cluster_id{};
    broker_id controller_id{-1};
    std::vector<metadata_response_topic> topics{};
    // As for topics.
    std::int32_t cluster_authorized_operations{std::numeric_limits<std::int32_t>::min()};
    // Of the answer as a whole: rebootstrap_required (KIP-1102).
    broker_error error_code{};
    tagged_fields unknown_tagged_fields{};

    bool operator==(const metadata_response&) const = default;

    static constexpr void describe(auto& field) {
        using self = metadata_response;
        field("ThrottleTimeMs", &self::throttle_time_ms, since(3).ignorable());
        field("Brokers", &self::brokers);
        field("ClusterId", &self::cluster_id, since(2).ignorable());
        field("ControllerId", &self::controller_id, since(1).ignorable());
        field("Topics", &self::topics);
        field("ClusterAuthorizedOperations", &self::cluster_authorized_operations, between(8, 10));
        field("ErrorCode", &self::error_code, since(13).ignorable());
    }
};

}  // namespace strandline::protocol::messages
