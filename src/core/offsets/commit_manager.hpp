// Commits offsets of the group and looks up what was committed.
#pragma once

#include <optional>
#include <set>

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
#include "core/offsets/automatic_commit.hpp"
#include "core/offsets/closing_commits.hpp"
#include "core/offsets/commit_queue.hpp"
#include "core/offsets/committed_lookup.hpp"
#include "core/offsets/coordinator_link.hpp"
#include "core/offsets/offset_commit_query.hpp"

namespace strandline::core::offsets {

// In: commands commit and committed, the checkpoint, facts of the group and of positions.
// Out: OffsetCommit and OffsetFetch; facts committed_known, offsets_committed, revocation_committed, member_fenced.
//
// Completes commit with the offsets that were committed, committed with those found. A commit of several partitions of
// which some are refused fails with an error that names these; the others are committed.
//
// A commit keeps the offsets it captured when it was applied; the member's epoch is stamped at sending. One commit is
// in flight at a time, in the order in which they were asked for.
class commit_manager {
public:
    commit_manager(const exchange::manager_context& context, kernel::view<exchange::coordinator_view> coordinator,
                   kernel::view<exchange::connections_handle> connections, kernel::view<exchange::member_view> member,
                   kernel::view<exchange::subscription_state> subscription,
                   kernel::view<exchange::lifecycle_view> lifecycle, kernel::view<exchange::cluster_view> cluster);
    commit_manager(const commit_manager&) = delete;
    commit_manager& operator=(const commit_manager&) = delete;

    void on_command(const boundary::command::commit& command, boundary::operation_token token, base::instant deadline,
                    exchange::turn_time time);
    void on_command(const boundary::command::committed& command, boundary::operation_token token,
                    base::instant deadline, exchange::turn_time time);
    void on_cancel(boundary::operation_token token, exchange::turn_time time);
    void on_response(const exchange::response& response, exchange::turn_time time);

    void on_fact(const exchange::revocation_commit_wanted& fact, exchange::turn_time time);
    void on_fact(const exchange::committed_wanted& fact, exchange::turn_time time);
    void on_fact(const exchange::partitions_gone& fact, exchange::turn_time time);
    void on_fact(const exchange::offsets_left& fact, exchange::turn_time time);

    // Once at the end of each turn's inputs, before any plan: what came due, and what the views say by now. True:
    // something ended with it, so that what was answered last is void.
    bool on_turn(exchange::turn_time time);

    exchange::plan plan(exchange::turn_time time);

    // Whether a poll that tells of something processed should wake the reactor: a commit is due, and of nothing so far.
    bool progress_wanted() const noexcept { return progress_wanted_; }

private:
    struct commit_flight {
        exchange::request_id id;
        base::instant expires_at;
        coordinator_finding at;
        protocol::member_epoch epoch{-1};
        commit_items items;
    };
    using origin = pending_commit::origin;

    // ---- Apply
    void ask(pending_commit commit);
    void tell_need();
    void digest(const commit_flight& flight, const offset_commit_answer& answer, exchange::turn_time time);
    void tell_trouble(const commit_flight& flight, protocol::broker_error why);
    void tell_application(const pending_commit& commit, std::optional<protocol::broker_error> refusal);
    void try_again_or_fail(pending_commit& commit, protocol::broker_error why, exchange::turn_time time);

    // ---- the end of a commit
    bool finish_empty(bool applying);
    void fail_item(pending_commit& commit, const commit_item& item, error why);
    void fail_all(pending_commit& commit, const error& why);

    // ---- Plan
    void end_refused();
    void end_void_commits();
    void end_late_commits(exchange::turn_time time, exchange::pending_wait& wait);
    void commit_automatically(exchange::turn_time time, exchange::pending_wait& wait);
    void send_front(exchange::turn_time time, exchange::pending_wait& wait);
    bool is_of_deleted_topic(const commit_item& item) const;
    void drop_deleted_topics(pending_commit& commit);
    void begin_stage(exchange::turn_time time);
    void finish_stage();
    void close_stage_without_group();

    pending_commit made(origin from, commit_items items, base::instant deadline) const;
    bool belongs_to_member(const pending_commit& commit) const;

    exchange::manager_context context_;
    kernel::view<exchange::member_view> member_;
    kernel::view<exchange::subscription_state> subscription_;
    kernel::view<exchange::lifecycle_view> lifecycle_;
    kernel::view<exchange::cluster_view> cluster_;
    exchange::outbox outbox_;
    coordinator_link link_;
    committed_lookup lookup_;
    automatic_commit automatic_;
    commit_queue queue_;
    std::optional<commit_flight> flight_;
    std::set<protocol::broker_error> told_refusals_;  // of commits that nobody asked for, since one succeeded
    closing_commits closing_;
    bool coordinator_needed_ = false;
    bool progress_wanted_ = false;
};

}  // namespace strandline::core::offsets
