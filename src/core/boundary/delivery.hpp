// Completed fetches on their way to the application, and the state of each partition that says whether they may be
// handed out.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <strandline/error.hpp>

#include "base/bytes.hpp"
#include "base/instant.hpp"
#include "core/boundary/core_config.hpp"
#include "core/boundary/identity.hpp"
#include "records/aborted_transactions.hpp"

namespace strandline::core::boundary {

// One partition's share of one Fetch answer: whole, verified batches. Decoding happens where it is iterated.
struct completed_fetch {
    slot_id slot;
    incarnation era;
    partition_ref partition;
    base::shared_bytes batches;  // may be empty: positions move past control and compacted stretches without records
    std::int64_t from_offset = 0;  // records below it are not delivered
    std::int64_t next_offset = 0;  // the position once everything here is processed
    std::int32_t next_leader_epoch = -1;  // epoch of the last batch
    isolation_level isolation = isolation_level::read_uncommitted;
    std::vector<records::aborted_transaction> aborted;  // as the broker listed them
    std::int64_t high_watermark = -1;
    std::int64_t last_stable_offset = -1;
    std::int64_t log_start_offset = -1;
    // Set: after these batches the partition stands at next_offset with this error until the application seeks.
    std::optional<error> failure;
};

// The reactor's word on one slot. Data of another era is dropped; paused or fenced data is kept back or dropped.
struct slot_update {
    slot_id slot;
    incarnation era;
    bool assigned = true;  // false: the slot is given up; its data is dropped
    bool paused = false;
    bool fenced = false;  // being revoked: nothing more is handed out
    bool callback_pending = false;  // assigned, but its assigned-callback has not been acknowledged
    partition_ref partition;
};

// In their order. An assignment may bring very many at once.
struct slot_updates {
    std::vector<slot_update> which;
};

// How far the application has come in one partition, folded into the checkpoint slot.
struct progress {
    slot_id slot;
    incarnation era;
    std::int64_t processed_offset = 0;  // next offset to process
    std::int32_t leader_epoch = -1;
};

// Read by the reactor at the start of each turn.
struct checkpoint {
    std::vector<progress> changed;  // since it was last read
    std::optional<base::instant> last_poll;  // newest poll entry or exit since it was last read
    bool inside_poll = false;  // a thread is inside poll and not in a callback, or an asynchronous poll is pending
};

// The application has met a fence: nothing of the slot is handed out any more, and what was is in the checkpoint. Given
// at once when the application holds nothing of it, otherwise at its next poll.
struct fence_acknowledged {
    slot_id slot;
    incarnation era;
};

// Buffered data that the application has taken (or that was dropped); the slot's partition may be fetched further.
struct buffer_drained {
    slot_id slot;
    incarnation era;
    std::int64_t next_offset = 0;  // everything below it has left the queue
    // From here on it was not taken, but dropped because it was recalled: to be fetched again. -1: all was taken.
    std::int64_t given_back_from = -1;
};

// Memory is short and this data waits in vain: what has not been taken of it is to be dropped.
struct buffer_recall {
    slot_id slot;
    incarnation era;
};

}  // namespace strandline::core::boundary
