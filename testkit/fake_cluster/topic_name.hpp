// What Kafka accepts as the name of a topic.
#pragma once

#include <algorithm>
#include <string_view>

namespace strandline::testkit::fake {

inline bool is_topic_name(std::string_view name) {
    return !name.empty() && name.size() <= 249 && name != "." && name != ".." &&
           std::all_of(name.begin(), name.end(), [](char c) {
               return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
                      c == '_' || c == '-';
           });
}

}  // namespace strandline::testkit::fake
