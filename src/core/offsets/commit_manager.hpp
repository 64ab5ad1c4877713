// Commits offsets of the group and looks up what was committed.
#pragma once

#include <memory>

#include "core/boundary/command.hpp"
#include "core/boundary/delivery.hpp"
#include "core/exchange/cluster_view.hpp"
#include "core/exchange/connections_handle.hpp"
#include "core/exchange/fact.hpp"
#include "core/exchange/group_view.hpp"
#include "core/exchange/lifecycle_view.hpp"
#include "core/exchange/manager.hpp"
#include "core/exchange/output.hpp"
#include "core/exchange/subscription_state.hpp"
#include "core/kernel/view.hpp"

namespace strandline::core::offsets {

// In: commands commit and committed, the checkpoint, facts of the group and of positions.
// Out: OffsetCommit and OffsetFetch; facts committed_known, offsets_committed, revocation_committed, member_fenced.
//
// A commit keeps the offsets it captured when it was applied; the member's epoch is stamped at sending. One commit is
// in flight at a time, in the order in which they were asked for.
class commit_manager {
public:
    commit_manager(const exchange::manager_context& context, kernel::view<exchange::coordinator_view> coordinator,
                   kernel::view<exchange::connections_handle> connections, kernel::view<exchange::member_view> member,
                   kernel::view<exchange::subscription_state> subscription,
                   kernel::view<exchange::lifecycle_view> lifecycle, kernel::view<exchange::cluster_view> cluster);
    ~commit_manager();
    commit_manager(const commit_manager&) = delete;
    commit_manager& operator=(const commit_manager&) = delete;

    void on_command(const boundary::command::commit& command, boundary::operation_token token, base::instant deadline,
                    exchange::turn_time time);
    void on_command(const boundary::command::committed& command, boundary::operation_token token,
                    base::instant deadline, exchange::turn_time time);
    void on_cancel(boundary::operation_token token, exchange::turn_time time);
    // The position manager has applied it already.
    void on_checkpoint(const boundary::checkpoint& checkpoint, exchange::turn_time time);
    void on_response(const exchange::response& response, exchange::turn_time time);

    void on_fact(const exchange::revocation_commit_wanted& fact, exchange::turn_time time);
    void on_fact(const exchange::committed_wanted& fact, exchange::turn_time time);
    void on_fact(const exchange::partitions_gone& fact, exchange::turn_time time);
    void on_fact(const exchange::offsets_left& fact, exchange::turn_time time);

    exchange::plan plan(exchange::turn_time time);

    // Whether a poll entry should wake the reactor: a commit is due and nothing new was known to be processed.
    bool checkpoint_wanted() const noexcept;

private:
    class machinery;
    std::unique_ptr<machinery> machinery_;
};

}  // namespace strandline::core::offsets
