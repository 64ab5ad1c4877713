// DescribeCluster (60): id, controller and brokers of the cluster.
#pragma once

#include <limits>

#include "protocol/message.hpp"

namespace strandline::protocol::messages {

struct describe_cluster_response;

struct describe_cluster_request {
    static constexpr std::string_view name = "DescribeClusterRequest";
    static constexpr auto key = api_key::describe_cluster;
    static constexpr std::int16_t min_version = 0, max_version = 2;
    static constexpr std::int16_t first_flexible_version = 0;
    using response = describe_cluster_response;

    bool include_cluster_authorized_operations{};
    std::int8_t endpoint_type{1};
    bool include_fenced_brokers{};
    tagged_fields unknown_tagged_fields{};

    bool operator==(const describe_cluster_request&) const = default;

    static constexpr void describe(auto& field) {
        using self = describe_cluster_request;
        field("IncludeClusterAuthorizedOperations", &self::include_cluster_authorized_operations);
        field("EndpointType", &self::endpoint_type, since(1));
        field("IncludeFencedBrokers", &self::include_fenced_brokers, since(2));
    }
};

struct describe_cluster_response {
    static constexpr std::string_view name = "DescribeClusterResponse";
    static constexpr auto key = api_key::describe_cluster;
    static constexpr std::int16_t min_version = 0, max_version = 2;
    static constexpr std::int16_t first_flexible_version = 0;

    struct describe_cluster_broker {
        protocol::broker_id broker_id{};
        std::string host{};
        std::int32_t port{};
        std::optional<std::string> rack{};
        bool is_fenced{};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const describe_cluster_broker&) const = default;

        static constexpr void describe(auto& field) {
            using self = describe_cluster_broker;
            field("BrokerId", &self::broker_id);
            field("Host", &self::host);
            field("Port", &self::port);
            field("Rack", &self::rack);
            field("IsFenced", &self::is_fenced, since(2));
        }
    };

    std::int32_t throttle_time_ms{};
    broker_error error_code{};
    std::optional<std::string> error_message{};
    std::int8_t endpoint_type{1};
    std::string cluster_id{};
    broker_id controller_id{-1};
    std::vector<describe_cluster_broker> brokers{};
    std::int32_t cluster_authorized_operations{std::numeric_limits<std::int32_t>::min()};
    tagged_fields unknown_tagged_fields{};

    bool operator==(const describe_cluster_response&) const = default;

    static constexpr void describe(auto& field) {
        using self = describe_cluster_response;
        field("ThrottleTimeMs", &self::throttle_time_ms);
        field("ErrorCode", &self::error_code);
        field("ErrorMessage", &self::error_message);
        field("EndpointType", &self::endpoint_type, since(1));
        field("ClusterId", &self::cluster_id);
        field("ControllerId", &self::controller_id);
        field("Brokers", &self::brokers);
        field("ClusterAuthorizedOperations", &self::cluster_authorized_operations);
    }
};

}  // namespace strandline::protocol::messages
