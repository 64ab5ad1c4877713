// The assigned partitions by slot: numbers slots and incarnations, keeps the subscription view.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/boundary/identity.hpp"
#include "core/boundary/snapshot.hpp"
#include "core/exchange/subscription_state.hpp"
#include "core/kernel/view.hpp"

namespace strandline::core::offsets {

// Owned by the position manager. Decides nothing about positions.
class partition_table {
public:
    explicit partition_table(kernel::view_log& views);

    const kernel::versioned<exchange::subscription_state>& view_source() const noexcept { return subscription_; }
    const exchange::subscription_state& get() const noexcept { return subscription_.get(); }
    void set_by_hand(bool by_hand);

    // Reads. For writing see change().
    const exchange::partition_state* find(boundary::slot_id slot) const { return get().find(slot); }
    const exchange::partition_state* find(const topic_partition& partition) const { return get().find(partition); }
    // Only while this incarnation lasts.
    const exchange::partition_state* find(boundary::slot_id slot, boundary::incarnation era) const;

    // A slot and an incarnation of its own for a partition that is not assigned yet.
    exchange::partition_state& add(boundary::partition_ref partition);
    // The slot is free to be used again; whoever still names it names an incarnation that is over.
    void remove(boundary::slot_id slot);
    // What was fetched so far becomes void.
    void renew(boundary::slot_id slot);
    // For writing to an assigned partition: the view has a newer version. What was found of it before may not follow.
    exchange::partition_state& change(boundary::slot_id slot);

    // To be called after processed or committed changed.
    void note_progress(boundary::slot_id slot);

    const std::shared_ptr<const boundary::page_list>& pages() const { return get().states.show(); }

private:
    boundary::incarnation next_incarnation() noexcept { return boundary::incarnation(++last_incarnation_); }

    kernel::versioned<exchange::subscription_state> subscription_;
    std::vector<boundary::slot_id> free_slots_;
    std::uint32_t slots_used_ = 0;
    std::uint64_t last_incarnation_ = 0;
};

}  // namespace strandline::core::offsets
