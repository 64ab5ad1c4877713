// Spaces out attempts to connect, for the client as a whole, while no broker is reachable.
#pragma once

#include <chrono>

#include "base/instant.hpp"
#include "base/random_source.hpp"
#include "core/boundary/core_config.hpp"

namespace strandline::core::connection {

// One attempt at a time gets a slot. An attempt that has not come to anything for a while lets the next one start
// beside it, so that a broker that swallows packets does not hide the others.
class attempt_pacing {
public:
    // A second address or broker is tried when the first has not answered within this time (RFC 8305).
    static constexpr base::duration stagger = std::chrono::milliseconds(250);

    explicit attempt_pacing(boundary::backoff limits) noexcept : limits_(limits) {}

    // A broker answered a request.
    void on_reachable() noexcept;
    void on_started(base::instant now) noexcept;
    // `events`: how often the attempt woke the reactor, its start not counted. More events make the pause longer: what
    // is bounded is the number of wake-ups.
    void on_failure(base::instant now, int events, base::random_source& random);

    bool is_open(base::instant now) const noexcept { return opens_at_ <= now; }
    base::instant opens_at() const noexcept { return opens_at_; }
    // Attempts in a row since a broker was last reached.
    int failures() const noexcept { return failures_; }

private:
    base::duration pause() const noexcept;

    boundary::backoff limits_;
    int failures_ = 0;
    base::instant opens_at_ = base::instant::min();
};

}  // namespace strandline::core::connection
