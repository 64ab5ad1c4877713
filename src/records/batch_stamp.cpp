#include "records/batch_stamp.hpp"

#include "records/batch_layout.hpp"
#include "records/big_endian.hpp"
#include "records/crc32c.hpp"

namespace strandline::records {

void stamp_base_offset(std::span<std::byte> batch, std::int64_t base_offset) noexcept {
    store_big_endian(batch.data() + batch_layout::base_offset, base_offset);
}

void stamp_leader_epoch(std::span<std::byte> batch, std::int32_t leader_epoch) noexcept {
    store_big_endian(batch.data() + batch_layout::leader_epoch, leader_epoch);
}

void stamp_log_append_time(std::span<std::byte> batch, std::int64_t timestamp) noexcept {
    std::byte* const attributes = batch.data() + batch_layout::attributes;
    const auto flags = load_big_endian<std::int16_t>(attributes) | batch_layout::log_append_time_flag;
    store_big_endian(attributes, static_cast<std::int16_t>(flags));
    store_big_endian(batch.data() + batch_layout::max_timestamp, timestamp);
    seal_batch(batch);
}

void seal_batch(std::span<std::byte> batch) noexcept {
    store_big_endian(batch.data() + batch_layout::crc, crc32c(batch.subspan(batch_layout::attributes)));
}

}  // namespace strandline::records
