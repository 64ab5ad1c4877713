// Whether the application still polls (max.poll.interval.ms).
#pragma once

#include <algorithm>

#include "base/instant.hpp"
#include "core/boundary/delivery.hpp"

namespace strandline::core::group::consumer {

// An application inside poll is alive however long that takes; time inside a callback is the application's own.
class poll_liveness {
public:
    explicit poll_liveness(base::duration limit) noexcept : limit_(limit) {}

    void on_checkpoint(const boundary::checkpoint& checkpoint) noexcept {
        inside_poll_ = checkpoint.inside_poll;
        if (checkpoint.last_poll) alive_at_ = std::max(alive_at_, *checkpoint.last_poll);
    }
    // Every turn, after the checkpoint.
    void on_turn(base::instant now) noexcept {
        if (inside_poll_) alive_at_ = std::max(alive_at_, now);
    }

    base::instant alive_at() const noexcept { return alive_at_; }
    // When to look again. While a thread stays inside poll every look moves it on.
    base::instant deadline() const noexcept { return base::saturating_add(alive_at_, limit_); }
    bool expired(base::instant now) const noexcept { return !inside_poll_ && deadline() <= now; }

private:
    base::duration limit_;
    base::instant alive_at_ = base::instant(base::duration::zero());
    bool inside_poll_ = false;
};

}  // namespace strandline::core::group::consumer
