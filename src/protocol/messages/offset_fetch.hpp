// OffsetFetch (9): the positions a group has stored. Before version 8 for one group, since then for several.
#pragma once

#include "protocol/message.hpp"

namespace strandline::protocol::messages {

struct offset_fetch_response;

struct offset_fetch_request {
    static constexpr std::string_view name = "OffsetFetchRequest";
    static constexpr auto key = api_key::offset_fetch;
    static constexpr std::int16_t min_version = 1, max_version = 10;
    static constexpr std::int16_t first_flexible_version = 6;
    using response = offset_fetch_response;

    struct offset_fetch_request_topic {
        std::string name{};
        std::vector<partition_index> partition_indexes{};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const offset_fetch_request_topic&) const = default;

        static constexpr void describe(auto& field) {
            using self = offset_fetch_request_topic;
            field("Name", &self::name);
            field("PartitionIndexes", &self::partition_indexes);
        }
    };

    struct offset_fetch_request_topics {
        std::string name{};
        protocol::topic_id topic_id{};
        std::vector<partition_index> partition_indexes{};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const offset_fetch_request_topics&) const = default;

        static constexpr void describe(auto& field) {
            using self = offset_fetch_request_topics;
            field("Name", &self::name, until(9).ignorable());
            field("TopicId", &self::topic_id, since(10).ignorable());
            field("PartitionIndexes", &self::partition_indexes);
        }
    };

    struct offset_fetch_request_group {
        std::string group_id{};
        std::optional<std::string> member_id{};
        protocol::member_epoch member_epoch{-1};
        // Null asks for all that the group has stored.
        std::optional<std::vector<offset_fetch_request_topics>> topics{std::in_place};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const offset_fetch_request_group&) const = default;

        static constexpr void describe(auto& field) {
            using self = offset_fetch_request_group;
            field("GroupId", &self::group_id);
            field("MemberId", &self::member_id, since(9).ignorable());
            field("MemberEpoch", &self::member_epoch, since(9).ignorable());
            field("Topics", &self::topics);
        }
    };

    std::string group_id{};
    std::optional<std::vector<offset_fetch_request_topic>> topics{std::in_place};
    std::vector<offset_fetch_request_group> groups{};
    // Answer unstable_offset_commit while a transaction holds offsets.
    bool require_stable{};
    tagged_fields unknown_tagged_fields{};

    bool operator==(const offset_fetch_request&) const = default;

    static constexpr void describe(auto& field) {
        using self = offset_fetch_request;
        field("GroupId", &self::group_id, until(7));
        field("Topics", &self::topics, until(7).nullable_since(2));
        field("Groups", &self::groups, since(8));
        field("RequireStable", &self::require_stable, since(7));
    }
};

struct offset_fetch_response {
    static constexpr std::string_view name = "OffsetFetchResponse";
    static constexpr auto key = api_key::offset_fetch;
    static constexpr std::int16_t min_version = 1, max_version = 10;
    static constexpr std::int16_t first_flexible_version = 6;

    struct offset_fetch_response_partition {
        protocol::partition_index partition_index{};
        std::int64_t committed_offset{};
        leader_epoch committed_leader_epoch{-1};
        std::optional<std::string> metadata{std::in_place};
        broker_error error_code{};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const offset_fetch_response_partition&) const = default;

        static constexpr void describe(auto& field) {
            using self = offset_fetch_response_partition;
            field("PartitionIndex", &self::partition_index);
            field("CommittedOffset", &self::committed_offset);
            field("CommittedLeaderEpoch", &self::committed_leader_epoch, since(5).ignorable());
            field("Metadata", &self::metadata);
            field("ErrorCode", &self::error_code);
        }
    };

    struct offset_fetch_response_topic {
        std::string name{};
        std::vector<offset_fetch_response_partition> partitions{};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const offset_fetch_response_topic&) const = default;

        static constexpr void describe(auto& field) {
            using self = offset_fetch_response_topic;
            field("Name", &self::name);
            field("Partitions", &self::partitions);
        }
    };

    struct offset_fetch_response_partitions {
        protocol::partition_index partition_index{};
        std::int64_t committed_offset{};
        leader_epoch committed_leader_epoch{-1};
        std::optional<std::string> metadata{std::in_place};
        broker_error error_code{};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const offset_fetch_response_partitions&) const = default;

        static constexpr void describe(auto& field) {
            using self = offset_fetch_response_partitions;
            field("PartitionIndex", &self::partition_index);
            field("CommittedOffset", &self::committed_offset);
            field("CommittedLeaderEpoch", &self::committed_leader_epoch);
            field("Metadata", &self::metadata);
            field("ErrorCode", &self::error_code);
        }
    };

    struct offset_fetch_response_topics {
        std::string name{};
        protocol::topic_id topic_id{};
        std::vector<offset_fetch_response_partitions> partitions{};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const offset_fetch_response_topics&) const = default;

        static constexpr void describe(auto& field) {
            using self = offset_fetch_response_topics;
            field("Name", &self::name, until(9).ignorable());
            field("TopicId", &self::topic_id, since(10).ignorable());
            field("Partitions", &self::partitions);
        }
    };

    struct offset_fetch_response_group {
        std::string group_id{};
        std::vector<offset_fetch_response_topics> topics{};
        broker_error error_code{};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const offset_fetch_response_group&) const = default;

        static constexpr void describe(auto& field) {
            using self = offset_fetch_response_group;
            field("GroupId", &self::group_id);
            field("Topics", &self::topics);
            field("ErrorCode", &self::error_code);
        }
    };

    std::int32_t throttle_time_ms{};
    std::vector<offset_fetch_response_topic> topics{};
    broker_error error_code{};
    std::vector<offset_fetch_response_group> groups{};
    tagged_fields unknown_tagged_fields{};

    bool operator==(const offset_fetch_response&) const = default;

    static constexpr void describe(auto& field) {
        using self = offset_fetch_response;
        field("ThrottleTimeMs", &self::throttle_time_ms, since(3).ignorable());
        field("Topics", &self::topics, until(7));
        field("ErrorCode", &self::error_code, between(2, 7).ignorable());
        field("Groups", &self::groups, since(8));
    }
};

}  // namespace strandline::protocol::messages
