// FindCoordinator (10): which broker coordinates a group or a transaction.
#pragma once

#include "protocol/message.hpp"

namespace strandline::protocol::messages {

struct find_coordinator_response;

struct find_coordinator_request {
    static constexpr std::string_view name = "FindCoordinatorRequest";
    static constexpr auto key = api_key::find_coordinator;
    static constexpr std::int16_t min_version = 0, max_version = 6;
    static constexpr std::int16_t first_flexible_version = 3;
    using response = find_coordinator_response;

    // Key on the wire; `key` is the API's.
    std::string coordinator_key{};
    // 0: a group, 1: a transactional id, 2: a share partition.
    std::int8_t key_type{};
    std::vector<std::string> coordinator_keys{};
    tagged_fields unknown_tagged_fields{};

    bool operator==(const find_coordinator_request&) const = default;

    static constexpr void describe(auto& field) {
        using self = find_coordinator_request;
        field("Key", &self::coordinator_key, until(3));
        field("KeyType", &self::key_type, since(1));
        field("CoordinatorKeys", &self::coordinator_keys, since(4));
    }
};

struct find_coordinator_response {
    static constexpr std::string_view name = "FindCoordinatorResponse";
    static constexpr auto key = api_key::find_coordinator;
    static constexpr std::int16_t min_version = 0, max_version = 6;
    static constexpr std::int16_t first_flexible_version = 3;

    struct coordinator {
        std::string key{};
        broker_id node_id{};
        std::string host{};
        std::int32_t port{};
        broker_error error_code{};
        std::optional<std::string> error_message{std::in_place};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const coordinator&) const = default;

        static constexpr void describe(auto& field) {
            using self = coordinator;
            field("Key", &self::key);
            field("NodeId", &self::node_id);
            field("Host", &self::host);
            field("Port", &self::port);
            field("ErrorCode", &self::error_code);
            field("ErrorMessage", &self::error_message);
        }
    };

    std::int32_t throttle_time_ms{};
    broker_error error_code{};
    std::optional<std::string> error_message{std::in_place};
    broker_id node_id{};
    std::string host{};
    std::int32_t port{};
    std::vector<coordinator> coordinators{};
    tagged_fields unknown_tagged_fields{};

    bool operator==(const find_coordinator_response&) const = default;

    static constexpr void describe(auto& field) {
        using self = find_coordinator_response;
        field("ThrottleTimeMs", &self::throttle_time_ms, since(1).ignorable());
        field("ErrorCode", &self::error_code, until(3));
        field("ErrorMessage", &self::error_message, between(1, 3).ignorable());
        field("NodeId", &self::node_id, until(3));
        field("Host", &self::host, until(3));
        field("Port", &self::port, until(3));
        field("Coordinators", &self::coordinators, since(4));
    }
};

}  // namespace strandline::protocol::messages
