// How long "for ever" is.
#pragma once

#include <chrono>

namespace strandline::client {

// Whoever names more than a century means for ever; from three of them on, nanoseconds would overflow.
inline constexpr std::chrono::milliseconds longest_wait = std::chrono::hours(24 * 365 * 100);

}  // namespace strandline::client
