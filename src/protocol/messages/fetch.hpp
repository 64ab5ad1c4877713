// Fetch (1): record batches of many partitions, in full or within a session (KIP-227).
#pragma once

#include <limits>

#include "protocol/message.hpp"

namespace strandline::protocol::messages {

struct fetch_response;

struct fetch_request {
    static constexpr std::string_view name = "FetchRequest";
    static constexpr auto key = api_key::fetch;
    static constexpr std::int16_t min_version = 4, max_version = 18;
    static constexpr std::int16_t first_flexible_version = 12;
    using response = fetch_response;

    struct replica_state_value {
        broker_id replica_id{-1};
        std::int64_t replica_epoch{-1};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const replica_state_value&) const = default;

        static constexpr void describe(auto& field) {
            using self = replica_state_value;
            field("ReplicaId", &self::replica_id);
            field("ReplicaEpoch", &self::replica_epoch);
        }
    };

    struct fetch_partition {
        partition_index partition{};
        leader_epoch current_leader_epoch{-1};
        std::int64_t fetch_offset{};
        // Epoch of the record before fetch_offset; lets the broker see a truncated log.
        leader_epoch last_fetched_epoch{-1};
        std::int64_t log_start_offset{-1};
        std::int32_t partition_max_bytes{};
        topic_id replica_directory_id{};
        std::int64_t high_watermark{std::numeric_limits<std::int64_t>::max()};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const fetch_partition&) const = default;

        static constexpr void describe(auto& field) {
            using self = fetch_partition;
            field("Partition", &self::partition);
            field("CurrentLeaderEpoch", &self::current_leader_epoch, since(9).ignorable());
            field("FetchOffset", &self::fetch_offset);
            field("LastFetchedEpoch", &self::last_fetched_epoch, since(12));
            field("LogStartOffset", &self::log_start_offset, since(5).ignorable());
            field("PartitionMaxBytes", &self::partition_max_bytes);
            field("ReplicaDirectoryId", &self::replica_directory_id, since(17).tagged(0).ignorable());
            field("HighWatermark", &self::high_watermark, since(18).tagged(1).ignorable());
        }
    };

    struct fetch_topic {
        std::string topic{};
        protocol::topic_id topic_id{};
        std::vector<fetch_partition> partitions{};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const fetch_topic&) const = default;

        static constexpr void describe(auto& field) {
            using self = fetch_topic;
            field("Topic", &self::topic, until(12).ignorable());
            field("TopicId", &self::topic_id, since(13).ignorable());
            field("Partitions", &self::partitions);
        }
    };

    struct forgotten_topic {
        std::string topic{};
        protocol::topic_id topic_id{};
        std::vector<partition_index> partitions{};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const forgotten_topic&) const = default;

        static constexpr void describe(auto& field) {
            using self = forgotten_topic;
            field("Topic", &self::topic, until(12).ignorable());
            field("TopicId", &self::topic_id, since(13).ignorable());
            field("Partitions", &self::partitions);
        }
    };

    std::optional<std::string> cluster_id{};
    // -1: a consumer.
    broker_id replica_id{-1};
    replica_state_value replica_state{};
    std::int32_t max_wait_ms{};
    std::int32_t min_bytes{};
    std::int32_t max_bytes{std::numeric_limits<std::int32_t>::max()};
    std::int8_t isolation_level{};
    std::int32_t session_id{};
    // 0 opens a session; -1 does without one, or closes the one it names.
    protocol::session_epoch session_epoch{-1};
    std::vector<fetch_topic> topics{};
    std::vector<forgotten_topic> forgotten_topics_data{};
    std::string rack_id{};
    tagged_fields unknown_tagged_fields{};

    bool operator==(const fetch_request&) const = default;

    static constexpr void describe(auto& field) {
        using self = fetch_request;
        field("ClusterId", &self::cluster_id, since(12).tagged(0).ignorable());
        field("ReplicaId", &self::replica_id, until(14));
        field("ReplicaState", &self::replica_state, since(15).tagged(1));
        field("MaxWaitMs", &self::max_wait_ms);
        field("MinBytes", &self::min_bytes);
        field("MaxBytes", &self::max_bytes);
        field("IsolationLevel", &self::isolation_level);
        field("SessionId", &self::session_id, since(7).ignorable());
        field("SessionEpoch", &self::session_epoch, since(7).ignorable());
        field("Topics", &self::topics);
        field("ForgottenTopicsData", &self::forgotten_topics_data, since(7));
        field("RackId", &self::rack_id, since(11).ignorable());
    }
};

