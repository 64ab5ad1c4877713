// Completed fetches, in the order of their arrival, until the application takes them.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/boundary/delivery.hpp"
#include "handoff/delivery_table.hpp"
#include "handoff/poll_offer.hpp"

namespace strandline::handoff {

// How much it holds is bounded by who fills it: nothing is fetched without space reserved for it. Popping costs what is
// popped: what may not be handed out yet is put aside once, and comes back when its slot opens. Plain data, guarded by
// the outbox's lock.
class fetch_queue {
public:
    void push(core::boundary::completed_fetch data);
    // Takes what the table lets pass, within the limits; what it drops, and what is used up, is appended to `drained`.
    void take(delivery_table& table, const take_limits& limits, std::vector<fetched_piece>& into,
              std::vector<core::boundary::buffer_drained>& drained);
    // The slot has opened: what was put aside goes on, before anything newer of it.
    void bring_back(core::boundary::slot_id slot);
    // The slot has a new incarnation, or none: what was put aside of it is dropped.
    void drop_stale(core::boundary::slot_id slot, const delivery_table& table,
                    std::vector<core::boundary::buffer_drained>& drained);
    // Drops everything of this incarnation that was not taken. Nothing, if nothing was there.
    std::optional<core::boundary::buffer_drained> give_back(core::boundary::slot_id slot,
                                                            core::boundary::incarnation era);
    // Pieces that were taken and are not handed out after all, in the order they were taken.
    void put_back(const fetched_piece& piece);

    // Allocates nothing: memory may have run out.
    void swap(fetch_queue& other) noexcept {
        ready_.swap(other.ready_);
        aside_.swap(other.aside_);
        std::swap(bytes_, other.bytes_);
    }

    bool empty() const noexcept { return ready_.empty(); }
    // Bytes of batches in it, put aside or not.
    std::size_t bytes() const noexcept { return bytes_; }

private:
    struct item {
        std::shared_ptr<const core::boundary::completed_fetch> source;
        std::int64_t from = 0;
        std::shared_ptr<reading_place> place = {};
    };
    void used_up(const item& done, std::vector<core::boundary::buffer_drained>& drained);
    std::deque<item>& aside(core::boundary::slot_id slot) { return aside_[slot]; }

    std::deque<item> ready_;
    std::unordered_map<core::boundary::slot_id, std::deque<item>> aside_;
    std::size_t bytes_ = 0;
};

}  // namespace strandline::handoff
