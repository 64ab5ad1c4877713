// The application's progress between two readings by the reactor: one slot, into which everything folds.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/boundary/delivery.hpp"
#include "handoff/application_progress.hpp"

namespace strandline::handoff {

// Bounded by the number of partitions, however often the application polls. Plain data, guarded by the inbox's lock.
class checkpoint_slot {
public:
    void fold(const application_progress& progress);
    bool holds_anything() const noexcept { return touched_; }
    bool holds_progress() const noexcept { return !folded_.changed.empty(); }
    // What was folded since the last time, if anything.
    std::optional<core::boundary::checkpoint> take();

private:
    void fold(const core::boundary::progress& progress);

    core::boundary::checkpoint folded_;
    std::vector<std::uint32_t> places_;  // by slot: index in folded_.changed, plus one
    bool touched_ = false;
};

}  // namespace strandline::handoff
