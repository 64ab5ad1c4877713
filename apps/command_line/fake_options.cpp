#include "apps/command_line/fake_options.hpp"

#include <algorithm>

#include "apps/command_line/number_text.hpp"

namespace strandline::apps::command_line {

namespace {

bool is_topic_name(std::string_view name) {
    constexpr std::size_t longest = 249;
    return !name.empty() && name.size() <= longest && name != "." && name != ".." &&
           std::ranges::all_of(name, [](char c) {
               return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
                      c == '_' || c == '-';
           });
}

}  // namespace

text_result<testkit::fake_topic> read_topic(std::string_view text) {
    constexpr std::int32_t most_partitions = 100'000;
    const auto colon = text.find(':');
    testkit::fake_topic topic{std::string(text.substr(0, colon))};
    if (!is_topic_name(topic.name)) {
        return tl::unexpected(std::string("has no topic name Kafka accepts: letters, digits, '.', '_', '-'"));
    }
    if (colon == std::string_view::npos) return topic;
    topic.partitions = read_number<std::int32_t>(text.substr(colon + 1)).value_or(0);
    if (topic.partitions < 1 || topic.partitions > most_partitions) {
        return tl::unexpected(std::string("has no number of partitions between 1 and 100000"));
    }
    return topic;
}

}  // namespace strandline::apps::command_line
