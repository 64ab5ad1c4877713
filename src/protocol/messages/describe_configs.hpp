// DescribeConfigs (32): the configuration of topics, brokers and groups.
#pragma once

#include "protocol/message.hpp"

namespace strandline::protocol::messages {

struct describe_configs_response;

struct describe_configs_request {
    static constexpr std::string_view name = "DescribeConfigsRequest";
    static constexpr auto key = api_key::describe_configs;
    static constexpr std::int16_t min_version = 1, max_version = 4;
    static constexpr std::int16_t first_flexible_version = 4;
    using response = describe_configs_response;

    struct describe_configs_resource {
        std::int8_t resource_type{};
        std::string resource_name{};
        std::optional<std::vector<std::string>> configuration_keys{std::in_place};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const describe_configs_resource&) const = default;

        static constexpr void describe(auto& field) {
            using self = describe_configs_resource;
            field("ResourceType", &self::resource_type);
            field("ResourceName", &self::resource_name);
            field("ConfigurationKeys", &self::configuration_keys);
        }
    };

    std::vector<describe_configs_resource> resources{};
    bool include_synonyms{};
    bool include_documentation{};
    tagged_fields unknown_tagged_fields{};

    bool operator==(const describe_configs_request&) const = default;

    static constexpr void describe(auto& field) {
        using self = describe_configs_request;
        field("Resources", &self::resources);
        field("IncludeSynonyms", &self::include_synonyms);
        field("IncludeDocumentation", &self::include_documentation, since(3));
    }
};

struct describe_configs_response {
    static constexpr std::string_view name = "DescribeConfigsResponse";
    static constexpr auto key = api_key::describe_configs;
    static constexpr std::int16_t min_version = 1, max_version = 4;
    static constexpr std::int16_t first_flexible_version = 4;

    struct describe_configs_synonym {
        std::string name{};
        std::optional<std::string> value{std::in_place};
        std::int8_t source{};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const describe_configs_synonym&) const = default;

        static constexpr void describe(auto& field) {
            using self = describe_configs_synonym;
            field("Name", &self::name);
            field("Value", &self::value);
            field("Source", &self::source);
        }
    };

    struct describe_configs_resource_result {
        std::string name{};
        std::optional<std::string> value{std::in_place};
        bool read_only{};
        std::int8_t config_source{-1};
        bool is_sensitive{};
        std::vector<describe_configs_synonym> synonyms{};
        std::int8_t config_type{};
        std::optional<std::string> documentation{std::in_place};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const describe_configs_resource_result&) const = default;

        static constexpr void describe(auto& field) {
            using self = describe_configs_resource_result;
            field("Name", &self::name);
            field("Value", &self::value);
            field("ReadOnly", &self::read_only);
            field("ConfigSource", &self::config_source);
            field("IsSensitive", &self::is_sensitive);
            field("Synonyms", &self::synonyms);
            field("ConfigType", &self::config_type, since(3).ignorable());
            field("Documentation", &self::documentation, since(3).ignorable());
        }
    };

    struct describe_configs_result {
        broker_error error_code{};
        std::optional<std::string> error_message{std::in_place};
        std::int8_t resource_type{};
        std::string resource_name{};
        std::vector<describe_configs_resource_result> configs{};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const describe_configs_result&) const = default;

        static constexpr void describe(auto& field) {
            using self = describe_configs_result;
            field("ErrorCode", &self::error_code);
            field("ErrorMessage", &self::error_message);
            field("ResourceType", &self::resource_type);
            field("ResourceName", &self::resource_name);
            field("Configs", &self::configs);
        }
    };

    std::int32_t throttle_time_ms{};
    std::vector<describe_configs_result> results{};
    tagged_fields unknown_tagged_fields{};

    bool operator==(const describe_configs_response&) const = default;

    static constexpr void describe(auto& field) {
        using self = describe_configs_response;
        field("ThrottleTimeMs", &self::throttle_time_ms);
        field("Results", &self::results);
    }
};

}  // namespace strandline::protocol::messages
