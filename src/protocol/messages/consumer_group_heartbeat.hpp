// ConsumerGroupHeartbeat (68): membership of a consumer group, and what it is assigned (KIP-848).
#pragma once

#include "protocol/message.hpp"

namespace strandline::protocol::messages {

struct consumer_group_heartbeat_response;

struct consumer_group_heartbeat_request {
    static constexpr std::string_view name = "ConsumerGroupHeartbeatRequest";
    static constexpr auto key = api_key::consumer_group_heartbeat;
    static constexpr std::int16_t min_version = 0, max_version = 1;
    static constexpr std::int16_t first_flexible_version = 0;
    using response = consumer_group_heartbeat_response;

    struct topic_partitions_value {
        protocol::topic_id topic_id{};
        std::vector<partition_index> partitions{};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const topic_partitions_value&) const = default;

        static constexpr void describe(auto& field) {
            using self = topic_partitions_value;
            field("TopicId", &self::topic_id);
            field("Partitions", &self::partitions);
        }
    };

    std::string group_id{};
    std::string member_id{};
    // 0 joins, -1 leaves, -2 leaves for a while, as a static member does.
    protocol::member_epoch member_epoch{};
    std::optional<std::string> instance_id{};
    // From here on null, and -1 for the timeout, mean: as in the last heartbeat.
    std::optional<std::string> rack_id{};
    std::int32_t rebalance_timeout_ms{-1};
    std::optional<std::vector<std::string>> subscribed_topic_names{};
    // Empty ends the subscription by pattern.
    std::optional<std::string> subscribed_topic_regex{};
    std::optional<std::string> server_assignor{};
    // What the member owns: the acknowledgement of an assignment.
    std::optional<std::vector<topic_partitions_value>> topic_partitions{};
    tagged_fields unknown_tagged_fields{};

    bool operator==(const consumer_group_heartbeat_request&) const = default;

    static constexpr void describe(auto& field) {
        using self = consumer_group_heartbeat_request;
        field("GroupId", &self::group_id);
        field("MemberId", &self::member_id);
        field("MemberEpoch", &self::member_epoch);
        field("InstanceId", &self::instance_id);
        field("RackId", &self::rack_id);
        field("RebalanceTimeoutMs", &self::rebalance_timeout_ms);
        field("SubscribedTopicNames", &self::subscribed_topic_names);
        field("SubscribedTopicRegex", &self::subscribed_topic_regex, since(1));
        field("ServerAssignor", &self::server_assignor);
        field("TopicPartitions", &self::topic_partitions);
    }
};

struct consumer_group_heartbeat_response {
    static constexpr std::string_view name = "ConsumerGroupHeartbeatResponse";
    static constexpr auto key = api_key::consumer_group_heartbeat;
    static constexpr std::int16_t min_version = 0, max_version = 1;
    static constexpr std::int16_t first_flexible_version = 0;

    struct topic_partitions_value {
        protocol::topic_id topic_id{};
        std::vector<partition_index> partitions{};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const topic_partitions_value&) const = default;

        static constexpr void describe(auto& field) {
            using self = topic_partitions_value;
            field("TopicId", &self::topic_id);
            field("Partitions", &self::partitions);
        }
    };

    // Without initialisers: clang++ does not take a nested struct that has some for default-constructible in an
    // optional.
    struct assignment_value {
        std::vector<topic_partitions_value> topic_partitions;
        tagged_fields unknown_tagged_fields;

        bool operator==(const assignment_value&) const = default;

        static constexpr void describe(auto& field) {
            using self = assignment_value;
            field("TopicPartitions", &self::topic_partitions);
        }
    };

    std::int32_t throttle_time_ms{};
    broker_error error_code{};
    std::optional<std::string> error_message{};
    std::optional<std::string> member_id{};
    protocol::member_epoch member_epoch{};
    std::int32_t heartbeat_interval_ms{};
    // Null: as before. Without partitions: give up all.
    std::optional<assignment_value> assignment{};
    tagged_fields unknown_tagged_fields{};

    bool operator==(const consumer_group_heartbeat_response&) const = default;

    static constexpr void describe(auto& field) {
        using self = consumer_group_heartbeat_response;
        field("ThrottleTimeMs", &self::throttle_time_ms);
        field("ErrorCode", &self::error_code);
        field("ErrorMessage", &self::error_message);
        field("MemberId", &self::member_id);
        field("MemberEpoch", &self::member_epoch);
        field("HeartbeatIntervalMs", &self::heartbeat_interval_ms);
        field("Assignment", &self::assignment);
    }
};

}  // namespace strandline::protocol::messages
