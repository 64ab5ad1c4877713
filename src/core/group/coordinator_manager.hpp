// Finds the broker that coordinates the group while somebody needs it, and forgets it when somebody loses it. Knows
// nothing of what kind of group it is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/exchange/broker_reach.hpp"
#include "core/exchange/connections_handle.hpp"
#include "core/exchange/fact.hpp"
#include "core/exchange/group_view.hpp"
#include "core/exchange/lifecycle_view.hpp"
#include "core/exchange/manager.hpp"
#include "core/exchange/output.hpp"
#include "core/exchange/request_backoff.hpp"
#include "core/kernel/view.hpp"
#include "protocol/messages/find_coordinator.hpp"

namespace strandline::core::group {

// In: who needs the coordinator, who lost it, the answer of FindCoordinator.  Out: FindCoordinator, the coordinator
// view.
class coordinator_manager {
public:
    coordinator_manager(const exchange::manager_context& context,
                        kernel::view<exchange::connections_handle> connections,
                        kernel::view<exchange::lifecycle_view> lifecycle);

    const kernel::versioned<exchange::coordinator_view>& view_source() const noexcept { return coordinator_; }

    void on_fact(const exchange::coordinator_needed& need, exchange::turn_time time);
    // Dropped if the coordinator was found anew since.
    void on_fact(const exchange::coordinator_lost& loss, exchange::turn_time time);
    void on_response(const exchange::response& response, exchange::turn_time time);

    exchange::plan plan(exchange::turn_time time);

private:
    struct search {
        exchange::request_id id;
        base::instant expires_at;
    };
    using coordinator_answer = protocol::messages::find_coordinator_response::coordinator;

    bool wanted() const;
    void lose(exchange::failure_cause cause, exchange::turn_time time);
    void found(const coordinator_answer& coordinator, exchange::turn_time time);
    void refuse(error reason, protocol::broker_error why);
    void doubt_unreachable(exchange::turn_time time);
    void plan_search(exchange::pending_wait& wait, exchange::turn_time time);
    exchange::outbound_request find_coordinator(protocol::broker_id broker, std::int16_t version,
                                                exchange::turn_time time);

    exchange::manager_context context_;
    exchange::broker_reach reach_;
    kernel::view<exchange::lifecycle_view> lifecycle_;
    kernel::versioned<exchange::coordinator_view> coordinator_;
    std::uint32_t needed_by_ = 0;  // one bit for each manager
    std::optional<search> search_;
    base::instant found_at_ = base::instant::min();
    exchange::request_backoff backoff_;
    // The coordinator found last could not be connected to.
    std::optional<protocol::broker_id> unreachable_;
    exchange::outbox outbox_;
};

}  // namespace strandline::core::group
