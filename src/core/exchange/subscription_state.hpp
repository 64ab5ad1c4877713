// The assigned partitions and where each stands. Owned by the position manager; everybody else reads it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include <strandline/error.hpp>
#include <strandline/offsets.hpp>

#include "core/boundary/identity.hpp"
#include "core/boundary/partition_phase.hpp"
#include "protocol/ids.hpp"

namespace strandline::core::exchange {

using boundary::partition_phase;

// Of a partition that the cluster has not told of yet.
inline constexpr protocol::broker_id leader_not_told{-2};

// Next to fetch.
struct fetch_position {
    std::int64_t offset = 0;
    protocol::leader_epoch last_epoch = protocol::no_leader_epoch;     // of the record before it
    protocol::leader_epoch current_epoch = protocol::no_leader_epoch;  // of the leader it was validated with
    friend bool operator==(const fetch_position&, const fetch_position&) = default;
};

struct partition_state {
    boundary::partition_ref partition;
    boundary::slot_id slot;
    boundary::incarnation era;
    partition_phase phase = partition_phase::awaiting_committed;
    std::optional<fetch_position> position;  // set in fetching and awaiting_validation
    // As the cluster told last; no_broker while it is being elected.
    protocol::broker_id leader = leader_not_told;
    bool paused = false;
    bool fenced = false;            // pending revocation: not fetched, not delivered
    bool callback_pending = false;  // not fetched before its assigned-callback is acknowledged
    std::int64_t high_watermark = -1;
    std::int64_t last_stable_offset = -1;
    std::int64_t log_start_offset = -1;
    std::optional<offset_and_metadata> processed;  // what may be committed; a seek back takes it back as well
    std::optional<offset_and_metadata> committed;  // newest offset known to be committed by us or found
    std::optional<error> failure;                  // of stopped

    bool fetchable() const noexcept {
        return phase == partition_phase::fetching && !paused && !fenced && !callback_pending;
    }
};

struct subscription_state {
    bool by_hand = false;    // assign(), not subscribe()
    std::map<topic_partition, boundary::slot_id> slots;  // of what is assigned now
    // By slot; empty where the slot is free.
    std::vector<std::unique_ptr<partition_state>> states;
    // Whose processed offset is not the one known to be committed.
    std::set<boundary::slot_id> uncommitted;

    const partition_state* find(boundary::slot_id slot) const;
    const partition_state* find(const topic_partition& partition) const;
};

}  // namespace strandline::core::exchange
