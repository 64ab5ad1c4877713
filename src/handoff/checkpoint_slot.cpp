#include "handoff/checkpoint_slot.hpp"

#include <utility>

namespace strandline::handoff {

void checkpoint_slot::fold(const application_progress& progress) {
    for (const auto& one : progress.changed) fold(one);
    if (progress.polled) folded_.last_poll = progress.polled;
    if (progress.inside_poll) folded_.inside_poll = *progress.inside_poll;
    touched_ = touched_ || !progress.changed.empty() || progress.polled || progress.inside_poll;
}

void checkpoint_slot::fold(const core::boundary::progress& progress) {
    const auto slot = progress.slot.value();
    if (slot >= places_.size()) places_.resize(slot + 1, 0);
    auto& place = places_[slot];
    if (place == 0) {
        folded_.changed.push_back(progress);
        place = static_cast<std::uint32_t>(folded_.changed.size());
        return;
    }
    auto& known = folded_.changed[place - 1];
    if (progress.era >= known.era) known = progress;
}

std::optional<core::boundary::checkpoint> checkpoint_slot::take() {
    if (!std::exchange(touched_, false)) return std::nullopt;
    for (const auto& one : folded_.changed) places_[one.slot.value()] = 0;
    core::boundary::checkpoint taken;
    taken.changed = std::exchange(folded_.changed, {});
    taken.last_poll = std::exchange(folded_.last_poll, std::nullopt);
    taken.inside_poll = folded_.inside_poll;
    return taken;
}

}  // namespace strandline::handoff
