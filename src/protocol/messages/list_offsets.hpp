// ListOffsets (2): the offset at a point of time, and the ends of a log.
#pragma once

#include "protocol/message.hpp"

namespace strandline::protocol::messages {

struct list_offsets_response;

struct list_offsets_request {
    static constexpr std::string_view name = "ListOffsetsRequest";
    static constexpr auto key = api_key::list_offsets;
    static constexpr std::int16_t min_version = 1, max_version = 11;
    static constexpr std::int16_t first_flexible_version = 6;
    using response = list_offsets_response;

    struct list_offsets_partition {
        protocol::partition_index partition_index{};
        leader_epoch current_leader_epoch{-1};
        // -1: the end of the log, -2: its start, -3: the record of the largest timestamp, -4: the start of what is
        // local, -5: the end of what is tiered, -6: the start of what is still to be tiered.
        std::int64_t timestamp{};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const list_offsets_partition&) const = default;

        static constexpr void describe(auto& field) {
            using self = list_offsets_partition;
            field("PartitionIndex", &self::partition_index);
            field("CurrentLeaderEpoch", &self::current_leader_epoch, since(4).ignorable());
            field("Timestamp", &self::timestamp);
        }
    };

    struct list_offsets_topic {
        std::string name{};
        std::vector<list_offsets_partition> partitions{};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const list_offsets_topic&) const = default;

        static constexpr void describe(auto& field) {
            using self = list_offsets_topic;
            field("Name", &self::name);
            field("Partitions", &self::partitions);
        }
    };

    // Consumers send -1. Kafka has no default: 0 is a broker.
    broker_id replica_id{};
    std::int8_t isolation_level{};
    std::vector<list_offsets_topic> topics{};
    std::int32_t timeout_ms{};
    tagged_fields unknown_tagged_fields{};

    bool operator==(const list_offsets_request&) const = default;

    static constexpr void describe(auto& field) {
        using self = list_offsets_request;
        field("ReplicaId", &self::replica_id);
        field("IsolationLevel", &self::isolation_level, since(2));
        field("Topics", &self::topics);
        field("TimeoutMs", &self::timeout_ms, since(10).ignorable());
    }
};

struct list_offsets_response {
    static constexpr std::string_view name = "ListOffsetsResponse";
    static constexpr auto key = api_key::list_offsets;
    static constexpr std::int16_t min_version = 1, max_version = 11;
    static constexpr std::int16_t first_flexible_version = 6;

    struct list_offsets_partition_response {
        protocol::partition_index partition_index{};
        broker_error error_code{};
        std::int64_t timestamp{-1};
        std::int64_t offset{-1};
        protocol::leader_epoch leader_epoch{-1};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const list_offsets_partition_response&) const = default;

        static constexpr void describe(auto& field) {
            using self = list_offsets_partition_response;
            field("PartitionIndex", &self::partition_index);
            field("ErrorCode", &self::error_code);
            field("Timestamp", &self::timestamp);
            field("Offset", &self::offset);
            field("LeaderEpoch", &self::leader_epoch, since(4));
        }
    };

    struct list_offsets_topic_response {
        std::string name{};
        std::vector<list_offsets_partition_response> partitions{};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const list_offsets_topic_response&) const = default;

        static constexpr void describe(auto& field) {
            using self = list_offsets_topic_response;
            field("Name", &self::name);
            field("Partitions", &self::partitions);
        }
    };

    std::int32_t throttle_time_ms{};
    std::vector<list_offsets_topic_response> topics{};
    tagged_fields unknown_tagged_fields{};

    bool operator==(const list_offsets_response&) const = default;

    static constexpr void describe(auto& field) {
        using self = list_offsets_response;
        field("ThrottleTimeMs", &self::throttle_time_ms, since(2).ignorable());
        field("Topics", &self::topics);
    }
};

}  // namespace strandline::protocol::messages
