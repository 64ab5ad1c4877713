// Whole numbers as text.
#pragma once

#include <charconv>
#include <concepts>
#include <optional>
#include <string_view>
#include <system_error>

namespace strandline::apps::command_line {

// Decimal, and nothing else around it; none if it does not fit. Only what has a sign may be below zero.
template <std::integral Number>
std::optional<Number> read_number(std::string_view text) noexcept {
    Number number = 0;
    const auto* const last = text.data() + text.size();
    const auto [end, failure] = std::from_chars(text.data(), last, number);
    if (failure != std::errc() || end != last) return std::nullopt;
    return number;
}

}  // namespace strandline::apps::command_line
