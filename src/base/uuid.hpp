// 128-bit identifiers, printed as Kafka prints them: 22 characters of URL-safe base64 without padding.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/random_source.hpp"

namespace strandline::base {

struct uuid {
    std::array<std::uint8_t, 16> octets{};

    bool is_zero() const noexcept { return *this == uuid{}; }
    std::string to_string() const;
    static std::optional<uuid> parse(std::string_view text);
    // A version 4 identifier. Never zero.
    static uuid random(random_source& random);

    friend auto operator<=>(const uuid&, const uuid&) = default;
};

}  // namespace strandline::base

template <>
struct std::hash<strandline::base::uuid> {
    std::size_t operator()(const strandline::base::uuid& id) const noexcept {
        std::uint64_t mixed = 0;
        for (const auto octet : id.octets) mixed = mixed * 0x100000001b3U + octet;
        return static_cast<std::size_t>(mixed ^ (mixed >> 29U));
    }
};
