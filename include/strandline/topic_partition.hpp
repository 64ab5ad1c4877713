// A topic's partition by name, and plain collections of them.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <strandline/export.hpp>

namespace strandline::inline v0 {

struct topic_partition {
    std::string topic;
    std::int32_t partition = 0;

    // Not an aggregate: g++ 12 destroys those twice where they are made inside an expression that has co_await.
    topic_partition() = default;
    topic_partition(std::string name, std::int32_t number) noexcept : topic(std::move(name)), partition(number) {}

    friend auto operator<=>(const topic_partition&, const topic_partition&) = default;
};

using partitions = std::vector<topic_partition>;

// "orders-3".
STRANDLINE_API std::string to_string(const topic_partition& partition);
STRANDLINE_API std::string to_string(const partitions& list);

}  // namespace strandline::inline v0

template <>
struct std::hash<strandline::topic_partition> {
    std::size_t operator()(const strandline::topic_partition& partition) const noexcept {
        return std::hash<std::string>{}(partition.topic) * 31U + static_cast<std::size_t>(partition.partition);
    }
};
