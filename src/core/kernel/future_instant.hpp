// An instant that is known to lie ahead. It is the only time an answer may name, so "due already, nothing done, ask me
// again" has no spelling.
#pragma once

#include <algorithm>
#include <optional>

#include "base/instant.hpp"

namespace strandline::core::kernel {

class future_instant {
public:
    // `when`, if it is later than `now`. If it is not, the caller has work to do instead of waiting.
    static std::optional<future_instant> after(base::instant now, base::instant when) noexcept {
        if (when <= now) return std::nullopt;
        return future_instant(when);
    }
    // `wait` from `now`, at least one tick.
    static future_instant in(base::instant now, base::duration wait) noexcept {
        return future_instant(base::saturating_add(now, std::max(wait, base::duration(1))));
    }

    base::instant value() const noexcept { return when_; }
    friend auto operator<=>(future_instant, future_instant) = default;

private:
    explicit future_instant(base::instant when) noexcept : when_(when) {}
    base::instant when_;
};

// When an attempt may be made again. A user's back-off of zero still lies ahead, and never bounds how long anyone
// parks: that is the published decision's park_bound, another type.
class retry_time {
public:
    static retry_time after(base::instant now, base::duration backoff) noexcept {
        return retry_time(future_instant::in(now, backoff));
    }
    explicit retry_time(future_instant when) noexcept : when_(when) {}
    base::instant value() const noexcept { return when_.value(); }

private:
    future_instant when_;
};

// Until when the reactor may sleep if no input comes: the earliest time that any published answer names.
class park_bound {
public:
    park_bound() noexcept = default;
    void include(base::instant when) noexcept { until_ = std::min(until_, when); }
    base::instant value() const noexcept { return until_; }

private:
    base::instant until_ = base::never;
};

}  // namespace strandline::core::kernel
