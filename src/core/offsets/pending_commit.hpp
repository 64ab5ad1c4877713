// One commit from its asking to its one result.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <strandline/error.hpp>
#include <strandline/offsets.hpp>

#include "core/boundary/identity.hpp"
#include "core/exchange/request_backoff.hpp"
#include "core/offsets/commit_item.hpp"
#include "core/offsets/stale_epoch.hpp"

namespace strandline::core::offsets {

struct pending_commit {
    enum class origin : std::uint8_t {
        application,
        automatic,   // by the timer; not tried again, since the next one covers more
        revocation,  // before partitions are given up to the group
        left,        // of partitions given up by hand
        closing,
    };

    explicit pending_commit(boundary::backoff retry_backoff) : backoff(retry_backoff) {}

    origin from = origin::application;
    boundary::operation_token token = boundary::no_operation;
    base::instant deadline = base::never;
    commit_items items;
    bool retry = true;
    std::uint64_t ticket = 0;  // of a revocation; 0: nobody waits for it
    // The join it was asked in: void once the member has joined again. None: not as a member.
    std::optional<std::uint64_t> member;

    strandline::offsets committed;
    std::vector<topic_partition> failed;
    std::optional<error> failure;  // the first one
    exchange::request_backoff backoff;
    stale_epoch stale;
};

}  // namespace strandline::core::offsets
