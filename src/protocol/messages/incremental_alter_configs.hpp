// IncrementalAlterConfigs (44): changes single entries of a configuration.
#pragma once

#include "protocol/message.hpp"

namespace strandline::protocol::messages {

struct incremental_alter_configs_response;

struct incremental_alter_configs_request {
    static constexpr std::string_view name = "IncrementalAlterConfigsRequest";
    static constexpr auto key = api_key::incremental_alter_configs;
    static constexpr std::int16_t min_version = 0, max_version = 1;
    static constexpr std::int16_t first_flexible_version = 1;
    using response = incremental_alter_configs_response;

    struct alterable_config {
        std::string name{};
        std::int8_t config_operation{};
        std::optional<std::string> value{std::in_place};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const alterable_config&) const = default;

        static constexpr void describe(auto& field) {
            using self = alterable_config;
            field("Name", &self::name);
            field("ConfigOperation", &self::config_operation);
            field("Value", &self::value);
        }
    };

    struct alter_configs_resource {
        std::int8_t resource_type{};
        std::string resource_name{};
        std::vector<alterable_config> configs{};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const alter_configs_resource&) const = default;

        static constexpr void describe(auto& field) {
            using self = alter_configs_resource;
            field("ResourceType", &self::resource_type);
            field("ResourceName", &self::resource_name);
            field("Configs", &self::configs);
        }
    };

    std::vector<alter_configs_resource> resources{};
    bool validate_only{};
    tagged_fields unknown_tagged_fields{};

    bool operator==(const incremental_alter_configs_request&) const = default;

    static constexpr void describe(auto& field) {
        using self = incremental_alter_configs_request;
        field("Resources", &self::resources);
        field("ValidateOnly", &self::validate_only);
    }
};

struct incremental_alter_configs_response {
    static constexpr std::string_view name = "IncrementalAlterConfigsResponse";
    static constexpr auto key = api_key::incremental_alter_configs;
    static constexpr std::int16_t min_version = 0, max_version = 1;
    static constexpr std::int16_t first_flexible_version = 1;

    struct alter_configs_resource_response {
        broker_error error_code{};
        std::optional<std::string> error_message{std::in_place};
        std::int8_t resource_type{};
        std::string resource_name{};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const alter_configs_resource_response&) const = default;

        static constexpr void describe(auto& field) {
            using self = alter_configs_resource_response;
            field("ErrorCode", &self::error_code);
            field("ErrorMessage", &self::error_message);
            field("ResourceType", &self::resource_type);
            field("ResourceName", &self::resource_name);
        }
    };

    std::int32_t throttle_time_ms{};
    std::vector<alter_configs_resource_response> responses{};
    tagged_fields unknown_tagged_fields{};

    bool operator==(const incremental_alter_configs_response&) const = default;

    static constexpr void describe(auto& field) {
        using self = incremental_alter_configs_response;
        field("ThrottleTimeMs", &self::throttle_time_ms);
        field("Responses", &self::responses);
    }
};

}  // namespace strandline::protocol::messages
