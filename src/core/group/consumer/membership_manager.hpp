// Membership of a consumer group by the protocol of KIP-848: joins, heartbeats, reconciles what it is assigned, leaves.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/boundary/command.hpp"
#include "core/boundary/delivery.hpp"
#include "core/boundary/snapshot.hpp"
#include "core/exchange/cluster_view.hpp"
#include "core/exchange/connections_handle.hpp"
#include "core/exchange/fact.hpp"
#include "core/exchange/group_view.hpp"
#include "core/exchange/lifecycle_view.hpp"
#include "core/exchange/manager.hpp"
#include "core/exchange/output.hpp"
#include "core/kernel/view.hpp"
#include "core/kernel/walked_steps.hpp"

namespace strandline::core::group::consumer {

class membership;

// Time and other managers' views make it emit facts as well, so it has an input for them that is applied like any
// other: `on_turn`, once at the end of each turn's inputs and facts (what it emits is drained as well), before any
// plan.
//
// In: commands of subscription, the checkpoint, heartbeat answers, facts.  Out: heartbeats, callbacks wanted, facts,
// the member view.
class membership_manager {
public:
    membership_manager(const exchange::manager_context& context, kernel::view<exchange::coordinator_view> coordinator,
                       kernel::view<exchange::connections_handle> connections,
                       kernel::view<exchange::cluster_view> cluster, kernel::view<exchange::lifecycle_view> lifecycle);
    ~membership_manager();
    membership_manager(const membership_manager&) = delete;
    membership_manager& operator=(const membership_manager&) = delete;

    const kernel::versioned<exchange::member_view>& view_source() const noexcept;

    // Completes with done at once, or with invalid_argument if the pattern is none. Joins at the next poll.
    void on_command(const boundary::command::subscribe& command, boundary::operation_token token,
                    base::instant deadline, exchange::turn_time time);
    // Completes with done when the partitions are given up; the leave goes on by itself. While it lasts the application
    // must answer callbacks as in a poll.
    void on_command(const boundary::command::unsubscribe& command, boundary::operation_token token,
                    base::instant deadline, exchange::turn_time time);
    // Leaves an earlier subscription at once. Completed by whoever owns positions, who must hear of the command only
    // after the facts that come of it here: what the group assigned is gone by then.
    void on_command(const boundary::command::assign& command, boundary::operation_token token, base::instant deadline,
                    exchange::turn_time time);
    void on_command(const boundary::command::callback_finished& command, boundary::operation_token token,
                    base::instant deadline, exchange::turn_time time);
    void on_cancel(boundary::operation_token token, exchange::turn_time time);

    // At the start of each turn in which the application's checkpoint was read.
    void on_checkpoint(const boundary::checkpoint& checkpoint, exchange::turn_time time);
    void on_response(const exchange::response& response, exchange::turn_time time);

    void on_fact(const exchange::topics_changed& fact, exchange::turn_time time);
    void on_fact(const exchange::fences_met& fact, exchange::turn_time time);
    void on_fact(const exchange::revocation_committed& fact, exchange::turn_time time);
    void on_fact(const exchange::member_fenced& fact, exchange::turn_time time);

    // The last input of each turn: what came due, and what the views say by now.
    void on_turn(exchange::turn_time time);

    exchange::plan plan(exchange::turn_time time);

    // Whether a poll entry should wake the reactor: the member waits for one to join.
    bool checkpoint_wanted() const noexcept;

    // For the snapshot.
    std::string_view state_name() const noexcept;
    boundary::member_standing standing() const noexcept;
    // For whoever looks on.
    const kernel::walked_steps& walked() const noexcept;
    // The group has forgotten the member, and has not taken it back yet.
    bool rejoins() const noexcept;
    // It left, or is leaving, because the application did not poll.
    bool application_was_absent() const noexcept;
    const std::string& member_id() const noexcept;
    const std::vector<std::string>& subscribed_topics() const noexcept;
    const std::string& subscribed_pattern() const noexcept;
    // Subscribed, but not in the cluster as far as is known; a client-side pattern that matches nothing stands for
    // itself.
    const std::vector<std::string>& unmatched_topics() const;

private:
    std::unique_ptr<membership> membership_;
};

}  // namespace strandline::core::group::consumer
