// One broker as something to fetch from: its session, what is in flight to it, and which partitions it is asked for.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/exchange/request.hpp"
#include "core/exchange/request_backoff.hpp"
#include "core/fetch/fetch_budget.hpp"
#include "core/fetch/fetch_session.hpp"
#include "core/fetch/tracked_partition.hpp"
#include "protocol/ids.hpp"

namespace strandline::core::fetch {

struct fetch_flight {
    exchange::request_id id;
    base::instant sent_at;
    base::instant expires_at;
    std::size_t reserved = 0;
    fetch_session_step step;
};

// Two lanes: the session's request, usually a long poll, and beside it one short request without a session, for
// partitions that must not wait for the long poll to end: just assigned, resumed, sought, or with room in the buffer
// again.
struct broker_fetcher {
    explicit broker_fetcher(boundary::backoff retry) : backoff(retry) {}

    // How long a long poll is given to end by itself before something is asked beside it.
    static constexpr base::duration urgent_after = std::chrono::milliseconds(2);

    fetch_session session;
    std::optional<fetch_flight> polling;
    std::optional<fetch_flight> urgent;
    exchange::request_backoff backoff;
    bool session_refused = false;   // since the last good answer
    bool keeps_no_session = false;  // as of the last good answer
    std::size_t answer_size = fetch_budget::answer_size;

    partition_order order;
    std::size_t without_id = 0;   // of those in order; ids can only be used if all have one
    std::size_t of_replica = 0;   // of those in order; we read them here although this is not their leader
    std::vector<boundary::slot_id> dirty;       // changed since the session was last told
    std::vector<dropped_partition> dropped;     // left since the session was last told
    std::vector<boundary::slot_id> urgent_wish; // changed since the long poll was sent

    // A far broker is asked for more at once, until a round trip is worth its answer; a near one for what stays in the
    // cache.
    void adapt(base::duration took, bool filled, bool nothing_waiting, std::size_t largest) noexcept;
};

}  // namespace strandline::core::fetch
