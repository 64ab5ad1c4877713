// Producers as the brokers know them: ids and epochs, sequences of idempotent ones, transactions and the offsets in
// them.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/instant.hpp"
#include "protocol/broker_error.hpp"
#include "records/record_batch.hpp"
#include "testkit/fake_cluster/cluster_state.hpp"

namespace strandline::testkit::fake {

class consumer_groups;

// An offset that becomes committed with its transaction.
struct pending_offset {
    std::string topic;
    std::int32_t partition = 0;
    std::int64_t offset = 0;
    std::int32_t leader_epoch = -1;
    std::string metadata;
};

class transaction_coordinator {
public:
    struct identity {
        protocol::broker_error error = protocol::broker_error::none;
        std::int64_t producer_id = -1;
        std::int16_t producer_epoch = -1;
    };
    struct admission {
        protocol::broker_error error = protocol::broker_error::none;
        std::optional<std::int64_t> duplicate_of;  // the base offset of the batch that was written already
        std::int64_t duplicates_time = -1;         // and its newest timestamp
    };
    using partition_key = std::pair<std::string, std::int32_t>;

    transaction_coordinator(cluster_state& cluster, consumer_groups& groups) : cluster_(cluster), groups_(groups) {}

    // A new producer, or the next epoch of a transactional id. An open transaction of that id is aborted, and the
    // answer is CONCURRENT_TRANSACTIONS: ask again. `known` is who the caller takes itself for, if it knows.
    identity init(const std::optional<std::string>& transactional_id, base::duration timeout, base::wall_time wall,
                  const identity& known);
    protocol::broker_error add_partition(const std::string& transactional_id, std::int64_t producer_id,
                                         std::int16_t epoch, const partition_key& partition, base::instant now);
    // Whether the partition is part of the open transaction, as brokers ask each other.
    protocol::broker_error verify_partition(const std::string& transactional_id, std::int64_t producer_id,
                                            std::int16_t epoch, const partition_key& partition) const;
    protocol::broker_error add_group(const std::string& transactional_id, std::int64_t producer_id, std::int16_t epoch,
                                     const std::string& group, base::instant now);
    protocol::broker_error add_offsets(const std::string& transactional_id, std::int64_t producer_id,
                                       std::int16_t epoch, const std::string& group,
                                       std::vector<pending_offset> offsets, bool adds_group, base::instant now);
    // Writes the markers. With `next_epoch` (EndTxn 5) the producer goes on under the epoch that is returned.
    identity end(const std::string& transactional_id, std::int64_t producer_id, std::int16_t epoch, bool commit,
                 bool with_next_epoch, base::wall_time wall);

    // May this batch be written? Checks the transaction and the sequence.
    admission admit(const std::optional<std::string>& transactional_id, const topic_state& topic,
                    std::int32_t partition, const records::record_batch& batch, bool adds_partition, base::instant now);
    void appended(const topic_state& topic, std::int32_t partition, const records::record_batch& batch,
                  std::int64_t base_offset);

    // Transactions that run too long are aborted.
    void on_time(base::instant now, base::wall_time wall);
    base::instant next_deadline() const;
    // Whether offsets of this partition are part of an open transaction (error 88 for those who ask for stable ones).
    bool has_pending_offset(const std::string& group, const partition_key& partition) const;

private:
    struct transaction {
        std::int64_t producer_id = -1;
        std::int16_t epoch = -1;
        base::duration timeout{};
        bool open = false;
        // How the last one ended and whether that took a new epoch; a repeated EndTxn is told the same.
        std::optional<bool> last_committed;
        bool last_bumped = false;
        base::instant expires_at = base::never;
        std::set<partition_key> partitions;
        std::set<std::string> groups;
        std::map<std::string, std::vector<pending_offset>> offsets;
    };
    struct written_batch {
        std::int32_t first_sequence;
        std::int32_t last_sequence;
        std::int64_t base_offset;
        std::int64_t newest_timestamp;
    };
    struct sequence_state {
        std::int16_t epoch = -1;
        std::deque<written_batch> newest;  // the last five, as a broker remembers
    };

    protocol::broker_error check(const std::string& transactional_id, std::int64_t producer_id,
                                 std::int16_t epoch) const;
    void open(transaction& one, base::instant now);
    // Takes the next epoch, or a new producer id when there is none, and ends what is open. The markers carry the new
    // epoch, so that whatever its producer still sends under the old one is refused.
    void end_in_next_epoch(transaction& one, bool commit, base::wall_time wall);
    void finish(transaction& one, bool commit, base::wall_time wall);

    cluster_state& cluster_;
    consumer_groups& groups_;
    std::map<std::string, transaction> transactions_;
    // By producer id and partition; a topic that was made again knows nobody's sequences.
    std::map<std::tuple<std::int64_t, protocol::topic_id, std::int32_t>, sequence_state> sequences_;
    std::int64_t last_producer_id_ = 999;
};

}  // namespace strandline::testkit::fake
