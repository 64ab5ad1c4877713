// Produce (0): appends record batches to partitions.
#pragma once

#include "protocol/message.hpp"

namespace strandline::protocol::messages {

struct produce_response;

struct produce_request {
    static constexpr std::string_view name = "ProduceRequest";
    static constexpr auto key = api_key::produce;
    static constexpr std::int16_t min_version = 3, max_version = 13;
    static constexpr std::int16_t first_flexible_version = 9;
    using response = produce_response;

    struct partition_produce_data {
        partition_index index{};
        std::optional<base::shared_bytes> records{};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const partition_produce_data&) const = default;

        static constexpr void describe(auto& field) {
            using self = partition_produce_data;
            field("Index", &self::index);
            field("Records", &self::records);
        }
    };

    struct topic_produce_data {
        std::string name{};
        protocol::topic_id topic_id{};
        std::vector<partition_produce_data> partition_data{};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const topic_produce_data&) const = default;

        static constexpr void describe(auto& field) {
            using self = topic_produce_data;
            field("Name", &self::name, until(12).ignorable());
            field("TopicId", &self::topic_id, since(13).ignorable());
            field("PartitionData", &self::partition_data);
        }
    };

    std::optional<std::string> transactional_id{};
    // 0: no answer at all, 1: from the leader, -1: from all replicas in sync.
    std::int16_t acks{};
    std::int32_t timeout_ms{};
    std::vector<topic_produce_data> topic_data{};
    tagged_fields unknown_tagged_fields{};

    bool operator==(const produce_request&) const = default;

    static constexpr void describe(auto& field) {
        using self = produce_request;
        field("TransactionalId", &self::transactional_id);
        field("Acks", &self::acks);
        field("TimeoutMs", &self::timeout_ms);
        field("TopicData", &self::topic_data);
    }
};

struct produce_response {
    static constexpr std::string_view name = "ProduceResponse";
    static constexpr auto key = api_key::produce;
    static constexpr std::int16_t min_version = 3, max_version = 13;
    static constexpr std::int16_t first_flexible_version = 9;

    struct batch_index_and_error_message {
        std::int32_t batch_index{};
        std::optional<std::string> batch_index_error_message{};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const batch_index_and_error_message&) const = default;

        static constexpr void describe(auto& field) {
            using self = batch_index_and_error_message;
            field("BatchIndex", &self::batch_index);
            field("BatchIndexErrorMessage", &self::batch_index_error_message);
        }
    };

    struct leader_id_and_epoch {
        broker_id leader_id{-1};
        protocol::leader_epoch leader_epoch{-1};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const leader_id_and_epoch&) const = default;

        static constexpr void describe(auto& field) {
            using self = leader_id_and_epoch;
            field("LeaderId", &self::leader_id);
            field("LeaderEpoch", &self::leader_epoch);
        }
    };

    struct partition_produce_response {
        partition_index index{};
        broker_error error_code{};
        std::int64_t base_offset{};
        std::int64_t log_append_time_ms{-1};
        std::int64_t log_start_offset{-1};
        std::vector<batch_index_and_error_message> record_errors{};
        std::optional<std::string> error_message{};
        leader_id_and_epoch current_leader{};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const partition_produce_response&) const = default;

        static constexpr void describe(auto& field) {
            using self = partition_produce_response;
            field("Index", &self::index);
            field("ErrorCode", &self::error_code);
            field("BaseOffset", &self::base_offset);
            field("LogAppendTimeMs", &self::log_append_time_ms);
            field("LogStartOffset", &self::log_start_offset, since(5).ignorable());
            field("RecordErrors", &self::record_errors, since(8).ignorable());
            field("ErrorMessage", &self::error_message, since(8).ignorable());
            field("CurrentLeader", &self::current_leader, since(10).tagged(0));
        }
    };

    struct topic_produce_response {
        std::string name{};
        protocol::topic_id topic_id{};
        std::vector<partition_produce_response> partition_responses{};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const topic_produce_response&) const = default;

        static constexpr void describe(auto& field) {
            using self = topic_produce_response;
            field("Name", &self::name, until(12).ignorable());
            field("TopicId", &self::topic_id, since(13).ignorable());
            field("PartitionResponses", &self::partition_responses);
        }
    };

    struct node_endpoint {
        broker_id node_id{};
        std::string host{};
        std::int32_t port{};
        std::optional<std::string> rack{};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const node_endpoint&) const = default;

        static constexpr void describe(auto& field) {
            using self = node_endpoint;
            field("NodeId", &self::node_id);
            field("Host", &self::host);
            field("Port", &self::port);
            field("Rack", &self::rack);
        }
    };

    std::vector<topic_produce_response> responses{};
    std::int32_t throttle_time_ms{};
    std::vector<node_endpoint> node_endpoints{};
    tagged_fields unknown_tagged_fields{};

    bool operator==(const produce_response&) const = default;

    static constexpr void describe(auto& field) {
        using self = produce_response;
        field("Responses", &self::responses);
        field("ThrottleTimeMs", &self::throttle_time_ms);
        field("NodeEndpoints", &self::node_endpoints, since(10).tagged(0));
    }
};

}  // namespace strandline::protocol::messages
