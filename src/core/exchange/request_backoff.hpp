// How often something was tried in vain and why, and when it may be tried again: doubling, with 20 % jitter, up to a
// maximum, from where on the jitter only lengthens: what goes on failing is tried no more often than that.
// A user's back-off of zero means the first retry: what goes on failing is slowed down all the same.
#pragma once

#include <algorithm>
#include <chrono>

#include "base/instant.hpp"
#include "base/random_source.hpp"
#include "core/boundary/core_config.hpp"
#include "core/exchange/failure_cause.hpp"
#include "core/kernel/future_instant.hpp"

namespace strandline::core::exchange {

class request_backoff {
public:
    explicit request_backoff(boundary::backoff limits) noexcept : limits_(limits) {}

    void on_success() noexcept {
        attempts_ = 0;
        allowed_at_ = base::instant::min();
        cause_ = {};
    }
    void on_failure(base::instant now, base::random_source& random, failure_cause cause = {}) {
        cause_ = cause;
        auto wait = limits_.initial;
        for (int i = 0; i < attempts_ && wait < limits_.maximum; ++i) {
            wait = std::min(std::max(wait * 2, smallest_step), limits_.maximum);
        }
        ++attempts_;
        // The longest wait is only ever made longer.
        const bool grows = wait < limits_.maximum;
        const auto jittered = random.jitter(grows ? wait : wait / 10, grows ? 0.2 : 1.0);
        allowed_at_ = kernel::retry_time::after(now, grows ? jittered : wait + jittered).value();
    }
    bool may_try(base::instant now) const noexcept { return allowed_at_ <= now; }
    // Only meaningful while !may_try.
    base::instant allowed_at() const noexcept { return allowed_at_; }
    int attempts() const noexcept { return attempts_; }
    // Of the newest failure.
    failure_cause cause() const noexcept { return cause_; }

private:
    static constexpr base::duration smallest_step = std::chrono::milliseconds(10);

    boundary::backoff limits_;
    int attempts_ = 0;
    base::instant allowed_at_ = base::instant::min();
    failure_cause cause_;
};

}  // namespace strandline::core::exchange
