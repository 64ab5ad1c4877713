#include "apps/command_line/duration_text.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <utility>

namespace strandline::apps::command_line {

text_result<std::chrono::milliseconds> read_duration(std::string_view text) {
    constexpr double longest_ms = 1000.0 * 60 * 60 * 24 * 36'500;
    constexpr std::array<std::pair<std::string_view, double>, 6> units{
        {{"", 1e3}, {"ms", 1}, {"s", 1e3}, {"m", 6e4}, {"h", 3.6e6}, {"d", 8.64e7}}};
    double amount = 0;
    const auto* const last = text.data() + text.size();
    const auto [end, failure] = std::from_chars(text.data(), last, amount, std::chars_format::fixed);
    const std::string_view unit(end, static_cast<std::size_t>(last - end));
    if (failure == std::errc() && std::isfinite(amount) && amount >= 0) {
        for (const auto& [name, length] : units) {
            if (unit != name) continue;
            const double ms = std::ceil(amount * length);
            if (ms > longest_ms) return tl::unexpected(std::string("is longer than a hundred years"));
            return std::chrono::milliseconds(static_cast<std::int64_t>(ms));
        }
    }
    return tl::unexpected(std::string("is no duration; accepted: 500ms, 10s, 5m, 1h, 2d, or seconds"));
}

}  // namespace strandline::apps::command_line
