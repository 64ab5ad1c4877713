// Decides which partitions to fetch, of whom and when, and makes completed fetches of the answers.
#pragma once

#include <cstddef>
#include <memory>

#include "core/boundary/delivery.hpp"
#include "core/exchange/cluster_view.hpp"
#include "core/exchange/connections_handle.hpp"
#include "core/exchange/fact.hpp"
#include "core/exchange/lifecycle_view.hpp"
#include "core/exchange/manager.hpp"
#include "core/exchange/output.hpp"
#include "core/exchange/subscription_state.hpp"
#include "core/kernel/view.hpp"

namespace strandline::core::fetch {

// In: changed partitions, Fetch answers, space given back.  Out: Fetch requests, completed fetches; facts
// position_advanced, position_out_of_range, position_doubted, partition_failed, metadata_stale, leader_hint,
// broker_throttled.
//
// Work is proportional to what changed: nothing here walks over all partitions, except to open a fetch session.
class fetch_manager {
public:
    fetch_manager(const exchange::manager_context& context, kernel::view<exchange::subscription_state> subscription,
                  kernel::view<exchange::connections_handle> connections, kernel::view<exchange::cluster_view> cluster,
                  kernel::view<exchange::lifecycle_view> lifecycle);
    ~fetch_manager();
    fetch_manager(const fetch_manager&) = delete;
    fetch_manager& operator=(const fetch_manager&) = delete;

    // At the start of each turn: what counts against memory_limit now, whoever holds it.
    void on_space(std::size_t bytes_in_use, exchange::turn_time time);
    void on_buffer_drained(const boundary::buffer_drained& drained, exchange::turn_time time);
    void on_response(const exchange::response& response, exchange::turn_time time);
    void on_fact(const exchange::partition_changed& fact, exchange::turn_time time);

    exchange::plan plan(exchange::turn_time time);

private:
    class machinery;
    std::unique_ptr<machinery> machinery_;
};

}  // namespace strandline::core::fetch
