#include "core/connection/attempt_pacing.hpp"

#include <algorithm>

#include "core/kernel/future_instant.hpp"

namespace strandline::core::connection {

namespace {

// The first attempts follow each other as fast as a single broker's would: the second server of a list is not kept
// waiting because the first is down.
constexpr int quick_attempts = 2;
// From then on two wake-ups per attempt stay below five in a second.
constexpr base::duration slow_start = std::chrono::milliseconds(400);

}  // namespace

void attempt_pacing::on_reachable() noexcept {
    failures_ = 0;
    opens_at_ = base::instant::min();
}

void attempt_pacing::on_started(base::instant now) noexcept {
    opens_at_ = base::saturating_add(now, std::max(stagger, failures_ == 0 ? base::duration::zero() : pause()));
}

void attempt_pacing::on_failure(base::instant now, int events, base::random_source& random) {
    ++failures_;
    const auto charged = pause() * std::max(2, 1 + events) / 2;
    // Lengthened only, so that attempts come no more often than the longest pause allows.
    const auto extra = random.below(1000) * 4 / 10;
    opens_at_ =
        kernel::retry_time::after(now, charged + charged / 1000 * static_cast<base::duration::rep>(extra)).value();
}

base::duration attempt_pacing::pause() const noexcept {
    if (failures_ <= quick_attempts) return std::min(limits_.initial, limits_.maximum);
    auto wait = std::max(slow_start, limits_.initial);
    for (int i = quick_attempts + 1; i < failures_ && wait < limits_.maximum; ++i) wait *= 2;
    return std::min(wait, limits_.maximum);
}

}  // namespace strandline::core::connection
