#include "testkit/simulator/fault_kind.hpp"

#include <array>

namespace strandline::testkit::sim {

namespace {

// In the order of the enumeration.
constexpr std::array<std::string_view, fault_kinds> names{
    "latency",
    "bandwidth",
    "pieces",
    "reset",
    "half_open",
    "refused",
    "black_hole",
    "trickle",
    "no_answer",
    "late_answer",
    "error_answer",
    "swapped",
    "no_name",
    "slow_name",
    "dead_address",
    "moved_broker",
    "stop_broker",
    "pause_broker",
    "move_leader",
    "move_coordinator",
    "truncate",
    "delete_topic",
    "add_partitions",
    "move_log_start",
    "slow_callbacks",
    "throwing_callbacks",
    "slow_application",
    "seek",
    "pause",
    "wakeup",
    "resubscribe",
    "close",
    "crash",
    "wall_jump",
    "stall",
    "fail_allocation",
    "garbled_answer",
    "expire_offsets",
    "forget_sessions",
};

}  // namespace

std::string_view to_string(fault_kind kind) noexcept { return names[static_cast<std::size_t>(kind)]; }

std::optional<fault_kind> fault_kind_named(std::string_view name) noexcept {
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i] == name) return static_cast<fault_kind>(i);
    }
    return std::nullopt;
}

}  // namespace strandline::testkit::sim
