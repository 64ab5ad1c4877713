// AddOffsetsToTxn (25): enrols a group's offsets in a transaction.
#pragma once

#include "protocol/message.hpp"

namespace strandline::protocol::messages {

struct add_offsets_to_txn_response;

struct add_offsets_to_txn_request {
    static constexpr std::string_view name = "AddOffsetsToTxnRequest";
    static constexpr auto key = api_key::add_offsets_to_txn;
    static constexpr std::int16_t min_version = 0, max_version = 4;
    static constexpr std::int16_t first_flexible_version = 3;
    using response = add_offsets_to_txn_response;

    std::string transactional_id{};
    protocol::producer_id producer_id{};
    std::int16_t producer_epoch{};
    std::string group_id{};
    tagged_fields unknown_tagged_fields{};

    bool operator==(const add_offsets_to_txn_request&) const = default;

    static constexpr void describe(auto& field) {
        using self = add_offsets_to_txn_request;
        field("TransactionalId", &self::transactional_id);
        field("ProducerId", &self::producer_id);
        field("ProducerEpoch", &self::producer_epoch);
        field("GroupId", &self::group_id);
    }
};

struct add_offsets_to_txn_response {
    static constexpr std::string_view name = "AddOffsetsToTxnResponse";
    static constexpr auto key = api_key::add_offsets_to_txn;
    static constexpr std::int16_t min_version = 0, max_version = 4;
    static constexpr std::int16_t first_flexible_version = 3;

    std::int32_t throttle_time_ms{};
    broker_error error_code{};
    tagged_fields unknown_tagged_fields{};

    bool operator==(const add_offsets_to_txn_response&) const = default;

    static constexpr void describe(auto& field) {
        using self = add_offsets_to_txn_response;
        field("ThrottleTimeMs", &self::throttle_time_ms);
        field("ErrorCode", &self::error_code);
    }
};

}  // namespace strandline::protocol::messages
