// ConsumerGroupDescribe (69): members and assignments of consumer groups (KIP-848).
#pragma once

#include <limits>

#include "protocol/message.hpp"

namespace strandline::protocol::messages {

struct consumer_group_describe_response;

struct consumer_group_describe_request {
    static constexpr std::string_view name = "ConsumerGroupDescribeRequest";
    static constexpr auto key = api_key::consumer_group_describe;
    static constexpr std::int16_t min_version = 0, max_version = 1;
    static constexpr std::int16_t first_flexible_version = 0;
    using response = consumer_group_describe_response;

    std::vector<std::string> group_ids{};
    bool include_authorized_operations{};
    tagged_fields unknown_tagged_fields{};

    bool operator==(const consumer_group_describe_request&) const = default;

    static constexpr void describe(auto& field) {
        using self = consumer_group_describe_request;
        field("GroupIds", &self::group_ids);
        field("IncludeAuthorizedOperations", &self::include_authorized_operations);
    }
};

struct consumer_group_describe_response {
    static constexpr std::string_view name = "ConsumerGroupDescribeResponse";
    static constexpr auto key = api_key::consumer_group_describe;
    static constexpr std::int16_t min_version = 0, max_version = 1;
    static constexpr std::int16_t first_flexible_version = 0;

    struct topic_partitions_value {
        protocol::topic_id topic_id{};
        std::string topic_name{};
        std::vector<partition_index> partitions{};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const topic_partitions_value&) const = default;

        static constexpr void describe(auto& field) {
            using self = topic_partitions_value;
            field("TopicId", &self::topic_id);
            field("TopicName", &self::topic_name);
            field("Partitions", &self::partitions);
        }
    };

    struct assignment_value {
        std::vector<topic_partitions_value> topic_partitions{};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const assignment_value&) const = default;

        static constexpr void describe(auto& field) {
            using self = assignment_value;
            field("TopicPartitions", &self::topic_partitions);
        }
    };

    struct member {
        std::string member_id{};
        std::optional<std::string> instance_id{};
        std::optional<std::string> rack_id{};
        protocol::member_epoch member_epoch{};
        std::string client_id{};
        std::string client_host{};
        std::vector<std::string> subscribed_topic_names{};
        std::optional<std::string> subscribed_topic_regex{};
        assignment_value assignment{};
        assignment_value target_assignment{};
        std::int8_t member_type{-1};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const member&) const = default;

        static constexpr void describe(auto& field) {
            using self = member;
            field("MemberId", &self::member_id);
            field("InstanceId", &self::instance_id);
            field("RackId", &self::rack_id);
            field("MemberEpoch", &self::member_epoch);
            field("ClientId", &self::client_id);
            field("ClientHost", &self::client_host);
            field("SubscribedTopicNames", &self::subscribed_topic_names);
            field("SubscribedTopicRegex", &self::subscribed_topic_regex);
            field("Assignment", &self::assignment);
            field("TargetAssignment", &self::target_assignment);
            field("MemberType", &self::member_type, since(1).ignorable());
        }
    };

    struct described_group {
        broker_error error_code{};
        std::optional<std::string> error_message{};
        std::string group_id{};
        std::string group_state{};
        std::int32_t group_epoch{};
        std::int32_t assignment_epoch{};
        std::string assignor_name{};
        std::vector<member> members{};
        std::int32_t authorized_operations{std::numeric_limits<std::int32_t>::min()};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const described_group&) const = default;

        static constexpr void describe(auto& field) {
            using self = described_group;
            field("ErrorCode", &self::error_code);
            field("ErrorMessage", &self::error_message);
            field("GroupId", &self::group_id);
            field("GroupState", &self::group_state);
            field("GroupEpoch", &self::group_epoch);
            field("AssignmentEpoch", &self::assignment_epoch);
            field("AssignorName", &self::assignor_name);
            field("Members", &self::members);
            field("AuthorizedOperations", &self::authorized_operations);
        }
    };

    std::int32_t throttle_time_ms{};
    std::vector<described_group> groups{};
    tagged_fields unknown_tagged_fields{};

    bool operator==(const consumer_group_describe_response&) const = default;

    static constexpr void describe(auto& field) {
        using self = consumer_group_describe_response;
        field("ThrottleTimeMs", &self::throttle_time_ms);
        field("Groups", &self::groups);
    }
};

}  // namespace strandline::protocol::messages
