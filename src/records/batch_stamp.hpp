// Changes that a broker makes in a batch it received. `batch` is one whole magic 2 batch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace strandline::records {

// The checksum leaves these fields out so that brokers can set them.
void stamp_base_offset(std::span<std::byte> batch, std::int64_t base_offset) noexcept;
void stamp_leader_epoch(std::span<std::byte> batch, std::int32_t leader_epoch) noexcept;

// Turns the batch into one with log append time and seals it again.
void stamp_log_append_time(std::span<std::byte> batch, std::int64_t timestamp) noexcept;

// Makes the checksum match the bytes, after any other change.
void seal_batch(std::span<std::byte> batch) noexcept;

}  // namespace strandline::records
