// ApiVersions (18): which versions of which APIs the broker speaks. The first exchange of every connection.
#pragma once

#include "protocol/message.hpp"

namespace strandline::protocol::messages {

struct api_versions_response;

struct api_versions_request {
    static constexpr std::string_view name = "ApiVersionsRequest";
    static constexpr auto key = api_key::api_versions;
    static constexpr std::int16_t min_version = 0, max_version = 5;
    static constexpr std::int16_t first_flexible_version = 3;
    using response = api_versions_response;

    // Letters, digits, dots and hyphens, as the version below; brokers refuse others.
    std::string client_software_name{};
    std::string client_software_version{};
    // Whom the client means to reach. A broker that is another one answers rebootstrap_required (KIP-1242).
    std::optional<std::string> cluster_id{};
    broker_id node_id{-1};
    tagged_fields unknown_tagged_fields{};

    bool operator==(const api_versions_request&) const = default;

    static constexpr void describe(auto& field) {
        using self = api_versions_request;
        field("ClientSoftwareName", &self::client_software_name, since(3).ignorable());
        field("ClientSoftwareVersion", &self::client_software_version, since(3).ignorable());
        field("ClusterId", &self::cluster_id, since(5).ignorable());
        field("NodeId", &self::node_id, since(5).ignorable());
    }
};

struct api_versions_response {
    static constexpr std::string_view name = "ApiVersionsResponse";
    static constexpr auto key = api_key::api_versions;
    static constexpr std::int16_t min_version = 0, max_version = 5;
    static constexpr std::int16_t first_flexible_version = 3;

    struct api_version {
        protocol::api_key api_key{};
        std::int16_t min_version{};
        std::int16_t max_version{};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const api_version&) const = default;

        static constexpr void describe(auto& field) {
            using self = api_version;
            field("ApiKey", &self::api_key);
            field("MinVersion", &self::min_version);
            field("MaxVersion", &self::max_version);
        }
    };

    struct supported_feature_key {
        std::string name{};
        std::int16_t min_version{};
        std::int16_t max_version{};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const supported_feature_key&) const = default;

        static constexpr void describe(auto& field) {
            using self = supported_feature_key;
            field("Name", &self::name);
            field("MinVersion", &self::min_version);
            field("MaxVersion", &self::max_version);
        }
    };

    struct finalized_feature_key {
        std::string name{};
        std::int16_t max_version_level{};
        std::int16_t min_version_level{};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const finalized_feature_key&) const = default;

        static constexpr void describe(auto& field) {
            using self = finalized_feature_key;
            field("Name", &self::name);
            field("MaxVersionLevel", &self::max_version_level);
            field("MinVersionLevel", &self::min_version_level);
        }
    };

    // With unsupported_version the body has version 0, whatever was asked for (KIP-511).
    broker_error error_code{};
    std::vector<api_version> api_keys{};
    std::int32_t throttle_time_ms{};
    std::vector<supported_feature_key> supported_features{};
    std::int64_t finalized_features_epoch{-1};
    std::vector<finalized_feature_key> finalized_features{};
    bool zk_migration_ready{};
    tagged_fields unknown_tagged_fields{};

    bool operator==(const api_versions_response&) const = default;

    static constexpr void describe(auto& field) {
        using self = api_versions_response;
        field("ErrorCode", &self::error_code);
        field("ApiKeys", &self::api_keys);
        field("ThrottleTimeMs", &self::throttle_time_ms, since(1).ignorable());
        field("SupportedFeatures", &self::supported_features, since(3).tagged(0).ignorable());
        field("FinalizedFeaturesEpoch", &self::finalized_features_epoch, since(3).tagged(1).ignorable());
        field("FinalizedFeatures", &self::finalized_features, since(3).tagged(2).ignorable());
        field("ZkMigrationReady", &self::zk_migration_ready, since(3).tagged(3).ignorable());
    }
};

}  // namespace strandline::protocol::messages
