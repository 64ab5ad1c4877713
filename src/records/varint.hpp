// Zig-zag variable-length numbers of magic 2 records: at most 5 bytes for 32 bits, 10 for 64. As Kafka's own reader
// does, bits that do not fit are dropped from the last byte, and a last byte that wants to go on is an error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace strandline::records {

inline constexpr std::ptrdiff_t longest_varint = 5;
inline constexpr std::ptrdiff_t longest_varlong = 10;

template <class Number>
constexpr std::make_signed_t<Number> from_zig_zag(Number encoded) noexcept {
    return static_cast<std::make_signed_t<Number>>((encoded >> 1U) ^ (Number{0} - (encoded & 1U)));
}

// Reads without looking where the bytes end: the longest form must be readable. `at` moves past it.
template <class Number>  // std::uint32_t or std::uint64_t
[[gnu::always_inline]] inline bool read_varint_unchecked(const std::byte*& at, Number& encoded) noexcept {
    constexpr unsigned longest = sizeof(Number) == 4 ? longest_varint : longest_varlong;
    auto byte = std::to_integer<Number>(*at++);
    encoded = byte;
    if (byte < 0x80U) [[likely]]
        return true;
    encoded &= 0x7fU;
    for (unsigned read = 1; read < longest; ++read) {
        byte = std::to_integer<Number>(*at++);
        encoded |= (byte & 0x7fU) << (7U * read);
        if (byte < 0x80U) return true;
    }
    return false;
}

// The same with every byte checked against `end`.
template <class Number>
[[gnu::always_inline]] inline bool read_varint_checked(const std::byte*& at, const std::byte* end,
                                                       Number& encoded) noexcept {
    constexpr unsigned longest = sizeof(Number) == 4 ? longest_varint : longest_varlong;
    encoded = 0;
    for (unsigned read = 0; read < longest && at < end; ++read) {
        const auto byte = std::to_integer<Number>(*at++);
        encoded |= (byte & 0x7fU) << (7U * read);
        if (byte < 0x80U) [[likely]]
            return true;
    }
    return false;
}

// Appends `value`; a std::int32_t gives the same bytes as the std::int64_t of equal value.
void append_varint(std::vector<std::byte>& to, std::int64_t value);
std::size_t varint_size(std::int64_t value) noexcept;

}  // namespace strandline::records
