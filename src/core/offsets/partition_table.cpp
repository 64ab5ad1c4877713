#include "core/offsets/partition_table.hpp"

#include <algorithm>
#include <utility>

#include "core/exchange/manager.hpp"

namespace strandline::core::offsets {

namespace {

std::size_t index_of(boundary::slot_id slot) { return static_cast<std::size_t>(slot.value()); }

std::optional<std::int64_t> known(std::int64_t offset) { return offset < 0 ? std::nullopt : std::optional(offset); }

void show(boundary::partition_snapshot& shown, const exchange::partition_state& state) {
    shown.partition = state.partition;
    shown.slot = state.slot;
    shown.era = state.era;
    shown.phase = state.phase;
    shown.leader = state.leader;
    shown.fetch_position.reset();
    if (state.position) {
        auto& position = shown.fetch_position.emplace(state.position->offset);
        if (state.position->last_epoch != protocol::no_leader_epoch) {
            position.leader_epoch = state.position->last_epoch.value();
        }
    }
    shown.high_watermark = known(state.high_watermark);
    shown.last_stable_offset = known(state.last_stable_offset);
    shown.log_start_offset = known(state.log_start_offset);
    shown.paused = state.paused;
    shown.fenced = state.fenced;
    shown.callback_pending = state.callback_pending;
    shown.failure = state.failure;
}

}  // namespace

partition_table::partition_table(kernel::view_log& views) : subscription_(exchange::view::subscription, views) {}

void partition_table::set_by_hand(bool by_hand) {
    if (get().by_hand != by_hand) subscription_.change().by_hand = by_hand;
}

const exchange::partition_state* partition_table::find(boundary::slot_id slot, boundary::incarnation era) const {
    const auto* state = get().find(slot);
    return state && state->era == era ? state : nullptr;
}

exchange::partition_state& partition_table::add(boundary::partition_identity identity) {
    auto& view = subscription_.change();
    boundary::slot_id slot;
    if (free_slots_.empty()) {
        slot = boundary::slot_id(static_cast<std::uint32_t>(view.states.size()));
        view.states.emplace_back();
    } else {
        slot = free_slots_.back();
        free_slots_.pop_back();
    }
    auto& state = view.states[index_of(slot)];
    state = std::make_unique<exchange::partition_state>();
    state->partition = std::make_shared<const boundary::partition_identity>(std::move(identity));
    state->slot = slot;
    state->era = next_incarnation();
    view.slots.emplace(state->partition->name, slot);
    touch_page(slot);
    return *state;
}

void partition_table::remove(boundary::slot_id slot) {
    auto& view = subscription_.change();
    auto& state = view.states[index_of(slot)];
    view.slots.erase(state->partition->name);
    view.uncommitted.erase(slot);
    state.reset();
    free_slots_.push_back(slot);
    touch_page(slot);
}

void partition_table::renew(boundary::slot_id slot) { change(slot).era = next_incarnation(); }

exchange::partition_state& partition_table::change(boundary::slot_id slot) {
    touch_page(slot);
    return change_unshown(slot);
}

exchange::partition_state& partition_table::change_unshown(boundary::slot_id slot) {
    return *subscription_.change().states[index_of(slot)];
}

void partition_table::note_progress(boundary::slot_id slot) {
    auto& view = subscription_.change();
    const auto& state = *view.states[index_of(slot)];
    const bool is_committed =
        !state.processed || (state.committed && state.committed->offset == state.processed->offset);
    if (is_committed) {
        view.uncommitted.erase(slot);
    } else {
        view.uncommitted.insert(slot);
    }
}

void partition_table::touch_page(boundary::slot_id slot) {
    const auto index = index_of(slot) / boundary::partition_page::capacity;
    if (index >= pages_.size()) pages_.resize(index + 1);
    pages_[index].dirty = true;
}

void partition_table::make_anew(std::size_t index) {
    const auto& states = get().states;
    const auto first = index * boundary::partition_page::capacity;
    const auto last = std::min(first + boundary::partition_page::capacity, states.size());
    auto made = std::make_shared<boundary::partition_page>();
    made->partitions.reserve(last - first);
    for (auto slot = first; slot < last; ++slot) {
        if (states[slot]) show(made->partitions.emplace_back(), *states[slot]);
    }
    pages_[index] = {std::move(made), false};
}

std::vector<std::shared_ptr<const boundary::partition_page>> partition_table::pages() {
    std::vector<std::shared_ptr<const boundary::partition_page>> result;
    result.reserve(pages_.size());
    for (std::size_t index = 0; index < pages_.size(); ++index) {
        if (pages_[index].dirty) make_anew(index);
        result.push_back(pages_[index].shown);
    }
    return result;
}

}  // namespace strandline::core::offsets
