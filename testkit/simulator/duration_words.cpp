#include "testkit/simulator/duration_words.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace strandline::testkit::sim {

namespace {

struct unit {
    std::string_view name;
    base::duration length;
};
constexpr std::array units{unit{"h", std::chrono::hours(1)},         unit{"m", std::chrono::minutes(1)},
                           unit{"s", std::chrono::seconds(1)},       unit{"ms", std::chrono::milliseconds(1)},
                           unit{"us", std::chrono::microseconds(1)}, unit{"ns", std::chrono::nanoseconds(1)}};

}  // namespace

std::string to_words(base::duration length) {
    if (length == base::duration::zero()) return "0s";
    for (const auto& one : units) {
        if (length % one.length == base::duration::zero()) return fmt::format("{}{}", length / one.length, one.name);
    }
    return {};
}

std::optional<base::duration> duration_from(std::string_view words) {
    double number = 0;
    const auto [rest, failure] = std::from_chars(words.data(), words.data() + words.size(), number);
    if (failure != std::errc{}) return std::nullopt;
    const auto name = words.substr(static_cast<std::size_t>(rest - words.data()));
    for (const auto& one : units) {
        if (one.name != name) continue;
        const auto length = number * static_cast<double>(one.length.count());
        if (!(std::fabs(length) < 9e18)) return std::nullopt;
        return base::duration(std::llround(length));
    }
    return std::nullopt;
}

}  // namespace strandline::testkit::sim
