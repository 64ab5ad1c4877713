// DescribeGroups (15): members and assignments of classic groups.
#pragma once

#include <limits>

#include "protocol/message.hpp"

namespace strandline::protocol::messages {

struct describe_groups_response;

struct describe_groups_request {
    static constexpr std::string_view name = "DescribeGroupsRequest";
    static constexpr auto key = api_key::describe_groups;
    static constexpr std::int16_t min_version = 0, max_version = 6;
    static constexpr std::int16_t first_flexible_version = 5;
    using response = describe_groups_response;

    std::vector<std::string> groups{};
    bool include_authorized_operations{};
    tagged_fields unknown_tagged_fields{};

    bool operator==(const describe_groups_request&) const = default;

    static constexpr void describe(auto& field) {
        using self = describe_groups_request;
        field("Groups", &self::groups);
        field("IncludeAuthorizedOperations", &self::include_authorized_operations, since(3));
    }
};

struct describe_groups_response {
    static constexpr std::string_view name = "DescribeGroupsResponse";
    static constexpr auto key = api_key::describe_groups;
    static constexpr std::int16_t min_version = 0, max_version = 6;
    static constexpr std::int16_t first_flexible_version = 5;

    struct described_group_member {
        std::string member_id{};
        std::optional<std::string> group_instance_id{};
        std::string client_id{};
        std::string client_host{};
        base::shared_bytes member_metadata{};
        base::shared_bytes member_assignment{};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const described_group_member&) const = default;

        static constexpr void describe(auto& field) {
            using self = described_group_member;
            field("MemberId", &self::member_id);
            field("GroupInstanceId", &self::group_instance_id, since(4).ignorable());
            field("ClientId", &self::client_id);
            field("ClientHost", &self::client_host);
            field("MemberMetadata", &self::member_metadata);
            field("MemberAssignment", &self::member_assignment);
        }
    };

    struct described_group {
        broker_error error_code{};
        std::optional<std::string> error_message{};
        std::string group_id{};
        std::string group_state{};
        std::string protocol_type{};
        std::string protocol_data{};
        std::vector<described_group_member> members{};
        std::int32_t authorized_operations{std::numeric_limits<std::int32_t>::min()};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const described_group&) const = default;

        static constexpr void describe(auto& field) {
            using self = described_group;
            field("ErrorCode", &self::error_code);
            field("ErrorMessage", &self::error_message, since(6));
            field("GroupId", &self::group_id);
            field("GroupState", &self::group_state);
            field("ProtocolType", &self::protocol_type);
            field("ProtocolData", &self::protocol_data);
            field("Members", &self::members);
            field("AuthorizedOperations", &self::authorized_operations, since(3));
        }
    };

    std::int32_t throttle_time_ms{};
    std::vector<described_group> groups{};
    tagged_fields unknown_tagged_fields{};

    bool operator==(const describe_groups_response&) const = default;

    static constexpr void describe(auto& field) {
        using self = describe_groups_response;
        field("ThrottleTimeMs", &self::throttle_time_ms, since(1).ignorable());
        field("Groups", &self::groups);
    }
};

}  // namespace strandline::protocol::messages
