// Answers to Fetch, versions 4 to 18, put together by hand: batches are sent from where they lie.
#pragma once

#include <cstdint>
#include <memory>

#include "protocol/ids.hpp"
#include "tests/bench/null_broker/fetch_session.hpp"
#include "tests/bench/null_broker/log_source.hpp"
#include "tests/bench/null_broker/outgoing_frame.hpp"

namespace strandline::bench {

// A request that waits for its answer.
struct asked_fetch {
    std::int16_t version = 0;
    protocol::correlation_id correlation_id{};
    std::int32_t max_bytes = 0;
    std::int64_t deadline = 0;  // on the monotonic clock, in nanoseconds
    bool full = false;          // every partition stands in the answer, with or without records
    std::shared_ptr<fetch_session> session;
};

bool has_records(const asked_fetch& asked, const log_source& source);
outgoing_frame answer_fetch(const asked_fetch& asked, const log_source& source);
// Of the request as a whole: a session that is not there.
outgoing_frame refuse_fetch(const asked_fetch& asked, protocol::broker_error error);

}  // namespace strandline::bench
