#include "core/fetch/tracked_partition.hpp"

namespace strandline::core::fetch {

void partition_order::push_back(std::deque<tracked_partition>& all, boundary::slot_id slot) {
    auto& added = all[slot.value()];
    added.previous = last_;
    added.next = tracked_partition::none;
    if (last_ == tracked_partition::none) {
        first_ = slot.value();
    } else {
        all[last_].next = slot.value();
    }
    last_ = slot.value();
    ++size_;
}

void partition_order::remove(std::deque<tracked_partition>& all, boundary::slot_id slot) {
    auto& removed = all[slot.value()];
    if (removed.previous == tracked_partition::none) {
        first_ = removed.next;
    } else {
        all[removed.previous].next = removed.next;
    }
    if (removed.next == tracked_partition::none) {
        last_ = removed.previous;
    } else {
        all[removed.next].previous = removed.previous;
    }
    removed.previous = removed.next = tracked_partition::none;
    --size_;
}

void partition_order::move_to_back(std::deque<tracked_partition>& all, boundary::slot_id slot) {
    if (last_ == slot.value()) return;
    remove(all, slot);
    push_back(all, slot);
}

}  // namespace strandline::core::fetch
