// Checksums of the record format.
#pragma once

#include <cstdint>

#include "base/bytes.hpp"

namespace strandline::records {

// CRC-32C (Castagnoli), which seals a magic 2 batch. Checksums chain: crc32c(b, crc32c(a)) is that of a followed by b.
std::uint32_t crc32c(base::bytes_view bytes, std::uint32_t seed = 0) noexcept;

// CRC-32 (IEEE), which seals a magic 0 or 1 message. Chains likewise.
std::uint32_t crc32_ieee(base::bytes_view bytes, std::uint32_t seed = 0) noexcept;

}  // namespace strandline::records
