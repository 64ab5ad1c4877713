// One batch of a partition's log as it came from the broker: its header's fields, and its bytes kept alive.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/bytes.hpp"
#include "records/batch_layout.hpp"
#include "records/big_endian.hpp"
#include "records/compression_codec.hpp"
#include "records/record_error.hpp"
#include "records/timestamp_type.hpp"

namespace strandline::records {

// A magic 2 batch, or one magic 0 or 1 message presented alike (a compressed message is a set of records). Fields are
// read from the bytes when asked for. Only whole batches whose header was found plausible become one: see
// batch_scanner; the fields of a default-constructed one must not be asked for.
class record_batch {
public:
    record_batch() noexcept = default;

    // For a compressed message this is the *last* record's offset: only decompression tells the first one.
    std::int64_t base_offset() const noexcept { return read<std::int64_t>(batch_layout::base_offset); }
    std::int64_t last_offset() const noexcept {
        return is_legacy() ? base_offset() : base_offset() + read<std::int32_t>(batch_layout::last_offset_delta);
    }
    // Where to go on after this batch, whichever of its records survived compaction.
    std::int64_t next_offset() const noexcept { return last_offset() + 1; }
    // -1 when not known.
    std::int32_t leader_epoch() const noexcept {
        return is_legacy() ? -1 : read<std::int32_t>(batch_layout::leader_epoch);
    }
    std::int8_t magic() const noexcept { return read<std::int8_t>(batch_layout::magic); }
    bool is_legacy() const noexcept { return magic() < 2; }
    compression_codec codec() const noexcept {
        return static_cast<compression_codec>(attributes() & batch_layout::codec_mask);
    }
    records::timestamp_type timestamp_type() const noexcept;
    bool is_transactional() const noexcept { return !is_legacy() && (attributes() & batch_layout::transactional_flag); }
    // Control batches speak to the reader of the log and are never delivered.
    bool is_control() const noexcept { return !is_legacy() && (attributes() & batch_layout::control_flag); }
    // -1: not from an idempotent producer. The same for its epoch and sequence.
    std::int64_t producer_id() const noexcept {
        return is_legacy() ? -1 : read<std::int64_t>(batch_layout::producer_id);
    }
    std::int16_t producer_epoch() const noexcept {
        return is_legacy() ? std::int16_t{-1} : read<std::int16_t>(batch_layout::producer_epoch);
    }
    std::int32_t base_sequence() const noexcept {
        return is_legacy() ? -1 : read<std::int32_t>(batch_layout::base_sequence);
    }
    // Records still in the batch; may be 0. -1 for a compressed message, where only decompression tells.
    std::int32_t record_count() const noexcept;
    std::int64_t base_timestamp() const noexcept;
    std::int64_t max_timestamp() const noexcept;

    std::size_t size_in_bytes() const noexcept { return bytes_.size(); }
    const base::shared_bytes& bytes() const noexcept { return bytes_; }
    std::uint32_t stored_checksum() const noexcept;
    std::uint32_t computed_checksum() const noexcept;

private:
    friend class batch_scanner;
    explicit record_batch(base::shared_bytes bytes) noexcept : bytes_(std::move(bytes)) {}

    template <class Number>
    Number read(std::size_t at) const noexcept {
        return load_big_endian<Number>(bytes_.data() + at);
    }
    std::int16_t attributes() const noexcept {
        return is_legacy() ? std::int16_t{read<std::int8_t>(batch_layout::message::attributes)}
                           : read<std::int16_t>(batch_layout::attributes);
    }

    base::shared_bytes bytes_;
};

}  // namespace strandline::records
