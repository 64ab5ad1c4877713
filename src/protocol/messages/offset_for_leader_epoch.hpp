// OffsetForLeaderEpoch (23): where a leader's epoch ended; shows whether a log was truncated (KIP-320).
#pragma once

#include "protocol/message.hpp"

namespace strandline::protocol::messages {

struct offset_for_leader_epoch_response;

struct offset_for_leader_epoch_request {
    static constexpr std::string_view name = "OffsetForLeaderEpochRequest";
    static constexpr auto key = api_key::offset_for_leader_epoch;
    static constexpr std::int16_t min_version = 2, max_version = 4;
    static constexpr std::int16_t first_flexible_version = 4;
    using response = offset_for_leader_epoch_response;

    struct offset_for_leader_partition {
        partition_index partition{};
        protocol::leader_epoch current_leader_epoch{-1};
        protocol::leader_epoch leader_epoch{};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const offset_for_leader_partition&) const = default;

        static constexpr void describe(auto& field) {
            using self = offset_for_leader_partition;
            field("Partition", &self::partition);
            field("CurrentLeaderEpoch", &self::current_leader_epoch);
            field("LeaderEpoch", &self::leader_epoch);
        }
    };

    struct offset_for_leader_topic {
        std::string topic{};
        std::vector<offset_for_leader_partition> partitions{};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const offset_for_leader_topic&) const = default;

        static constexpr void describe(auto& field) {
            using self = offset_for_leader_topic;
            field("Topic", &self::topic);
            field("Partitions", &self::partitions);
        }
    };

    // Consumers send -1; Kafka uses -2, its default, to find faults.
    broker_id replica_id{-2};
    std::vector<offset_for_leader_topic> topics{};
    tagged_fields unknown_tagged_fields{};

    bool operator==(const offset_for_leader_epoch_request&) const = default;

    static constexpr void describe(auto& field) {
        using self = offset_for_leader_epoch_request;
        field("ReplicaId", &self::replica_id, since(3).ignorable());
        field("Topics", &self::topics);
    }
};

struct offset_for_leader_epoch_response {
    static constexpr std::string_view name = "OffsetForLeaderEpochResponse";
    static constexpr auto key = api_key::offset_for_leader_epoch;
    static constexpr std::int16_t min_version = 2, max_version = 4;
    static constexpr std::int16_t first_flexible_version = 4;

    struct epoch_end_offset {
        broker_error error_code{};
        partition_index partition{};
        protocol::leader_epoch leader_epoch{-1};
        std::int64_t end_offset{-1};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const epoch_end_offset&) const = default;

        static constexpr void describe(auto& field) {
            using self = epoch_end_offset;
            field("ErrorCode", &self::error_code);
            field("Partition", &self::partition);
            field("LeaderEpoch", &self::leader_epoch);
            field("EndOffset", &self::end_offset);
        }
    };

    struct offset_for_leader_topic_result {
        std::string topic{};
        std::vector<epoch_end_offset> partitions{};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const offset_for_leader_topic_result&) const = default;

        static constexpr void describe(auto& field) {
            using self = offset_for_leader_topic_result;
            field("Topic", &self::topic);
            field("Partitions", &self::partitions);
        }
    };

    std::int32_t throttle_time_ms{};
    std::vector<offset_for_leader_topic_result> topics{};
    tagged_fields unknown_tagged_fields{};

    bool operator==(const offset_for_leader_epoch_response&) const = default;

    static constexpr void describe(auto& field) {
        using self = offset_for_leader_epoch_response;
        field("ThrottleTimeMs", &self::throttle_time_ms);
        field("Topics", &self::topics);
    }
};

}  // namespace strandline::protocol::messages