struct fetch_response {
    static constexpr std::string_view name = "FetchResponse";
    static constexpr auto key = api_key::fetch;
    static constexpr std::int16_t min_version = 4, max_version = 18;
    static constexpr std::int16_t first_flexible_version = 12;

    struct epoch_end_offset {
        leader_epoch epoch{-1};
        std::int64_t end_offset{-1};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const epoch_end_offset&) const = default;

        static constexpr void describe(auto& field) {
            using self = epoch_end_offset;
            field("Epoch", &self::epoch);
            field("EndOffset", &self::end_offset);
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

    struct snapshot_id_value {
        std::int64_t end_offset{-1};
        leader_epoch epoch{-1};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const snapshot_id_value&) const = default;

        static constexpr void describe(auto& field) {
            using self = snapshot_id_value;
            field("EndOffset", &self::end_offset);
            field("Epoch", &self::epoch);
        }
    };

    struct aborted_transaction {
        protocol::producer_id producer_id{};
        std::int64_t first_offset{};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const aborted_transaction&) const = default;

        static constexpr void describe(auto& field) {
            using self = aborted_transaction;
            field("ProducerId", &self::producer_id);
            field("FirstOffset", &self::first_offset);
        }
    };

    struct partition_data {
        protocol::partition_index partition_index{};
        broker_error error_code{};
        std::int64_t high_watermark{};
        std::int64_t last_stable_offset{-1};
        std::int64_t log_start_offset{-1};
        // Set if the log was truncated below the fetch offset: the epoch it agrees with, and where that ends.
        epoch_end_offset diverging_epoch{};
        // Set beside an error that says that the leader has moved (KIP-951).
        leader_id_and_epoch current_leader{};
        snapshot_id_value snapshot_id{};
        // Null if uncommitted records were asked for. In no particular order.
        std::optional<std::vector<aborted_transaction>> aborted_transactions{std::in_place};
        broker_id preferred_read_replica{-1};
        // Whole batches, but for the last, which may be cut short.
        std::optional<base::shared_bytes> records{};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const partition_data&) const = default;

        static constexpr void describe(auto& field) {
            using self = partition_data;
            field("PartitionIndex", &self::partition_index);
            field("ErrorCode", &self::error_code);
            field("HighWatermark", &self::high_watermark);
            field("LastStableOffset", &self::last_stable_offset);
            field("LogStartOffset", &self::log_start_offset, since(5).ignorable());
            field("DivergingEpoch", &self::diverging_epoch, since(12).tagged(0));
            field("CurrentLeader", &self::current_leader, since(12).tagged(1));
            field("SnapshotId", &self::snapshot_id, since(12).tagged(2));
            field("AbortedTransactions", &self::aborted_transactions);
            field("PreferredReadReplica", &self::preferred_read_replica, since(11));
            field("Records", &self::records);
        }
    };

    struct fetchable_topic_response {
        std::string topic{};
        protocol::topic_id topic_id{};
        std::vector<partition_data> partitions{};
        tagged_fields unknown_tagged_fields{};

        bool operator==(const fetchable_topic_response&) const = default;

        static constexpr void describe(auto& field) {
            using self = fetchable_topic_response;
            field("Topic", &self::topic, until(12).ignorable());
            field("TopicId", &self::topic_id, since(13).ignorable());
            field("Partitions", &self::partitions);
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

    std::int32_t throttle_time_ms{};
    broker_error error_code{};
    // 0: the broker has given no session.
    std::int32_t session_id{};
    std::vector<fetchable_topic_response> responses{};
    // Where the brokers are that current_leader names.
    std::vector<node_endpoint> node_endpoints{};
    tagged_fields unknown_tagged_fields{};

    bool operator==(const fetch_response&) const = default;

    static constexpr void describe(auto& field) {
        using self = fetch_response;
        field("ThrottleTimeMs", &self::throttle_time_ms);
        field("ErrorCode", &self::error_code, since(7).ignorable());
        field("SessionId", &self::session_id, since(7));
        field("Responses", &self::responses);
        field("NodeEndpoints", &self::node_endpoints, since(16).tagged(0));
    }
};

}  // namespace strandline::protocol::messages
