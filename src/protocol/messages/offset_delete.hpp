// OffsetDelete (47): deletes positions a group has stored.
#pragma once

#include "protocol/message.hpp"

namespace strandline::protocol::messages {

struct offset_delete_response;

struct offset_delete_request {
    static constexpr std::string_view name = "OffsetDeleteRequest";
    static constexpr auto key = api_key::offset_delete;
    static constexpr std::int16_t min_version = 0, max_version = 0;
    static constexpr std::int16_t first_flexible_version = never_flexible;
    using response = offset_delete_response;

    struct offset_delete_request_partition {
        protocol::partition_index partition_index{};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const offset_delete_request_partition&) const = default;

        static constexpr void describe(auto& field) {
            using self = offset_delete_request_partition;
            field("PartitionIndex", &self::partition_index);
        }
    };

    struct offset_delete_request_topic {
        std::string name{};
        std::vector<offset_delete_request_partition> partitions{};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const offset_delete_request_topic&) const = default;

        static constexpr void describe(auto& field) {
            using self = offset_delete_request_topic;
            field("Name", &self::name);
            field("Partitions", &self::partitions);
        }
    };

    std::string group_id{};
    std::vector<offset_delete_request_topic> topics{};
    tagged_fields unknown_tagged_fields{};

    bool operator==(const offset_delete_request&) const = default;

    static constexpr void describe(auto& field) {
        using self = offset_delete_request;
        field("GroupId", &self::group_id);
        field("Topics", &self::topics);
    }
};

struct offset_delete_response {
    static constexpr std::string_view name = "OffsetDeleteResponse";
    static constexpr auto key = api_key::offset_delete;
    static constexpr std::int16_t min_version = 0, max_version = 0;
    static constexpr std::int16_t first_flexible_version = never_flexible;

    struct offset_delete_response_partition {
        protocol::partition_index partition_index{};
        broker_error error_code{};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const offset_delete_response_partition&) const = default;

        static constexpr void describe(auto& field) {
            using self = offset_delete_response_partition;
            field("PartitionIndex", &self::partition_index);
            field("ErrorCode", &self::error_code);
        }
    };

    struct offset_delete_response_topic {
        std::string name{};
        std::vector<offset_delete_response_partition> partitions{};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const offset_delete_response_topic&) const = default;

        static constexpr void describe(auto& field) {
            using self = offset_delete_response_topic;
            field("Name", &self::name);
            field("Partitions", &self::partitions);
        }
    };

    broker_error error_code{};
    std::int32_t throttle_time_ms{};
    std::vector<offset_delete_response_topic> topics{};
    tagged_fields unknown_tagged_fields{};

    bool operator==(const offset_delete_response&) const = default;

    static constexpr void describe(auto& field) {
        using self = offset_delete_response;
        field("ErrorCode", &self::error_code);
        field("ThrottleTimeMs", &self::throttle_time_ms);
        field("Topics", &self::topics);
    }
};

}  // namespace strandline::protocol::messages
