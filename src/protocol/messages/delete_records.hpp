// DeleteRecords (21): moves the start of a log forward.
#pragma once

#include "protocol/message.hpp"

namespace strandline::protocol::messages {

struct delete_records_response;

struct delete_records_request {
    static constexpr std::string_view name = "DeleteRecordsRequest";
    static constexpr auto key = api_key::delete_records;
    static constexpr std::int16_t min_version = 0, max_version = 2;
    static constexpr std::int16_t first_flexible_version = 2;
    using response = delete_records_response;

    struct delete_records_partition {
        protocol::partition_index partition_index{};
        std::int64_t offset{};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const delete_records_partition&) const = default;

        static constexpr void describe(auto& field) {
            using self = delete_records_partition;
            field("PartitionIndex", &self::partition_index);
            field("Offset", &self::offset);
        }
    };

    struct delete_records_topic {
        std::string name{};
        std::vector<delete_records_partition> partitions{};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const delete_records_topic&) const = default;

        static constexpr void describe(auto& field) {
            using self = delete_records_topic;
            field("Name", &self::name);
            field("Partitions", &self::partitions);
        }
    };

    std::vector<delete_records_topic> topics{};
    std::int32_t timeout_ms{};
    tagged_fields unknown_tagged_fields{};

    bool operator==(const delete_records_request&) const = default;

    static constexpr void describe(auto& field) {
        using self = delete_records_request;
        field("Topics", &self::topics);
        field("TimeoutMs", &self::timeout_ms);
    }
};

struct delete_records_response {
    static constexpr std::string_view name = "DeleteRecordsResponse";
    static constexpr auto key = api_key::delete_records;
    static constexpr std::int16_t min_version = 0, max_version = 2;
    static constexpr std::int16_t first_flexible_version = 2;

    struct delete_records_partition_result {
        protocol::partition_index partition_index{};
        std::int64_t low_watermark{};
        broker_error error_code{};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const delete_records_partition_result&) const = default;

        static constexpr void describe(auto& field) {
            using self = delete_records_partition_result;
            field("PartitionIndex", &self::partition_index);
            field("LowWatermark", &self::low_watermark);
            field("ErrorCode", &self::error_code);
        }
    };

    struct delete_records_topic_result {
        std::string name{};
        std::vector<delete_records_partition_result> partitions{};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const delete_records_topic_result&) const = default;

        static constexpr void describe(auto& field) {
            using self = delete_records_topic_result;
            field("Name", &self::name);
            field("Partitions", &self::partitions);
        }
    };

    std::int32_t throttle_time_ms{};
    std::vector<delete_records_topic_result> topics{};
    tagged_fields unknown_tagged_fields{};

    bool operator==(const delete_records_response&) const = default;

    static constexpr void describe(auto& field) {
        using self = delete_records_response;
        field("ThrottleTimeMs", &self::throttle_time_ms);
        field("Topics", &self::topics);
    }
};

}  // namespace strandline::protocol::messages
