// ListGroups (16): the groups that a broker coordinates.
#pragma once

#include "protocol/message.hpp"

namespace strandline::protocol::messages {

struct list_groups_response;

struct list_groups_request {
    static constexpr std::string_view name = "ListGroupsRequest";
    static constexpr auto key = api_key::list_groups;
    static constexpr std::int16_t min_version = 0, max_version = 5;
    static constexpr std::int16_t first_flexible_version = 3;
    using response = list_groups_response;

    std::vector<std::string> states_filter{};
    std::vector<std::string> types_filter{};
    tagged_fields unknown_tagged_fields{};

    bool operator==(const list_groups_request&) const = default;

    static constexpr void describe(auto& field) {
        using self = list_groups_request;
        field("StatesFilter", &self::states_filter, since(4));
        field("TypesFilter", &self::types_filter, since(5));
    }
};

struct list_groups_response {
    static constexpr std::string_view name = "ListGroupsResponse";
    static constexpr auto key = api_key::list_groups;
    static constexpr std::int16_t min_version = 0, max_version = 5;
    static constexpr std::int16_t first_flexible_version = 3;

    struct listed_group {
        std::string group_id{};
        std::string protocol_type{};
        std::string group_state{};
        std::string group_type{};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const listed_group&) const = default;

        static constexpr void describe(auto& field) {
            using self = listed_group;
            field("GroupId", &self::group_id);
            field("ProtocolType", &self::protocol_type);
            field("GroupState", &self::group_state, since(4).ignorable());
            field("GroupType", &self::group_type, since(5).ignorable());
        }
    };

    std::int32_t throttle_time_ms{};
    broker_error error_code{};
    std::vector<listed_group> groups{};
    tagged_fields unknown_tagged_fields{};

    bool operator==(const list_groups_response&) const = default;

    static constexpr void describe(auto& field) {
        using self = list_groups_response;
        field("ThrottleTimeMs", &self::throttle_time_ms, since(1).ignorable());
        field("ErrorCode", &self::error_code);
        field("Groups", &self::groups);
    }
};

}  // namespace strandline::protocol::messages
