// EndTxn (26): commits or aborts a transaction.
#pragma once

#include "protocol/message.hpp"

namespace strandline::protocol::messages {

struct end_txn_response;

struct end_txn_request {
    static constexpr std::string_view name = "EndTxnRequest";
    static constexpr auto key = api_key::end_txn;
    static constexpr std::int16_t min_version = 0, max_version = 5;
    static constexpr std::int16_t first_flexible_version = 3;
    using response = end_txn_response;

    std::string transactional_id{};
    protocol::producer_id producer_id{};
    std::int16_t producer_epoch{};
    bool committed{};
    tagged_fields unknown_tagged_fields{};

    bool operator==(const end_txn_request&) const = default;

    static constexpr void describe(auto& field) {
        using self = end_txn_request;
        field("TransactionalId", &self::transactional_id);
        field("ProducerId", &self::producer_id);
        field("ProducerEpoch", &self::producer_epoch);
        field("Committed", &self::committed);
    }
};

struct end_txn_response {
    static constexpr std::string_view name = "EndTxnResponse";
    static constexpr auto key = api_key::end_txn;
    static constexpr std::int16_t min_version = 0, max_version = 5;
    static constexpr std::int16_t first_flexible_version = 3;

    std::int32_t throttle_time_ms{};
    broker_error error_code{};
    protocol::producer_id producer_id{-1};
    std::int16_t producer_epoch{-1};
    tagged_fields unknown_tagged_fields{};

    bool operator==(const end_txn_response&) const = default;

    static constexpr void describe(auto& field) {
        using self = end_txn_response;
        field("ThrottleTimeMs", &self::throttle_time_ms);
        field("ErrorCode", &self::error_code);
        field("ProducerId", &self::producer_id, since(5).ignorable());
        field("ProducerEpoch", &self::producer_epoch, since(5).ignorable());
    }
};

}  // namespace strandline::protocol::messages
