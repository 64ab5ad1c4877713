// What was handed out, and how far it is processed: the one who knows what may be committed.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <unordered_map>
#include <vector>

#include <strandline/topic_partition.hpp>

#include "client/part_progress.hpp"
#include "core/boundary/delivery.hpp"
#include "handoff/application_progress.hpp"

namespace strandline::client {

// Per partition the stretches in the order they were handed out. Progress is the end of the unbroken run of processed
// ones, so that nothing after a stretch that is still worked on counts. Guarded by the consumer's gate.
class processing_ledger {
public:
    void add(std::shared_ptr<part_progress> part);
    void add(std::shared_ptr<partition_trouble> trouble) { troubles_.push_back(std::move(trouble)); }

    enum class counting {
        as_read,              // commit, close: what iteration has moved past
        released_as_handled,  // the entry of a poll: and what the application no longer holds
    };
    // What changed since the last time.
    handoff::application_progress collect(counting how);
    // What comes before `next` in the partition of `part`, one of those added, counts as processed, read or not. Not if
    // some of it cannot be read: then that trouble is returned, and nothing changes.
    std::shared_ptr<partition_trouble> pass_up_to(part_progress& part, std::int64_t next);
    // Found by collect: a batch proved bad, nothing more of these may be handed out.
    std::vector<handoff::slot_era> take_failed() { return std::exchange(failed_, {}); }
    // Trouble that nobody has heard of, if any; it counts as told.
    std::shared_ptr<partition_trouble> take_untold();
    // Partitions of which the application holds records.
    partitions held();

private:
    struct entry {
        core::boundary::incarnation era{0};
        std::deque<std::shared_ptr<part_progress>> parts;
        std::int64_t reported = -1;
        bool failed = false;
    };
    // True: everything handed out is processed.
    bool collect(entry& from, counting how, std::vector<core::boundary::progress>& changed);
    void forget_released();

    std::unordered_map<core::boundary::slot_id, entry> entries_;  // of what is not settled
    std::vector<std::shared_ptr<partition_trouble>> troubles_;
    std::vector<handoff::slot_era> failed_;
    std::vector<std::shared_ptr<part_progress>> handed_out_;
    std::size_t forget_at_ = 64;
};

}  // namespace strandline::client
