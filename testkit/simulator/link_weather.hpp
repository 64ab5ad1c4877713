// What the network between the consumers and one broker is like at the moment.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/instant.hpp"

namespace strandline::testkit::sim {

// Each trouble has the instant at which it is over; nothing has to be undone, and troubles of one kind that overlap
// last as long as the longest.
struct link_weather {
    base::duration latency = std::chrono::microseconds(300);  // one way
    base::duration more_latency{};
    base::instant more_latency_until{};
    std::int64_t bytes_per_second = 0;
    base::instant bandwidth_until{};
    std::size_t largest_piece = 0;
    base::instant pieces_until{};
    base::instant refuses_until{};
    base::instant black_hole_until{};
    base::instant trickle_until{};
    base::instant frozen_until{};  // the broker stands still: it connects, and serves nothing

    bool refuses(base::instant now) const noexcept { return now < refuses_until; }
    bool is_frozen(base::instant now) const noexcept { return now < frozen_until; }
};

}  // namespace strandline::testkit::sim
