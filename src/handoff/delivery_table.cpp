#include "handoff/delivery_table.hpp"

namespace strandline::handoff {

using core::boundary::fence_acknowledged;
using core::boundary::incarnation;
using core::boundary::operation_token;
using core::boundary::position_value;
using core::boundary::slot_id;
using core::boundary::slot_update;

delivery_table::slot_state& delivery_table::at(slot_id slot) {
    if (slot.value() >= slots_.size()) slots_.resize(slot.value() + 1);
    return slots_[slot.value()];
}

const delivery_table::slot_state* delivery_table::current(slot_id slot, incarnation era) const noexcept {
    if (slot.value() >= slots_.size()) return nullptr;
    const auto& state = slots_[slot.value()];
    return state.assigned && state.era == era ? &state : nullptr;
}

delivery_table::slot_state* delivery_table::current(slot_id slot, incarnation era) noexcept {
    return const_cast<slot_state*>(std::as_const(*this).current(slot, era));
}

bool delivery_table::is_open(const slot_state& state) noexcept {
    return state.assigned && !state.paused && !state.fenced && !state.callback_pending && state.closed_gates == 0;
}

void delivery_table::name(slot_id slot, slot_state& state, const slot_update& update) {
    const auto forget = [&](const topic_partition& name) {
        const auto* const known = by_name_.find(name, in_order_of_names());
        if (known && *known == slot) by_name_.erase(name, in_order_of_names());
    };
    if (!update.assigned) {
        if (state.partition) forget(state.partition->name);
        state.partition.reset();
    } else if (update.partition && update.partition != state.partition) {
        if (state.partition) forget(state.partition->name);
        state.partition = update.partition;
        // Whoever had the name before has lost it.
        by_name_.insert_or_assign(state.partition->name, slot, in_order_of_names());
    }
}

void delivery_table::let_fence_go(slot_state& state) noexcept {
    if (std::exchange(state.fence_waits, false)) --waiting_fences_;
}

delivery_table::change delivery_table::update(const slot_update& update) {
    auto& state = at(update.slot);
    const bool was_open = is_open(state);
    const bool was_fenced = state.fenced && state.era == update.era;
    if (state.era != update.era || !update.assigned) {
        if (state.assigned) ++voidings_;
        state.era = update.era;
        state.stopped = false;
        state.handed_out = false;
        state.next = state.next_epoch = -1;
        let_fence_go(state);
    }
    name(update.slot, state, update);
    state.assigned = update.assigned;
    state.paused = update.paused;
    state.fenced = update.assigned && update.fenced;
    state.callback_pending = update.callback_pending;

    change made;
    if (state.fenced && !was_fenced) {
        ++voidings_;
        if (state.handed_out) {
            state.fence_waits = true;
            ++waiting_fences_;
            made.fence_waits = true;
        } else {
            made.fence_is_met = true;
        }
    } else if (!state.fenced) {
        let_fence_go(state);
    }
    made.opened = is_open(state) && !was_open;
    return made;
}

verdict delivery_table::judge(slot_id slot, incarnation era) const noexcept {
    const auto* state = current(slot, era);
    if (!state || state->stopped) return verdict::drop;
    return is_open(*state) ? verdict::deliver : verdict::keep_back;
}

bool delivery_table::is_current(slot_id slot, incarnation era) const noexcept { return current(slot, era) != nullptr; }

void delivery_table::on_delivered(slot_id slot, incarnation era, std::int64_t offset) {
    if (auto* state = current(slot, era); state && state->next < 0) state->next = offset;
}

void delivery_table::on_handed_out(slot_id slot, std::int64_t next, std::int32_t leader_epoch) {
    auto& state = at(slot);
    state.handed_out = true;
    state.next = next;
    state.next_epoch = leader_epoch;
}

void delivery_table::on_taken_back(slot_id slot, std::int64_t next) {
    auto& state = at(slot);
    if (state.next >= 0 && next >= state.next) return;
    state.next = next;
    state.next_epoch = -1;
}

bool delivery_table::on_settled(const slot_era& settled) {
    auto* state = current(settled.slot, settled.era);
    if (!state) return false;
    state->handed_out = false;
    const bool waited = state->fence_waits;
    let_fence_go(*state);
    return waited;
}

void delivery_table::stop(slot_id slot, incarnation era) {
    if (auto* state = current(slot, era)) state->stopped = true;
}

std::vector<fence_acknowledged> delivery_table::meet_fences() {
    std::vector<fence_acknowledged> met;
    if (waiting_fences_ == 0) return met;
    for (std::size_t i = 0; i < slots_.size(); ++i) {
        auto& state = slots_[i];
        if (!state.fence_waits) continue;
        let_fence_go(state);
        met.push_back({slot_id{static_cast<std::uint32_t>(i)}, state.era});
    }
    return met;
}

void delivery_table::close_gates(operation_token by, std::span<const topic_partition> which) {
    std::vector<slot_id> slots;
    if (which.empty()) {
        slots.assign(by_name_.begin(), by_name_.end());
    }
    for (const auto& partition : which) {
        if (const auto* const found = by_name_.find(partition, in_order_of_names())) slots.push_back(*found);
    }
    if (slots.empty()) return;
    for (const auto slot : slots) ++at(slot).closed_gates;
    closed_[by] = std::move(slots);
}

std::vector<slot_id> delivery_table::open_gates(operation_token by) {
    std::vector<slot_id> opened;
    const auto closed = closed_.extract(by);
    if (closed.empty()) return opened;
    for (const auto slot : closed.mapped()) {
        auto& state = at(slot);
        --state.closed_gates;
        if (is_open(state)) opened.push_back(slot);
    }
    return opened;
}

std::optional<slot_id> delivery_table::slot(const topic_partition& partition) const {
    const auto* const found = by_name_.find(partition, in_order_of_names());
    return found ? std::optional(*found) : std::nullopt;
}

std::optional<position_value> delivery_table::position(const topic_partition& partition) const {
    const auto found = slot(partition);
    if (!found) return std::nullopt;
    const auto& state = slots_[found->value()];
    if (state.next < 0) return std::nullopt;
    return position_value{state.next, state.next_epoch < 0 ? std::nullopt : std::optional(state.next_epoch)};
}

partitions delivery_table::handed_out() const {
    partitions held;
    for (const auto& state : slots_) {
        if (state.assigned && state.handed_out && state.partition) held.push_back(state.partition->name);
    }
    return held;
}

}  // namespace strandline::handoff
