#include "core/offsets/partition_table.hpp"

#include <utility>

#include "core/exchange/manager.hpp"

namespace strandline::core::offsets {

partition_table::partition_table(kernel::view_log& views) : subscription_(exchange::view::subscription, views) {}

void partition_table::set_by_hand(bool by_hand) {
    if (get().by_hand != by_hand) subscription_.change().by_hand = by_hand;
}

const exchange::partition_state* partition_table::find(boundary::slot_id slot, boundary::incarnation era) const {
    const auto* state = get().find(slot);
    return state && state->era == era ? state : nullptr;
}

exchange::partition_state& partition_table::add(boundary::partition_ref partition) {
    boundary::slot_id slot(slots_used_);
    if (free_slots_.empty()) {
        ++slots_used_;
    } else {
        slot = free_slots_.back();
        free_slots_.pop_back();
    }
    auto& state = subscription_.change().add(slot, std::move(partition));
    state.era = next_incarnation();
    return state;
}

void partition_table::remove(boundary::slot_id slot) {
    subscription_.change().remove(slot);
    free_slots_.push_back(slot);
}

void partition_table::renew(boundary::slot_id slot) { change(slot).era = next_incarnation(); }

exchange::partition_state& partition_table::change(boundary::slot_id slot) {
    return subscription_.change().states.change(slot);
}

void partition_table::note_progress(boundary::slot_id slot) {
    auto& view = subscription_.change();
    const auto& state = *view.find(slot);
    const bool is_committed =
        !state.processed || (state.committed && state.committed->offset == state.processed->offset);
    if (is_committed) {
        view.uncommitted.erase(slot);
    } else {
        view.uncommitted.insert(slot);
    }
}

}  // namespace strandline::core::offsets
