// What every client does with every record, so that none can leave out reading it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace strandline::bench {

inline std::uint64_t touch(const std::byte* value, std::size_t size) noexcept {
    if (size == 0) return 0;
    return std::to_integer<std::uint64_t>(value[0]) + 256 * std::to_integer<std::uint64_t>(value[size - 1]) + size;
}

}  // namespace strandline::bench
