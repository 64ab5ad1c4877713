// CreatePartitions (37): adds partitions to topics.
#pragma once

#include "protocol/message.hpp"

namespace strandline::protocol::messages {

struct create_partitions_response;

struct create_partitions_request {
    static constexpr std::string_view name = "CreatePartitionsRequest";
    static constexpr auto key = api_key::create_partitions;
    static constexpr std::int16_t min_version = 0, max_version = 3;
    static constexpr std::int16_t first_flexible_version = 2;
    using response = create_partitions_response;

    struct create_partitions_assignment {
        std::vector<broker_id> broker_ids{};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const create_partitions_assignment&) const = default;

        static constexpr void describe(auto& field) {
            using self = create_partitions_assignment;
            field("BrokerIds", &self::broker_ids);
        }
    };

    struct create_partitions_topic {
        std::string name{};
        std::int32_t count{};
        std::optional<std::vector<create_partitions_assignment>> assignments{std::in_place};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const create_partitions_topic&) const = default;

        static constexpr void describe(auto& field) {
            using self = create_partitions_topic;
            field("Name", &self::name);
            field("Count", &self::count);
            field("Assignments", &self::assignments);
        }
    };

    std::vector<create_partitions_topic> topics{};
    std::int32_t timeout_ms{};
    bool validate_only{};
    tagged_fields unknown_tagged_fields{};

    bool operator==(const create_partitions_request&) const = default;

    static constexpr void describe(auto& field) {
        using self = create_partitions_request;
        field("Topics", &self::topics);
        field("TimeoutMs", &self::timeout_ms);
        field("ValidateOnly", &self::validate_only);
    }
};

struct create_partitions_response {
    static constexpr std::string_view name = "CreatePartitionsResponse";
    static constexpr auto key = api_key::create_partitions;
    static constexpr std::int16_t min_version = 0, max_version = 3;
    static constexpr std::int16_t first_flexible_version = 2;

    struct create_partitions_topic_result {
        std::string name{};
        broker_error error_code{};
        std::optional<std::string> error_message{};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const create_partitions_topic_result&) const = default;

        static constexpr void describe(auto& field) {
            using self = create_partitions_topic_result;
            field("Name", &self::name);
            field("ErrorCode", &self::error_code);
            field("ErrorMessage", &self::error_message);
        }
    };

    std::int32_t throttle_time_ms{};
    std::vector<create_partitions_topic_result> results{};
    tagged_fields unknown_tagged_fields{};

    bool operator==(const create_partitions_response&) const = default;

    static constexpr void describe(auto& field) {
        using self = create_partitions_response;
        field("ThrottleTimeMs", &self::throttle_time_ms);
        field("Results", &self::results);
    }
};

}  // namespace strandline::protocol::messages
