// Fixed-width numbers of the record format. No bounds are checked here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace strandline::records {

template <class Number>
Number load_big_endian(const std::byte* from) noexcept {
    std::make_unsigned_t<Number> number{};
    std::memcpy(&number, from, sizeof number);
    if constexpr (sizeof number == 2) number = __builtin_bswap16(number);
    if constexpr (sizeof number == 4) number = __builtin_bswap32(number);
    if constexpr (sizeof number == 8) number = __builtin_bswap64(number);
    return static_cast<Number>(number);
}

template <class Number>
void store_big_endian(std::byte* to, Number value) noexcept {
    auto number = static_cast<std::make_unsigned_t<Number>>(value);
    if constexpr (sizeof number == 2) number = __builtin_bswap16(number);
    if constexpr (sizeof number == 4) number = __builtin_bswap32(number);
    if constexpr (sizeof number == 8) number = __builtin_bswap64(number);
    std::memcpy(to, &number, sizeof number);
}

}  // namespace strandline::records
