#include "client/configuration/property_text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "client/longest_wait.hpp"

namespace strandline::client::configuration {

std::string_view trimmed(std::string_view text) noexcept {
    constexpr std::string_view blanks = " \t\r\n";
    const auto first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::string lower_case(std::string_view text) {
    std::string lower(text);
    std::ranges::transform(lower, lower.begin(),
                           [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    return lower;
}

std::optional<std::int64_t> read_integer(std::string_view text) noexcept {
    std::int64_t value = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

std::optional<bool> read_boolean(std::string_view text) {
    const auto word = lower_case(text);
    if (word == "true") return true;
    if (word == "false") return false;
    return std::nullopt;
}

std::optional<std::chrono::milliseconds> read_iso_duration(std::string_view text) {
    struct unit {
        char letter;
        bool after_t;
        std::chrono::milliseconds length;
    };
    constexpr std::array<unit, 5> units{{{'W', false, std::chrono::hours(24 * 7)},
                                         {'D', false, std::chrono::hours(24)},
                                         {'H', true, std::chrono::hours(1)},
                                         {'M', true, std::chrono::minutes(1)},
                                         {'S', true, std::chrono::seconds(1)}}};
    if (text.empty() || (text.front() != 'P' && text.front() != 'p')) return std::nullopt;
    text.remove_prefix(1);
    std::chrono::milliseconds sum{0};
    bool after_t = false;
    bool any = false;
    auto next_unit = units.begin();
    while (!text.empty()) {
        if (!after_t && (text.front() == 'T' || text.front() == 't')) {
            after_t = true;
            any = false;
            text.remove_prefix(1);
            continue;
        }
        if (text.front() < '0' || text.front() > '9') return std::nullopt;
        double amount = 0;
        const auto [end, failure] =
            std::from_chars(text.data(), text.data() + text.size(), amount, std::chars_format::fixed);
        if (failure != std::errc() || amount < 0 || end == text.data() + text.size()) return std::nullopt;
        const auto letter = static_cast<char>(std::toupper(static_cast<unsigned char>(*end)));
        const auto found =
            std::find_if(next_unit, units.end(), [&](const unit& each) { return each.letter == letter; });
        if (found == units.end() || found->after_t != after_t) return std::nullopt;
        const auto length =
            std::min(amount * static_cast<double>(found->length.count()), static_cast<double>(longest_wait.count()));
        sum = std::min(sum + std::chrono::milliseconds(static_cast<std::int64_t>(length)), longest_wait);
        next_unit = std::next(found);
        text.remove_prefix(static_cast<std::size_t>(end - text.data()) + 1);
        any = true;
    }
    if (!any) return std::nullopt;
    return sum;
}

std::optional<offset_reset> read_offset_reset(std::string_view text) {
    constexpr std::string_view by_duration = "by_duration:";
    if (lower_case(text.substr(0, by_duration.size())) == by_duration) {
        const auto ago = read_iso_duration(text.substr(by_duration.size()));
        if (!ago) return std::nullopt;
        return offset_reset::by_duration(*ago);
    }
    const auto word = lower_case(text);
    if (word == "earliest" || word == "smallest" || word == "beginning") return offset_reset::earliest;
    if (word == "latest" || word == "largest" || word == "end") return offset_reset::latest;
    if (word == "none" || word == "error") return offset_reset::none;
    return std::nullopt;
}

std::string write(const offset_reset& policy) {
    switch (policy.what) {
        case offset_reset::kind::none: return "none";
        case offset_reset::kind::earliest: return "earliest";
        case offset_reset::kind::latest: return "latest";
        case offset_reset::kind::by_duration:
            return fmt::format("by_duration:PT{}.{:03}S", policy.ago.count() / 1000, policy.ago.count() % 1000);
    }
    return {};
}

}  // namespace strandline::client::configuration
