// One partition's log as its leader holds it: batches in order, who led when, which transactions are open or aborted.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "base/bytes.hpp"
#include "protocol/broker_error.hpp"
#include "records/aborted_transactions.hpp"
#include "records/record_batch.hpp"
#include "records/record_view.hpp"

namespace strandline::testkit::fake {

class partition_log {
public:
    struct appended {
        std::int64_t base_offset = 0;
        std::int64_t log_append_time = -1;
    };
    struct found_time {
        std::int64_t offset = -1;
        std::int64_t timestamp = -1;
        std::int32_t leader_epoch = -1;
    };
    struct epoch_end {
        std::int32_t epoch = -1;
        std::int64_t end_offset = -1;
    };
    struct stored_batch {
        std::int64_t base_offset;
        std::int64_t next_offset;
        std::int32_t leader_epoch;
        base::shared_bytes bytes;
    };
    struct aborted_range {
        std::int64_t producer_id;
        std::int64_t first_offset;
        std::int64_t last_offset;  // of the marker
    };
    // What a Fetch gets: batches, the last of them cut off where `max_bytes` end, or the first one alone and whole if
    // it exceeds them and may.
    struct slice {
        base::shared_bytes bytes;
        std::vector<records::aborted_transaction> aborted;
    };

    // Each change of the log is counted there, if anywhere.
    explicit partition_log(std::uint64_t* changes = nullptr) : changes_(changes) {}

    // Appends one whole, checked batch of magic 2, stamped with offsets and the epoch.
    appended append(base::bytes_view batch, std::int32_t leader_epoch);
    // Appends batches just as they are, offsets and checksum included: compacted, legacy or broken ones.
    void append_raw(base::shared_bytes batches, std::int64_t next_offset, std::int32_t leader_epoch);
    // Ends the open transaction of a producer with a marker; nothing if it has none here.
    void end_transaction(std::int64_t producer_id, std::int16_t producer_epoch, bool commit, std::int64_t timestamp,
                         std::int32_t leader_epoch);

    slice read(std::int64_t from, std::size_t max_bytes, bool first_may_exceed, bool committed_only) const;
    // Bytes that a read from there would find, counted until they are `enough`; for min_bytes.
    std::size_t available(std::int64_t from, std::size_t enough, bool committed_only) const;

    std::int64_t start_offset() const noexcept { return start_; }
    std::int64_t high_watermark() const noexcept { return end_; }
    std::int64_t last_stable_offset() const noexcept;

    // The first record that is not older.
    found_time find_time(std::int64_t timestamp) const;
    found_time find_max_timestamp() const;
    // Where the newest epoch not above `epoch` ends; undefined (-1, -1) for one that has not come.
    epoch_end end_of_epoch(std::int32_t epoch) const;
    // Of the record before `offset`.
    std::int32_t epoch_at(std::int64_t offset) const;

    void delete_before(std::int64_t offset);
    // Unclean election: everything from there on is gone.
    void truncate_to(std::int64_t offset);
    // A new leader's epoch begins at the end of the log.
    void begin_epoch(std::int32_t epoch);
    // As the log cleaner does: records that are not kept are gone, their batches keep their offsets. A batch that loses
    // its last record stays without any, as the last one of a producer does, or goes.
    void compact(const std::function<bool(const records::record_view&)>& keep, bool keep_empty_batches);

    // The truth, for whoever checks what readers see.
    const std::vector<stored_batch>& batches() const noexcept { return batches_; }
    const std::vector<aborted_range>& aborted() const noexcept { return aborted_; }

private:
    std::vector<stored_batch>::const_iterator first_with(std::int64_t offset) const;
    std::int64_t visible_end(bool committed_only) const noexcept;
    void changed() const noexcept {
        if (changes_) ++*changes_;
    }

    std::uint64_t* changes_;
    std::vector<stored_batch> batches_;
    std::map<std::int32_t, std::int64_t> epoch_starts_{{0, 0}};
    std::map<std::int64_t, std::int64_t> open_;  // producer id -> first offset of its open transaction
    std::vector<aborted_range> aborted_;
    std::int64_t start_ = 0;
    std::int64_t end_ = 0;
};

}  // namespace strandline::testkit::fake
