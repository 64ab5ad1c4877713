// InitProducerId (22): gives a producer its id and epoch, and fences its predecessors.
#pragma once

#include "protocol/message.hpp"

namespace strandline::protocol::messages {

struct init_producer_id_response;

struct init_producer_id_request {
    static constexpr std::string_view name = "InitProducerIdRequest";
    static constexpr auto key = api_key::init_producer_id;
    static constexpr std::int16_t min_version = 0, max_version = 5;
    static constexpr std::int16_t first_flexible_version = 2;
    using response = init_producer_id_response;

    std::optional<std::string> transactional_id{std::in_place};
    std::int32_t transaction_timeout_ms{};
    protocol::producer_id producer_id{-1};
    std::int16_t producer_epoch{-1};
    tagged_fields unknown_tagged_fields{};

    bool operator==(const init_producer_id_request&) const = default;

    static constexpr void describe(auto& field) {
        using self = init_producer_id_request;
        field("TransactionalId", &self::transactional_id);
        field("TransactionTimeoutMs", &self::transaction_timeout_ms);
        field("ProducerId", &self::producer_id, since(3));
        field("ProducerEpoch", &self::producer_epoch, since(3));
    }
};

struct init_producer_id_response {
    static constexpr std::string_view name = "InitProducerIdResponse";
    static constexpr auto key = api_key::init_producer_id;
    static constexpr std::int16_t min_version = 0, max_version = 5;
    static constexpr std::int16_t first_flexible_version = 2;

    std::int32_t throttle_time_ms{};
    broker_error error_code{};
    protocol::producer_id producer_id{-1};
    std::int16_t producer_epoch{};
    tagged_fields unknown_tagged_fields{};

    bool operator==(const init_producer_id_response&) const = default;

    static constexpr void describe(auto& field) {
        using self = init_producer_id_response;
        field("ThrottleTimeMs", &self::throttle_time_ms);
        field("ErrorCode", &self::error_code);
        field("ProducerId", &self::producer_id);
        field("ProducerEpoch", &self::producer_epoch);
    }
};

}  // namespace strandline::protocol::messages
