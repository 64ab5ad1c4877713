// Writes batches as a broker's log holds them: for the fake cluster, the null broker and tests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/bytes.hpp"
#include "records/compression_codec.hpp"
#include "records/control_record.hpp"
#include "records/record_header.hpp"
#include "records/timestamp_type.hpp"

namespace strandline::records {

struct batch_options {
    std::int8_t magic = 2;
    compression_codec codec = compression_codec::none;
    records::timestamp_type timestamp_type = records::timestamp_type::create_time;
    // With log_append_time: every record's timestamp.
    std::int64_t log_append_time = -1;
    std::int64_t base_offset = 0;
    std::int32_t leader_epoch = 0;
    std::int64_t producer_id = -1;
    std::int16_t producer_epoch = -1;
    std::int32_t base_sequence = -1;
    bool transactional = false;
    bool control = false;
};

struct new_record {
    std::int64_t timestamp = 0;
    std::optional<base::bytes_view> key = std::nullopt;
    std::optional<base::bytes_view> value = std::nullopt;
    std::span<const record_header> headers = {};  // magic 2 only
};

// Encodes records as they come, then builds: one batch (magic 2), one message per record, or one compressed message
// (magic 0, 1).
class batch_builder {
public:
    explicit batch_builder(batch_options options = {});

    // At the offset after the last one.
    batch_builder& append(const new_record& record);
    // Leaves a gap, as compaction does. Offsets must grow.
    batch_builder& append_at(std::int64_t offset, const new_record& record);
    // The batch reaches up to here although the records of its tail are gone, or all of them.
    batch_builder& reach(std::int64_t last_offset);

    std::size_t record_count() const noexcept { return record_count_; }
    // Offset that a next append would get.
    std::int64_t next_offset() const noexcept { return next_offset_; }
    // Bytes of the records before compression.
    std::size_t uncompressed_size() const noexcept { return encoded_.size(); }
    base::shared_bytes build() const;

private:
    void encode_record(std::int64_t offset, const new_record& record);
    void encode_message(std::int64_t offset, const new_record& record);
    base::shared_bytes build_batch() const;
    base::shared_bytes build_messages() const;

    batch_options options_;
    std::vector<std::byte> encoded_;  // the records so far, uncompressed
    std::vector<std::byte> record_;   // reused while encoding one
    std::size_t record_count_ = 0;
    std::int64_t next_offset_;
    std::int64_t first_timestamp_ = -1;
    std::int64_t max_timestamp_ = -1;
};

// A marker batch as the transaction coordinator has it written: type is abort or commit.
base::shared_bytes make_transaction_marker(control_record_type type, std::int64_t offset, std::int64_t producer_id,
                                           std::int16_t producer_epoch, std::int32_t coordinator_epoch = 0,
                                           std::int64_t timestamp = 0, std::int32_t leader_epoch = 0);

}  // namespace strandline::records
