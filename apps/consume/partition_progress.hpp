// How far each partition has been printed.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include <strandline/offsets.hpp>
#include <strandline/topic_partition.hpp>

namespace strandline::apps::consume {

struct partition_progress {
    // Where the next run has to go on: everything before it has reached the kernel.
    std::optional<offset_and_metadata> next = {};
    std::optional<offset_and_metadata> committed = {};
    // The last poll's records of it were not all printed: its position lies further than `next`.
    bool is_cut = false;
    // Only what lies before it is printed.
    std::optional<std::int64_t> end = {};
    // Read up to `end`.
    bool finished = false;
};

// Addresses of values are stable.
using printed_progress = std::map<topic_partition, partition_progress>;

}  // namespace strandline::apps::consume
