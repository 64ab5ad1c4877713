// Closing: how, and what came of it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <strandline/offsets.hpp>

namespace strandline::inline v0 {

// Whether close tells the group that this member goes (KIP-1092). by_default: a dynamic member does; a static one
// stays, so that it can come back without a rebalance.
enum class group_membership : std::uint8_t { by_default, leave, remain };

// What close could not finish by its deadline.
struct close_report {
    offsets uncommitted;              // processed, not committed
    std::vector<std::string> undone;  // in words
    // Called from a callback: the consumer closes once that has returned; nothing is known yet.
    bool requested_only = false;

    bool complete() const noexcept { return uncommitted.empty() && undone.empty() && !requested_only; }
};

}  // namespace strandline::inline v0
