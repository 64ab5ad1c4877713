// CreateTopics (19): makes topics.
#pragma once

#include "protocol/message.hpp"

namespace strandline::protocol::messages {

struct create_topics_response;

struct create_topics_request {
    static constexpr std::string_view name = "CreateTopicsRequest";
    static constexpr auto key = api_key::create_topics;
    static constexpr std::int16_t min_version = 2, max_version = 7;
    static constexpr std::int16_t first_flexible_version = 5;
    using response = create_topics_response;

    struct creatable_replica_assignment {
        protocol::partition_index partition_index{};
        std::vector<broker_id> broker_ids{};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const creatable_replica_assignment&) const = default;

        static constexpr void describe(auto& field) {
            using self = creatable_replica_assignment;
            field("PartitionIndex", &self::partition_index);
            field("BrokerIds", &self::broker_ids);
        }
    };

    struct creatable_topic_config {
        std::string name{};
        std::optional<std::string> value{std::in_place};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const creatable_topic_config&) const = default;

        static constexpr void describe(auto& field) {
            using self = creatable_topic_config;
            field("Name", &self::name);
            field("Value", &self::value);
        }
    };

    struct creatable_topic {
        std::string name{};
        std::int32_t num_partitions{};
        std::int16_t replication_factor{};
        std::vector<creatable_replica_assignment> assignments{};
        std::vector<creatable_topic_config> configs{};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const creatable_topic&) const = default;

        static constexpr void describe(auto& field) {
            using self = creatable_topic;
            field("Name", &self::name);
            field("NumPartitions", &self::num_partitions);
            field("ReplicationFactor", &self::replication_factor);
            field("Assignments", &self::assignments);
            field("Configs", &self::configs);
        }
    };

    std::vector<creatable_topic> topics{};
    std::int32_t timeout_ms{60000};
    bool validate_only{};
    tagged_fields unknown_tagged_fields{};

    bool operator==(const create_topics_request&) const = default;

    static constexpr void describe(auto& field) {
        using self = create_topics_request;
        field("Topics", &self::topics);
        field("timeoutMs", &self::timeout_ms);
        field("validateOnly", &self::validate_only);
    }
};

struct create_topics_response {
    static constexpr std::string_view name = "CreateTopicsResponse";
    static constexpr auto key = api_key::create_topics;
    static constexpr std::int16_t min_version = 2, max_version = 7;
    static constexpr std::int16_t first_flexible_version = 5;

    struct creatable_topic_configs {
        std::string name{};
        std::optional<std::string> value{std::in_place};
        bool read_only{};
        std::int8_t config_source{-1};
        bool is_sensitive{};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const creatable_topic_configs&) const = default;

        static constexpr void describe(auto& field) {
            using self = creatable_topic_configs;
            field("Name", &self::name);
            field("Value", &self::value);
            field("ReadOnly", &self::read_only);
            field("ConfigSource", &self::config_source);
            field("IsSensitive", &self::is_sensitive);
        }
    };

    struct creatable_topic_result {
        std::string name{};
        protocol::topic_id topic_id{};
        broker_error error_code{};
        std::optional<std::string> error_message{std::in_place};
        broker_error topic_config_error_code{};
        std::int32_t num_partitions{-1};
        std::int16_t replication_factor{-1};
        std::optional<std::vector<creatable_topic_configs>> configs{std::in_place};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const creatable_topic_result&) const = default;

        static constexpr void describe(auto& field) {
            using self = creatable_topic_result;
            field("Name", &self::name);
            field("TopicId", &self::topic_id, since(7).ignorable());
            field("ErrorCode", &self::error_code);
            field("ErrorMessage", &self::error_message);
            field("TopicConfigErrorCode", &self::topic_config_error_code, since(5).tagged(0).ignorable());
            field("NumPartitions", &self::num_partitions, since(5).ignorable());
            field("ReplicationFactor", &self::replication_factor, since(5).ignorable());
            field("Configs", &self::configs, since(5).ignorable());
        }
    };

    std::int32_t throttle_time_ms{};
    std::vector<creatable_topic_result> topics{};
    tagged_fields unknown_tagged_fields{};

    bool operator==(const create_topics_response&) const = default;

    static constexpr void describe(auto& field) {
        using self = create_topics_response;
        field("ThrottleTimeMs", &self::throttle_time_ms);
        field("Topics", &self::topics);
    }
};

}  // namespace strandline::protocol::messages
