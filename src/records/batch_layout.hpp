// Where the fields of a batch (magic 2) and of a message (magic 0 and 1) stand. Both begin alike up to the magic byte.
#pragma once

#include <cstddef>
#include <cstdint>

namespace strandline::records::batch_layout {

inline constexpr std::size_t base_offset = 0;
inline constexpr std::size_t length = 8;         // of what follows this field
inline constexpr std::size_t log_overhead = 12;  // base offset and length
inline constexpr std::size_t magic = 16;

inline constexpr std::size_t leader_epoch = 12;
inline constexpr std::size_t crc = 17;
inline constexpr std::size_t attributes = 21;  // the checksum covers everything from here on
inline constexpr std::size_t last_offset_delta = 23;
inline constexpr std::size_t base_timestamp = 27;
inline constexpr std::size_t max_timestamp = 35;
inline constexpr std::size_t producer_id = 43;
inline constexpr std::size_t producer_epoch = 51;
inline constexpr std::size_t base_sequence = 53;
inline constexpr std::size_t record_count = 57;
inline constexpr std::size_t records = 61;

inline constexpr std::int16_t codec_mask = 0x07;
inline constexpr std::int16_t log_append_time_flag = 0x08;
inline constexpr std::int16_t transactional_flag = 0x10;
inline constexpr std::int16_t control_flag = 0x20;

// Length, attributes, two deltas, key length, value length, header count: one byte each.
inline constexpr std::size_t smallest_record = 7;

namespace message {

inline constexpr std::size_t crc = 12;
inline constexpr std::size_t attributes = 17;
inline constexpr std::size_t timestamp = 18;  // magic 1 only
// Up to the key's length field.
constexpr std::size_t key(std::int8_t magic) noexcept { return magic == 0 ? 18 : 26; }
// With null key and null value.
constexpr std::size_t smallest(std::int8_t magic) noexcept { return key(magic) + 8; }

}  // namespace message

}  // namespace strandline::records::batch_layout
