#include "core/kernel/agenda.hpp"

#include <bit>

#include "core/kernel/asking_order.hpp"

namespace strandline::core::kernel {

agenda::agenda(manager_index managers, view_log& views) : views_(&views), waits_(managers) {
    for (manager_index i = 0; i < managers; ++i) waits_[i].manager = i;
    touch_all();
}

void agenda::begin(base::instant now) {
    progress_ = 0;
    settled_ = 0;
    asked_ = 0;
    for (const auto& wait : waits_) {
        if (wait.inputs.wake_at() <= now) touch(wait.manager);
    }
}

std::optional<agenda::candidate> agenda::next_to_ask() {
    if (const auto changed = views_->take_changed()) {
        for (const auto& wait : waits_) {
            if (wait.inputs.views() & changed) touch(wait.manager);
        }
    }
    if (touched_ == 0) return std::nullopt;
    const auto next =
        is_audited_ ? asking_order::next_of(touched_) : static_cast<manager_index>(std::countr_zero(touched_));
    return candidate{next};
}

void agenda::settle(manager_index manager, const await_set& inputs, reason why, base::instant now) {
    if (const auto missing = views_->take_read() & ~inputs.views()) {
        ++missing_edges_;
        newest_fault_ = "manager " + std::to_string(manager) + " read views that it does not await, bits " +
                        std::to_string(missing) + ", while it waits for reason " + std::to_string(why.code);
    }
    auto& wait = waits_[manager];
    if (wait.why != why) wait.since = now;
    wait.inputs = inputs;
    wait.why = why;
    touched_ &= ~bit(manager);
}

void agenda::compare(manager_index manager, const await_set& inputs, reason why, base::instant now) {
    const auto& published = waits_[manager];
    if (published.inputs == inputs && published.why == why) return;
    if (published.inputs.wake_at() != inputs.wake_at()) {
        note_stale(manager, "would wait until another instant");
    } else if (published.inputs.views() != inputs.views()) {
        note_stale(manager, "would await other views");
    } else if (published.inputs != inputs) {
        note_stale(manager, "would await other inputs");
    } else {
        note_stale(manager, "would give another reason");
    }
    settle(manager, inputs, why, now);
}

void agenda::note_stale(manager_index manager, const char* what) {
    ++stale_answers_;
    newest_fault_ = "manager " + std::to_string(manager) + " was not asked, but " + what +
                    " than the published reason " + std::to_string(waits_[manager].why.code) +
                    ": nothing told it of a change";
}

void agenda::cut_off(manager_index manager, base::instant now) {
    ++runaways_;
    newest_fault_ = "manager " + std::to_string(manager) + " makes progress without end";
    progress_ = 0;
    settled_ = 0;
    auto& wait = waits_[manager];
    wait.inputs = await_set(awaited::timer(future_instant::in(now, std::chrono::milliseconds(1))));
    wait.since = now;
    touched_ &= ~bit(manager);
}

park_bound agenda::bound() const noexcept {
    park_bound bound;
    for (const auto& wait : waits_) bound.include(wait.inputs.wake_at());
    return bound;
}

bool agenda::awaits(input_kind kind) const noexcept {
    for (const auto& wait : waits_) {
        if (wait.inputs.awaits(kind)) return true;
    }
    return false;
}

}  // namespace strandline::core::kernel
