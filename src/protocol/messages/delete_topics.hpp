// DeleteTopics (20): deletes topics, by name or by id.
#pragma once

#include "protocol/message.hpp"

namespace strandline::protocol::messages {

struct delete_topics_response;

struct delete_topics_request {
    static constexpr std::string_view name = "DeleteTopicsRequest";
    static constexpr auto key = api_key::delete_topics;
    static constexpr std::int16_t min_version = 1, max_version = 6;
    static constexpr std::int16_t first_flexible_version = 4;
    using response = delete_topics_response;

    struct delete_topic_state {
        std::optional<std::string> name{};
        protocol::topic_id topic_id{};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const delete_topic_state&) const = default;

        static constexpr void describe(auto& field) {
            using self = delete_topic_state;
            field("Name", &self::name);
            field("TopicId", &self::topic_id);
        }
    };

    std::vector<delete_topic_state> topics{};
    std::vector<std::string> topic_names{};
    std::int32_t timeout_ms{};
    tagged_fields unknown_tagged_fields{};

    bool operator==(const delete_topics_request&) const = default;

    static constexpr void describe(auto& field) {
        using self = delete_topics_request;
        field("Topics", &self::topics, since(6));
        field("TopicNames", &self::topic_names, until(5).ignorable());
        field("TimeoutMs", &self::timeout_ms);
    }
};

struct delete_topics_response {
    static constexpr std::string_view name = "DeleteTopicsResponse";
    static constexpr auto key = api_key::delete_topics;
    static constexpr std::int16_t min_version = 1, max_version = 6;
    static constexpr std::int16_t first_flexible_version = 4;

    struct deletable_topic_result {
        std::optional<std::string> name{std::in_place};
        protocol::topic_id topic_id{};
        broker_error error_code{};
        std::optional<std::string> error_message{};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const deletable_topic_result&) const = default;

        static constexpr void describe(auto& field) {
            using self = deletable_topic_result;
            field("Name", &self::name, nullable_since(6));
            field("TopicId", &self::topic_id, since(6).ignorable());
            field("ErrorCode", &self::error_code);
            field("ErrorMessage", &self::error_message, since(5).ignorable());
        }
    };

    std::int32_t throttle_time_ms{};
    std::vector<deletable_topic_result> responses{};
    tagged_fields unknown_tagged_fields{};

    bool operator==(const delete_topics_response&) const = default;

    static constexpr void describe(auto& field) {
        using self = delete_topics_response;
        field("ThrottleTimeMs", &self::throttle_time_ms);
        field("Responses", &self::responses);
    }
};

}  // namespace strandline::protocol::messages
