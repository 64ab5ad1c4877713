// TxnOffsetCommit (28): stores positions of a group as part of a transaction.
#pragma once

#include "protocol/message.hpp"

namespace strandline::protocol::messages {

struct txn_offset_commit_response;

struct txn_offset_commit_request {
    static constexpr std::string_view name = "TxnOffsetCommitRequest";
    static constexpr auto key = api_key::txn_offset_commit;
    static constexpr std::int16_t min_version = 0, max_version = 6;
    static constexpr std::int16_t first_flexible_version = 3;
    using response = txn_offset_commit_response;

    struct txn_offset_commit_request_partition {
        protocol::partition_index partition_index{};
        std::int64_t committed_offset{};
        leader_epoch committed_leader_epoch{-1};
        std::optional<std::string> committed_metadata{std::in_place};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const txn_offset_commit_request_partition&) const = default;

        static constexpr void describe(auto& field) {
            using self = txn_offset_commit_request_partition;
            field("PartitionIndex", &self::partition_index);
            field("CommittedOffset", &self::committed_offset);
            field("CommittedLeaderEpoch", &self::committed_leader_epoch, since(2).ignorable());
            field("CommittedMetadata", &self::committed_metadata);
        }
    };

    struct txn_offset_commit_request_topic {
        std::string name{};
        protocol::topic_id topic_id{};
        std::vector<txn_offset_commit_request_partition> partitions{};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const txn_offset_commit_request_topic&) const = default;

        static constexpr void describe(auto& field) {
            using self = txn_offset_commit_request_topic;
            field("Name", &self::name, until(5).ignorable());
            field("TopicId", &self::topic_id, since(6).ignorable());
            field("Partitions", &self::partitions);
        }
    };

    std::string transactional_id{};
    std::string group_id{};
    protocol::producer_id producer_id{};
    std::int16_t producer_epoch{};
    member_epoch generation_id_or_member_epoch{-1};
    std::string member_id{};
    std::optional<std::string> group_instance_id{};
    std::vector<txn_offset_commit_request_topic> topics{};
    tagged_fields unknown_tagged_fields{};

    bool operator==(const txn_offset_commit_request&) const = default;

    static constexpr void describe(auto& field) {
        using self = txn_offset_commit_request;
        field("TransactionalId", &self::transactional_id);
        field("GroupId", &self::group_id);
        field("ProducerId", &self::producer_id);
        field("ProducerEpoch", &self::producer_epoch);
        field("GenerationIdOrMemberEpoch", &self::generation_id_or_member_epoch, since(3));
        field("MemberId", &self::member_id, since(3));
        field("GroupInstanceId", &self::group_instance_id, since(3));
        field("Topics", &self::topics);
    }
};

struct txn_offset_commit_response {
    static constexpr std::string_view name = "TxnOffsetCommitResponse";
    static constexpr auto key = api_key::txn_offset_commit;
    static constexpr std::int16_t min_version = 0, max_version = 6;
    static constexpr std::int16_t first_flexible_version = 3;

    struct txn_offset_commit_response_partition {
        protocol::partition_index partition_index{};
        broker_error error_code{};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const txn_offset_commit_response_partition&) const = default;

        static constexpr void describe(auto& field) {
            using self = txn_offset_commit_response_partition;
            field("PartitionIndex", &self::partition_index);
            field("ErrorCode", &self::error_code);
        }
    };

    struct txn_offset_commit_response_topic {
        std::string name{};
        protocol::topic_id topic_id{};
        std::vector<txn_offset_commit_response_partition> partitions{};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const txn_offset_commit_response_topic&) const = default;

        static constexpr void describe(auto& field) {
            using self = txn_offset_commit_response_topic;
            field("Name", &self::name, until(5).ignorable());
            field("TopicId", &self::topic_id, since(6).ignorable());
            field("Partitions", &self::partitions);
        }
    };

    std::int32_t throttle_time_ms{};
    std::vector<txn_offset_commit_response_topic> topics{};
    tagged_fields unknown_tagged_fields{};

    bool operator==(const txn_offset_commit_response&) const = default;

    static constexpr void describe(auto& field) {
        using self = txn_offset_commit_response;
        field("ThrottleTimeMs", &self::throttle_time_ms);
        field("Topics", &self::topics);
    }
};

}  // namespace strandline::protocol::messages
