// How often something was tried in vain and why, and when it may be tried again: doubling, with 20 % jitter, up to a
// maximum.
#pragma once

#include <algorithm>

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
        for (int i = 0; i < attempts_ && wait < limits_.maximum; ++i) wait = std::min(wait * 2, limits_.maximum);
        ++attempts_;
        allowed_at_ = kernel::retry_time::after(now, random.jitter(wait, 0.2)).value();
    }
    bool may_try(base::instant now) const noexcept { return allowed_at_ <= now; }
    // Only meaningful while !may_try.
    base::instant allowed_at() const noexcept { return allowed_at_; }
    int attempts() const noexcept { return attempts_; }
    // Of the newest failure.
    failure_cause cause() const noexcept { return cause_; }

private:
    boundary::backoff limits_;
    int attempts_ = 0;
    base::instant allowed_at_ = base::instant::min();
    failure_cause cause_;
};

}  // namespace strandline::core::exchange
