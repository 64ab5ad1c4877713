// What is wrong with bytes that are there: the one error type of this room.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "records/compression_codec.hpp"

namespace strandline::records {

enum class record_error_kind : std::uint8_t {
    bad_size,               // the size field cannot be right
    unknown_magic,          // neither 0, 1 nor 2
    unknown_codec,          // a codec number nobody defined, or one that this magic does not have
    bad_checksum,           // CRC-32C of a batch, CRC-32 of a message
    implausible_header,     // a count, delta or length that no broker writes
    offset_out_of_order,    // begins before the previous batch ends
    beyond_high_watermark,  // ends where the broker says nothing is readable yet
    malformed_record,       // the bytes of a record contradict each other
    bytes_missing,          // fewer bytes than the announced records need
    bytes_left_over,        // more bytes than the announced records use
    undecompressable,       // the codec refuses the bytes
    decompressed_too_large  // would be larger than the limit: a bomb, or a limit set too low
};

std::string_view to_string(record_error_kind kind) noexcept;

// `offset` is the offset of the record that could not be read, as far as it is known: a position that stays there
// neither skips nor repeats a record.
struct record_error {
    record_error_kind kind{};
    compression_codec codec = compression_codec::none;
    std::int64_t offset = -1;
    std::string text;

    friend bool operator==(const record_error&, const record_error&) = default;
};

std::string to_string(const record_error& error);

template <class Value>
using result = tl::expected<Value, record_error>;

}  // namespace strandline::records
