// Decides when to ask the cluster what it looks like, of whom and about which topics, and keeps what it heard as the cluster
// view. Also decides when discovery starts again from the bootstrap servers (KIP-899, KIP-1102).
#pragma once

#include <string>
#include <vector>

#include "core/boundary/command.hpp"
#include "core/exchange/cluster_view.hpp"
#include "core/exchange/connections_handle.hpp"
#include "core/exchange/fact.hpp"
#include "core/exchange/manager.hpp"
#include "core/exchange/output.hpp"
#include "core/kernel/view.hpp"

namespace strandline::core::cluster {

// In: on_…, on_time.  Out: plan, the cluster view; facts leadership_changed, topics_changed, rebootstrap_started.
class metadata_manager {
public:
    metadata_manager(const exchange::manager_context& context, kernel::view<exchange::connections_handle> connections);

    // Apply, every turn before other inputs: starts again from the bootstrap servers when that is due.
    void on_time(exchange::turn_time time);
    void on_command(const boundary::command::partitions_for& command, boundary::operation_token token,
                    base::instant deadline, exchange::turn_time time);
    void on_command(const boundary::command::list_topics& command, boundary::operation_token token,
                    base::instant deadline, exchange::turn_time time);
    void on_cancel(boundary::operation_token token, exchange::turn_time time);
    void on_response(const exchange::response& response, exchange::turn_time time);
    void on_fact(const exchange::topics_of_interest& fact, exchange::turn_time time);
    void on_fact(const exchange::metadata_stale& fact, exchange::turn_time time);
    void on_fact(const exchange::leader_hint& fact, exchange::turn_time time);
    void on_fact(const exchange::rebootstrap_wanted& fact, exchange::turn_time time);

    exchange::plan plan(exchange::turn_time time);

    const kernel::versioned<exchange::cluster_view>& view_source() const noexcept { return cluster_; }
    // Topics that are wanted by name and that the cluster does not have, in order.
    const std::vector<std::string>& unmatched_topics() const noexcept { return unmatched_; }

private:
    exchange::manager_context context_;
    kernel::view<exchange::connections_handle> connections_;
    kernel::versioned<exchange::cluster_view> cluster_;
    std::vector<std::string> unmatched_;
    exchange::outbox outbox_;
};

}  // namespace strandline::core::cluster
