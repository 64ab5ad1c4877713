// DeleteGroups (42): deletes empty groups with all they have stored.
#pragma once

#include "protocol/message.hpp"

namespace strandline::protocol::messages {

struct delete_groups_response;

struct delete_groups_request {
    static constexpr std::string_view name = "DeleteGroupsRequest";
    static constexpr auto key = api_key::delete_groups;
    static constexpr std::int16_t min_version = 0, max_version = 3;
    static constexpr std::int16_t first_flexible_version = 2;
    using response = delete_groups_response;

    std::vector<std::string> groups_names{};
    tagged_fields unknown_tagged_fields{};

    bool operator==(const delete_groups_request&) const = default;

    static constexpr void describe(auto& field) {
        using self = delete_groups_request;
        field("GroupsNames", &self::groups_names);
    }
};

struct delete_groups_response {
    static constexpr std::string_view name = "DeleteGroupsResponse";
    static constexpr auto key = api_key::delete_groups;
    static constexpr std::int16_t min_version = 0, max_version = 3;
    static constexpr std::int16_t first_flexible_version = 2;

    struct deletable_group_result {
        std::string group_id{};
        broker_error error_code{};
        std::optional<std::string> error_message{};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const deletable_group_result&) const = default;

        static constexpr void describe(auto& field) {
            using self = deletable_group_result;
            field("GroupId", &self::group_id);
            field("ErrorCode", &self::error_code);
            field("ErrorMessage", &self::error_message, since(3).ignorable());
        }
    };

    std::int32_t throttle_time_ms{};
    std::vector<deletable_group_result> results{};
    tagged_fields unknown_tagged_fields{};

    bool operator==(const delete_groups_response&) const = default;

    static constexpr void describe(auto& field) {
        using self = delete_groups_response;
        field("ThrottleTimeMs", &self::throttle_time_ms);
        field("Results", &self::results);
    }
};

}  // namespace strandline::protocol::messages
