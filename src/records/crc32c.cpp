#include "records/crc32c.hpp"

#include <algorithm>
#include <limits>

#include <isa-l/crc.h>

namespace strandline::records {

std::uint32_t crc32c(base::bytes_view bytes, std::uint32_t seed) noexcept {
    // The library takes its length as an int and leaves the customary inversions to the caller; it does not write to
    // the bytes, although its signature does not say so.
    constexpr std::size_t longest = std::numeric_limits<int>::max();
    auto* at = reinterpret_cast<unsigned char*>(const_cast<std::byte*>(bytes.data()));
    std::uint32_t inverted = ~seed;
    for (std::size_t left = bytes.size(); left > 0;) {
        const std::size_t now = std::min(left, longest);
        inverted = crc32_iscsi(at, static_cast<int>(now), inverted);
        at += now;
        left -= now;
    }
    return ~inverted;
}

std::uint32_t crc32_ieee(base::bytes_view bytes, std::uint32_t seed) noexcept {
    if (bytes.empty()) return seed;
    return crc32_gzip_refl(seed, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
}

}  // namespace strandline::records
