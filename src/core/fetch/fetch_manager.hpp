// Decides which partitions to fetch, of whom and when, and makes completed fetches of the answers.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/boundary/delivery.hpp"
#include "core/exchange/broker_reach.hpp"
#include "core/exchange/cluster_view.hpp"
#include "core/exchange/connections_handle.hpp"
#include "core/exchange/fact.hpp"
#include "core/exchange/lifecycle_view.hpp"
#include "core/exchange/manager.hpp"
#include "core/exchange/output.hpp"
#include "core/exchange/subscription_state.hpp"
#include "core/fetch/broker_fetcher.hpp"
#include "core/fetch/fetch_board.hpp"
#include "core/fetch/fetch_digest.hpp"
#include "core/fetch/fetch_request.hpp"
#include "core/kernel/view.hpp"

namespace strandline::core::fetch {

// Numbers what is asked of a broker; the answer brings it back.
enum class fetch_lane : std::uint16_t { polling, urgent, closing };

// In: changed partitions, Fetch answers, space given back.  Out: Fetch requests, completed fetches, recalls; facts
// position_advanced, position_out_of_range, position_doubted, partition_failed, metadata_stale, leader_hint,
// broker_throttled, answer_unreadable.
//
// Work is proportional to what changed: nothing here walks over all partitions, except to open a fetch session.
class fetch_manager {
public:
    fetch_manager(const exchange::manager_context& context, kernel::view<exchange::subscription_state> subscription,
                  kernel::view<exchange::connections_handle> connections, kernel::view<exchange::cluster_view> cluster,
                  kernel::view<exchange::lifecycle_view> lifecycle);
    fetch_manager(const fetch_manager&) = delete;
    fetch_manager& operator=(const fetch_manager&) = delete;

    // At the start of each turn: what counts against memory_limit now, whoever holds it.
    void on_space(std::size_t bytes_in_use, exchange::turn_time time);
    void on_buffer_drained(const boundary::buffer_drained& drained, exchange::turn_time time);
    void on_response(const exchange::response& response, exchange::turn_time time);
    void on_fact(const exchange::partition_changed& fact, exchange::turn_time time);

    exchange::plan plan(exchange::turn_time time);

private:
    void plan_broker(protocol::broker_id id, broker_fetcher& broker, exchange::turn_time time,
                     exchange::pending_wait& wait);
    void plan_polling(protocol::broker_id id, broker_fetcher& broker, exchange::turn_time time,
                      exchange::pending_wait& wait);
    void plan_urgent(protocol::broker_id id, broker_fetcher& broker, exchange::turn_time time,
                     exchange::pending_wait& wait);
    void close_sessions(exchange::turn_time time);
    // What may be asked for now, or nothing: then space is awaited.
    std::optional<std::size_t> room(const broker_fetcher& broker, exchange::pending_wait& wait);
    fetch_session_step next_step(protocol::broker_id id, broker_fetcher& broker, bool by_id);
    void forget_served_wishes(protocol::broker_id id, broker_fetcher& broker);
    fetch_flight send(protocol::broker_id id, fetch_lane lane, exchange::connection_role role, fetch_session_step step,
                      const fetch_limits& limits, std::int16_t version, exchange::turn_time time);
    void explain_rest(exchange::pending_wait& wait);

    void on_lost(protocol::broker_id id, broker_fetcher& broker, fetch_lane lane, const exchange::response& response,
                 exchange::turn_time time);
    void on_answer(protocol::broker_id id, broker_fetcher& broker, fetch_lane lane, fetch_flight flight,
                   const exchange::response& response, exchange::turn_time time);

    exchange::manager_context context_;
    kernel::view<exchange::subscription_state> subscription_;
    kernel::view<exchange::cluster_view> cluster_;
    kernel::view<exchange::lifecycle_view> lifecycle_;
    exchange::broker_reach reach_;
    exchange::outbox outbox_;
    fetch_board board_;
    fetch_digest digest_;
    // Where memory is short the others come first: its long poll would take all there is, again and again.
    protocol::broker_id served_last_ = protocol::no_broker;
    bool sessions_closed_ = false;
    std::size_t missing_ = 0;  // bytes that could be used now, if there were room for them
};

}  // namespace strandline::core::fetch
