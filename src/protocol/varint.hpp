// Variable-length integers: seven bits a byte, lowest first, the top bit says that more follow.
#pragma once

#include <cstddef>
#include <cstdint>

namespace strandline::protocol {

inline constexpr std::size_t longest_varint = 5;
inline constexpr std::size_t longest_varlong = 10;

// Zigzag maps numbers near zero, of either sign, to small unsigned ones.
constexpr std::uint32_t zigzag(std::int32_t value) noexcept {
    return (static_cast<std::uint32_t>(value) << 1U) ^ static_cast<std::uint32_t>(value >> 31U);
}
constexpr std::uint64_t zigzag(std::int64_t value) noexcept {
    return (static_cast<std::uint64_t>(value) << 1U) ^ static_cast<std::uint64_t>(value >> 63U);
}
constexpr std::int32_t unzigzag(std::uint32_t value) noexcept {
    return static_cast<std::int32_t>((value >> 1U) ^ (~(value & 1U) + 1U));
}
constexpr std::int64_t unzigzag(std::uint64_t value) noexcept {
    return static_cast<std::int64_t>((value >> 1U) ^ (~(value & 1U) + 1U));
}

constexpr std::size_t varint_size(std::uint64_t value) noexcept {
    std::size_t size = 1;
    while ((value >>= 7U) != 0) ++size;
    return size;
}

// Writes `value` from `to` on and gives the end. There must be room for varint_size(value) bytes.
constexpr std::byte* put_varint(std::byte* to, std::uint64_t value) noexcept {
    while (value >= 0x80U) {
        *to++ = static_cast<std::byte>(value | 0x80U);
        value >>= 7U;
    }
    *to++ = static_cast<std::byte>(value);
    return to;
}

}  // namespace strandline::protocol
