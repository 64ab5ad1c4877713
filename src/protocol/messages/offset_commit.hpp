// OffsetCommit (8): stores positions of a group at its coordinator.
#pragma once

#include "protocol/message.hpp"

namespace strandline::protocol::messages {

struct offset_commit_response;

struct offset_commit_request {
    static constexpr std::string_view name = "OffsetCommitRequest";
    static constexpr auto key = api_key::offset_commit;
    static constexpr std::int16_t min_version = 2, max_version = 10;
    static constexpr std::int16_t first_flexible_version = 8;
    using response = offset_commit_response;

    struct offset_commit_request_partition {
        protocol::partition_index partition_index{};
        std::int64_t committed_offset{};
        leader_epoch committed_leader_epoch{-1};
        std::optional<std::string> committed_metadata{std::in_place};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const offset_commit_request_partition&) const = default;

        static constexpr void describe(auto& field) {
            using self = offset_commit_request_partition;
            field("PartitionIndex", &self::partition_index);
            field("CommittedOffset", &self::committed_offset);
            field("CommittedLeaderEpoch", &self::committed_leader_epoch, since(6).ignorable());
            field("CommittedMetadata", &self::committed_metadata);
        }
    };

    struct offset_commit_request_topic {
        std::string name{};
        protocol::topic_id topic_id{};
        std::vector<offset_commit_request_partition> partitions{};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const offset_commit_request_topic&) const = default;

        static constexpr void describe(auto& field) {
            using self = offset_commit_request_topic;
            field("Name", &self::name, until(9).ignorable());
            field("TopicId", &self::topic_id, since(10).ignorable());
            field("Partitions", &self::partitions);
        }
    };

    std::string group_id{};
    // -1 for who is not a member.
    member_epoch generation_id_or_member_epoch{-1};
    std::string member_id{};
    std::optional<std::string> group_instance_id{};
    // -1: as the broker is configured.
    std::int64_t retention_time_ms{-1};
    std::vector<offset_commit_request_topic> topics{};
    tagged_fields unknown_tagged_fields{};

    bool operator==(const offset_commit_request&) const = default;

    static constexpr void describe(auto& field) {
        using self = offset_commit_request;
        field("GroupId", &self::group_id);
        field("GenerationIdOrMemberEpoch", &self::generation_id_or_member_epoch);
        field("MemberId", &self::member_id);
        field("GroupInstanceId", &self::group_instance_id, since(7));
        field("RetentionTimeMs", &self::retention_time_ms, until(4).ignorable());
        field("Topics", &self::topics);
    }
};

struct offset_commit_response {
    static constexpr std::string_view name = "OffsetCommitResponse";
    static constexpr auto key = api_key::offset_commit;
    static constexpr std::int16_t min_version = 2, max_version = 10;
    static constexpr std::int16_t first_flexible_version = 8;

    struct offset_commit_response_partition {
        protocol::partition_index partition_index{};
        broker_error error_code{};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const offset_commit_response_partition&) const = default;

        static constexpr void describe(auto& field) {
            using self = offset_commit_response_partition;
            field("PartitionIndex", &self::partition_index);
            field("ErrorCode", &self::error_code);
        }
    };

    struct offset_commit_response_topic {
        std::string name{};
        protocol::topic_id topic_id{};
        std::vector<offset_commit_response_partition> partitions{};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const offset_commit_response_topic&) const = default;

        static constexpr void describe(auto& field) {
            using self = offset_commit_response_topic;
            field("Name", &self::name, until(9).ignorable());
            field("TopicId", &self::topic_id, since(10).ignorable());
            field("Partitions", &self::partitions);
        }
    };

    std::int32_t throttle_time_ms{};
    std::vector<offset_commit_response_topic> topics{};
    tagged_fields unknown_tagged_fields{};

    bool operator==(const offset_commit_response&) const = default;

    static constexpr void describe(auto& field) {
        using self = offset_commit_response;
        field("ThrottleTimeMs", &self::throttle_time_ms, since(3).ignorable());
        field("Topics", &self::topics);
    }
};

}  // namespace strandline::protocol::messages
