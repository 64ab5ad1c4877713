// Bytes that stand behind their length.
#pragma once

#include <cstddef>
#include <cstdint>

namespace strandline::records {

// Moves `at` past `size` bytes, which are `data` then; false where they are not all there. A negative size, of any
// value, is null: Kafka's own reader takes it so.
inline bool take_sized(const std::byte*& at, const std::byte* end, const std::byte*& data,
                       std::int32_t& size) noexcept {
    data = at;
    if (size < 0) {
        size = -1;
        return true;
    }
    if (size > end - at) return false;
    at += size;
    return true;
}

}  // namespace strandline::records
