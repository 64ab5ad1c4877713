// Where one partition stands: what the reactor decides from and the application looks at. There may be very many of
// them, so this is as small as it can be.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include <strandline/error.hpp>
#include <strandline/offsets.hpp>

#include "core/boundary/identity.hpp"
#include "core/boundary/partition_phase.hpp"
#include "protocol/ids.hpp"

namespace strandline::core::boundary {

// Of a partition that the cluster has not told of yet.
inline constexpr protocol::broker_id leader_not_told{-2};

// Next to fetch.
struct fetch_position {
    std::int64_t offset = 0;
    protocol::leader_epoch last_epoch = protocol::no_leader_epoch;     // of the record before it
    protocol::leader_epoch current_epoch = protocol::no_leader_epoch;  // of the leader it was validated with
    friend bool operator==(const fetch_position&, const fetch_position&) = default;
};

// An offset_and_metadata, or none, without the metadata.
class brief_offset {
public:
    brief_offset() = default;
    brief_offset(const offset_and_metadata& from) noexcept
        : offset(from.offset), epoch_(from.leader_epoch.value_or(-1)), known_(true) {}

    explicit operator bool() const noexcept { return known_; }
    void reset() noexcept { *this = {}; }
    const brief_offset* operator->() const noexcept { return this; }
    offset_and_metadata operator*() const {
        return {offset, epoch_ < 0 ? std::nullopt : std::optional<std::int32_t>(epoch_)};
    }

    std::int64_t offset = 0;

private:
    std::int32_t epoch_ = -1;
    bool known_ = false;
};

struct partition_state {
    partition_ref partition;
    incarnation era;
    std::optional<fetch_position> position;  // set in fetching and awaiting_validation
    // -1 while not told.
    std::int64_t high_watermark = -1;
    std::int64_t last_stable_offset = -1;
    std::int64_t log_start_offset = -1;
    brief_offset processed;        // what may be committed; a seek back takes it back as well
    brief_offset committed;        // newest offset known to be committed by us or found
    std::optional<error> failure;  // of stopped: the partition stands until a seek
    slot_id slot;
    // As the cluster told last; no_broker while it is being elected.
    protocol::broker_id leader = leader_not_told;
    partition_phase phase = partition_phase::awaiting_committed;
    bool paused = false;
    bool fenced = false;            // pending revocation: not fetched, not delivered
    bool callback_pending = false;  // not fetched before its assigned-callback is acknowledged

    bool fetchable() const noexcept {
        return phase == partition_phase::fetching && !paused && !fenced && !callback_pending;
    }
};

}  // namespace strandline::core::boundary
