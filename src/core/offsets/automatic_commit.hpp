// What automatic commit covers and when it is due. It never commits more than was processed, and never less than the
// application has committed itself since it last moved.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include "core/boundary/core_config.hpp"
#include "core/exchange/request_backoff.hpp"
#include "core/exchange/subscription_state.hpp"
#include "core/kernel/view.hpp"
#include "core/offsets/commit_item.hpp"

namespace strandline::core::offsets {

class automatic_commit {
public:
    automatic_commit(const boundary::core_config& config, kernel::view<exchange::subscription_state> subscription);

    bool enabled() const noexcept { return enabled_; }
    base::instant due_at() const noexcept { return due_at_; }
    bool is_due(base::instant now) const noexcept { return enabled_ && due_at_ <= now; }
    void begin(base::instant now) noexcept;
    // One was put out.
    void next_after(base::instant now) noexcept { due_at_ = base::saturating_add(now, interval_); }
    // What it covered is still to be committed: sooner than usual, but ever less so while that goes on.
    void on_failure(base::instant now, base::random_source& random, exchange::failure_cause cause) {
        backoff_.on_failure(now, random, cause);
        due_at_ = std::min(base::saturating_add(now, interval_), backoff_.allowed_at());
    }
    void on_success() noexcept { backoff_.on_success(); }

    // The application commits these itself; and: it did not come about.
    void on_explicit(const commit_items& items);
    void on_explicit_failed(const commit_items& items);

    // Everything processed that is not known to be committed.
    commit_items processed() const;
    // Of it, what may be committed without being asked.
    commit_items covered() const;
    bool covers_something() const;

private:
    bool covers(const exchange::partition_state& state) const;

    bool enabled_;
    base::duration interval_;
    kernel::view<exchange::subscription_state> subscription_;
    base::instant due_at_ = base::never;
    exchange::request_backoff backoff_;
    // By slot, of one incarnation: an application that has moved since means what it does now.
    std::map<boundary::slot_id, std::pair<boundary::incarnation, std::int64_t>> floors_;
};

}  // namespace strandline::core::offsets
