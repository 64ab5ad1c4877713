// Makes completed fetches, facts and second attempts of what a broker answered about each partition.
#pragma once

#include <cstdint>

#include "core/exchange/manager.hpp"
#include "core/exchange/output.hpp"
#include "core/fetch/fetch_board.hpp"
#include "core/fetch/fetch_session.hpp"
#include "core/fetch/verified_batches.hpp"
#include "protocol/messages/fetch.hpp"

namespace strandline::core::fetch {

// Used while an answer is applied: it emits facts.
class fetch_digest {
public:
    using partition_data = protocol::messages::fetch_response::partition_data;

    fetch_digest(const exchange::manager_context& context, fetch_board& board, exchange::outbox& outbox)
        : context_(context), board_(&board), outbox_(&outbox) {}

    // `entries` is the session that was answered, the request applied. True if any partition gave bytes.
    bool digest(protocol::broker_id broker, std::int16_t version, const fetch_session& entries,
                const protocol::messages::fetch_response& response, exchange::turn_time time);

private:
    void digest(protocol::broker_id broker, const fetch_entry& entry, const partition_data& data,
                const protocol::messages::fetch_response& response, exchange::turn_time time);
    void take_batches(const fetch_entry& entry, const partition_data& data, exchange::turn_time time);
    void hand_over(const fetch_entry& entry, const partition_data& data, verified_batches batches,
                   std::optional<error> failure);
    void take_marks(const fetch_entry& entry, const partition_data& data, const exchange::partition_state& state);
    void on_cut(const fetch_entry& entry, const verified_batches& batches);
    bool is_corrupt_again(const fetch_entry& entry, std::int64_t offset, exchange::turn_time time);
    void on_error(protocol::broker_id broker, const fetch_entry& entry, const partition_data& data,
                  const protocol::messages::fetch_response& response, exchange::turn_time time);
    void tell_leader(const fetch_entry& entry, const partition_data& data,
                     const protocol::messages::fetch_response& response);
    void fail(const fetch_entry& entry, std::int64_t offset, error failure);

    exchange::manager_context context_;
    fetch_board* board_;
    exchange::outbox* outbox_;
};

}  // namespace strandline::core::fetch
