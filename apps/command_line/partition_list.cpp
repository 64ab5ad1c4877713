#include "apps/command_line/partition_list.hpp"

#include <algorithm>
#include <cstdint>

#include "apps/command_line/number_text.hpp"

namespace strandline::apps::command_line {

namespace {

// A range as long as this is a slip of the finger.
constexpr std::int32_t longest_range = 100'000;

}  // namespace

text_result<std::vector<std::int32_t>> read_partition_list(std::string_view text) {
    std::vector<std::int32_t> list;
    for (bool more = true; more;) {
        const auto comma = text.find(',');
        const auto part = text.substr(0, comma);
        more = comma != std::string_view::npos;
        if (more) text.remove_prefix(comma + 1);
        const auto dash = part.find('-');
        const auto first = read_number<std::int32_t>(part.substr(0, dash));
        const auto last = dash == std::string_view::npos ? first : read_number<std::int32_t>(part.substr(dash + 1));
        if (!first || !last || *first < 0 || *last < *first || *last - *first >= longest_range) {
            return tl::unexpected(std::string("is no list of partitions; accepted: numbers and ranges, as in 0,2,5-7"));
        }
        for (auto number = *first; number < *last; ++number) list.push_back(number);
        list.push_back(*last);
    }
    std::ranges::sort(list);
    const auto twice = std::ranges::unique(list);
    list.erase(twice.begin(), twice.end());
    return list;
}

}  // namespace strandline::apps::command_line
