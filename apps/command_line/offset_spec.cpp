#include "apps/command_line/offset_spec.hpp"

#include <algorithm>
#include <optional>

#include "apps/command_line/duration_text.hpp"
#include "apps/command_line/number_text.hpp"

namespace strandline::apps::command_line {

namespace {

// Takes exactly `digits` digits, and `after` behind them.
std::optional<int> take_number(std::string_view& text, std::size_t digits, std::string_view after) {
    if (text.size() < digits + after.size() || text.substr(digits, after.size()) != after) return std::nullopt;
    const auto number = read_number<int>(text.substr(0, digits));
    if (!number || *number < 0) return std::nullopt;
    text.remove_prefix(digits + after.size());
    return number;
}

// What follows the seconds: a fraction, cut to milliseconds.
std::optional<std::chrono::milliseconds> take_fraction(std::string_view& text) {
    if (!text.starts_with('.')) return std::chrono::milliseconds(0);
    text.remove_prefix(1);
    const auto digits = std::min(text.find_first_not_of("0123456789"), text.size());
    if (digits == 0) return std::nullopt;
    std::int64_t ms = 0;
    for (std::size_t i = 0; i < 3; ++i) ms = ms * 10 + (i < digits ? text[i] - '0' : 0);
    text.remove_prefix(digits);
    return std::chrono::milliseconds(ms);
}

// Z, or +02:00. None at all would leave open whose noon it is.
std::optional<std::chrono::minutes> take_zone(std::string_view& text) {
    if (text == "Z" || text == "z") {
        text = {};
        return std::chrono::minutes(0);
    }
    if (text.empty() || (text.front() != '+' && text.front() != '-')) return std::nullopt;
    const int sign = text.front() == '-' ? -1 : 1;
    text.remove_prefix(1);
    const auto hours = take_number(text, 2, ":");
    const auto minutes = hours ? take_number(text, 2, "") : std::nullopt;
    if (!minutes || *hours > 23 || *minutes > 59) return std::nullopt;
    return std::chrono::minutes(sign * (*hours * 60 + *minutes));
}

std::optional<std::int64_t> read_rfc3339(std::string_view text) {
    using namespace std::chrono;
    const auto years = take_number(text, 4, "-");
    const auto months = years ? take_number(text, 2, "-") : std::nullopt;
    const auto days = months ? take_number(text, 2, "") : std::nullopt;
    if (!days || text.empty() || (text.front() != 'T' && text.front() != 't' && text.front() != ' ')) {
        return std::nullopt;
    }
    text.remove_prefix(1);
    const auto hour = take_number(text, 2, ":");
    const auto minute = hour ? take_number(text, 2, ":") : std::nullopt;
    const auto second = minute ? take_number(text, 2, "") : std::nullopt;
    const auto fraction = second ? take_fraction(text) : std::nullopt;
    const auto zone = fraction ? take_zone(text) : std::nullopt;
    const year_month_day date{year(years.value_or(0)), month(static_cast<unsigned>(months.value_or(0))),
                              day(static_cast<unsigned>(days.value_or(0)))};
    // 60: a leap second.
    if (!zone || !text.empty() || !date.ok() || *hour > 23 || *minute > 59 || *second > 60) return std::nullopt;
    const auto time = sys_days(date) + hours(*hour) + minutes(*minute) + seconds(*second) + *fraction - *zone;
    return duration_cast<milliseconds>(time.time_since_epoch()).count();
}

std::optional<std::int64_t> read_time(std::string_view text, std::int64_t now_ms) {
    if (text.starts_with('-')) {
        const auto ago = read_duration(text.substr(1));
        if (!ago) return std::nullopt;
        return std::max<std::int64_t>(now_ms - ago->count(), 0);
    }
    if (const auto ms = read_number<std::int64_t>(text)) return ms;
    return read_rfc3339(text);
}

}  // namespace

text_result<offset_spec> read_offset_spec(std::string_view text, std::chrono::sys_time<std::chrono::milliseconds> now) {
    using kind = offset_spec::kind;
    if (text == "beginning") return offset_spec{kind::beginning};
    if (text == "end") return offset_spec{kind::end};
    if (text.starts_with('@')) {
        if (const auto ms = read_time(text.substr(1), now.time_since_epoch().count())) {
            return offset_spec{kind::time, *ms};
        }
        return tl::unexpected(
            std::string("is no time; accepted: @ and milliseconds since 1970, a time as in RFC 3339 "
                        "(@2024-05-01T12:00:00Z), or how long ago (@-1h)"));
    }
    const bool before_end = text.starts_with('-');
    const auto number = read_number<std::int64_t>(before_end ? text.substr(1) : text);
    if (number && *number >= 0) return offset_spec{before_end ? kind::before_end : kind::absolute, *number};
    return tl::unexpected(std::string("is no place to start; accepted: beginning, end, N, -N (before the end), @TIME"));
}

}  // namespace strandline::apps::command_line
