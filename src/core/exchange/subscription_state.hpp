// The assigned partitions and where each stands. Owned by the position manager; everybody else reads it.
#pragma once

#include <cstdint>
#include <set>

#include "base/sorted_chunks.hpp"
#include "core/boundary/identity.hpp"
#include "core/boundary/partition_pages.hpp"
#include "core/boundary/partition_state.hpp"

namespace strandline::core::exchange {

using boundary::fetch_position;
using boundary::leader_not_told;
using boundary::partition_phase;
using boundary::partition_state;

struct subscription_state {
    bool by_hand = false;  // assign(), not subscribe()
    boundary::partition_pages states;
    // Whose processed offset is not the one known to be committed.
    std::set<boundary::slot_id> uncommitted;

    const partition_state* find(boundary::slot_id slot) const { return states.find(slot); }
    const partition_state* find(const topic_partition& partition) const;
    // What is assigned now, in the order of names.
    const base::sorted_chunks<boundary::slot_id>& slots() const noexcept { return slots_; }

    // The slot must be free, and no other may have that name.
    partition_state& add(boundary::slot_id slot, boundary::partition_ref partition);
    void remove(boundary::slot_id slot);

private:
    base::sorted_chunks<boundary::slot_id> slots_;  // by the names of their partitions
};

}  // namespace strandline::core::exchange
