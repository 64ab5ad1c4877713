// Time as the core sees it: an instant is handed in, never asked for.
#pragma once

#include <chrono>

namespace strandline::base {

// Monotonic time. It has no now(): whoever turns the reactor reads a clock once and passes the instant in.
struct monotonic_time {
    using rep = std::chrono::nanoseconds::rep;
    using period = std::chrono::nanoseconds::period;
    using duration = std::chrono::nanoseconds;
    using time_point = std::chrono::time_point<monotonic_time>;
    static constexpr bool is_steady = true;
};

using instant = monotonic_time::time_point;
using duration = std::chrono::nanoseconds;
// The wall clock, for timestamps on the wire only; no decision waits for it.
using wall_time = std::chrono::sys_time<std::chrono::milliseconds>;

inline constexpr instant never = instant::max();

// now + wait, without running past the end of time.
constexpr instant saturating_add(instant now, duration wait) noexcept {
    return wait >= never - now ? never : now + wait;
}

}  // namespace strandline::base
