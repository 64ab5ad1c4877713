// How the record part of a batch is compressed.
#pragma once

#include <cstdint>
#include <string_view>

namespace strandline::records {

// The numbers are those of the attributes' low three bits.
enum class compression_codec : std::uint8_t { none = 0, gzip = 1, snappy = 2, lz4 = 3, zstd = 4 };

inline constexpr std::uint8_t compression_codec_count = 5;

std::string_view to_string(compression_codec codec) noexcept;

}  // namespace strandline::records
