// The member itself: its state, and what each input makes of it. The manager hands it everything it is given.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <strandline/error.hpp>

#include "core/boundary/command.hpp"
#include "core/boundary/delivery.hpp"
#include "core/exchange/broker_reach.hpp"
#include "core/exchange/cluster_view.hpp"
#include "core/exchange/connections_handle.hpp"
#include "core/exchange/fact.hpp"
#include "core/exchange/group_view.hpp"
#include "core/exchange/lifecycle_view.hpp"
#include "core/exchange/manager.hpp"
#include "core/exchange/output.hpp"
#include "core/group/consumer/heartbeat_sender.hpp"
#include "core/group/consumer/leave_attempt.hpp"
#include "core/group/consumer/member_state.hpp"
#include "core/group/consumer/membership_needs.hpp"
#include "core/group/consumer/poll_liveness.hpp"
#include "core/group/consumer/reconciliation.hpp"
#include "core/group/consumer/topic_subscription.hpp"
#include "core/kernel/view.hpp"

namespace strandline::core::group::consumer {

class membership {
public:
    membership(const exchange::manager_context& context, kernel::view<exchange::coordinator_view> coordinator,
               kernel::view<exchange::connections_handle> connections, kernel::view<exchange::cluster_view> cluster,
               kernel::view<exchange::lifecycle_view> lifecycle);

    // ---- Apply. Each input is followed up at once, so that none leaves anything half done; what a fact says is
    // followed up by on_turn, or the facts of one revocation would lead to those of the next.
    void subscribe(const boundary::command::subscribe& command, boundary::operation_token token, base::instant deadline,
                   exchange::turn_time time);
    void unsubscribe(boundary::operation_token token, base::instant deadline, exchange::turn_time time);
    void yield_to_assignment_by_hand(exchange::turn_time time);
    void on_callback_finished(const boundary::command::callback_finished& command, exchange::turn_time time);
    void on_cancel(boundary::operation_token token);
    void on_checkpoint(const boundary::checkpoint& checkpoint, exchange::turn_time time);
    void on_response(const exchange::response& response, exchange::turn_time time);
    void on_topics_changed();
    void on_fences_met(std::uint64_t ticket);
    void on_revocation_committed(std::uint64_t ticket);
    void on_member_fenced(protocol::member_epoch seen, exchange::turn_time time);
    // The last input of a turn: what came due.
    void on_turn(exchange::turn_time time);

    // ---- Plan
    exchange::plan plan(exchange::turn_time time);

    const kernel::versioned<exchange::member_view>& view() const noexcept { return member_; }
    member_state state() const noexcept { return life_.state(); }
    const kernel::walked_steps& walked() const noexcept { return life_.walked(); }
    const std::string& member_id() const noexcept { return member_id_; }
    const topic_subscription& subscription() const noexcept { return subscription_; }
    const std::vector<std::string>& unmatched_topics();
    bool waits_for_poll() const noexcept;
    bool rejoins() const noexcept { return rejoins_; }
    bool application_was_absent() const noexcept {
        return state() == member_state::stale || (state() == member_state::leaving && departure_ == departure::stale);
    }

private:
    // What leaving ends in.
    enum class departure : std::uint8_t { unsubscribed, closed, stale };

    struct interest_versions {
        std::uint64_t subscription = 0;
        std::uint64_t unnamed = 0;
    };
    struct unmatched_state {
        std::uint64_t subscription = 0;
        std::uint64_t cluster = 0;
        friend bool operator==(const unmatched_state&, const unmatched_state&) = default;
    };

    // What follows from the input and from views.
    void settle(exchange::turn_time time);
    exchange::close_stage stage() const { return lifecycle_.read().stage; }
    bool closing() const { return stage() != exchange::close_stage::open; }
    member_report report() const;
    void publish(protocol::member_epoch epoch);
    void complete(boundary::operation_token token, std::optional<error> failure = {});
    void complete_unsubscribes();

    bool may_join() const noexcept;
    void begin_joining();
    void on_answer(const protocol::messages::consumer_group_heartbeat_response& answer, base::instant now);
    void look_at_nothing(bool joined, base::instant now);
    void tell_trouble(error trouble, base::instant now);
    void rejoin(exchange::failure_cause why, base::instant now);
    void give_up(error reason);
    void fail(error reason, exchange::failure_cause cause = {});
    void follow_reconciliation();
    void speak_of_subscription();

    void notice_close();
    void notice_refusal();
    void notice_incapable_broker();
    void notice_absent_application(base::instant now);
    void finish_release(base::instant now);

    void begin_leaving(departure why, base::instant deadline);
    void end_leaving();
    protocol::member_epoch leave_epoch(departure why) const;
    bool stays_in_group(departure why) const;
    void plan_close(exchange::pending_wait& wait);
    void finish_stage(exchange::close_stage stage, std::string undone);
    void explain_idle(exchange::pending_wait& wait) const;

    exchange::manager_context context_;
    kernel::view<exchange::coordinator_view> coordinator_;
    kernel::view<exchange::cluster_view> cluster_;
    kernel::view<exchange::lifecycle_view> lifecycle_;
    exchange::broker_reach reach_;
    exchange::outbox outbox_;
    membership_needs needs_;

    kernel::versioned<exchange::member_view> member_;
    member_life life_;
    std::string member_id_;
    bool id_confirmed_ = false;
    bool rejoins_ = false;
    bool is_unsettled_ = false;  // a fact came that was not followed up yet
    std::optional<error> fatal_;
    topic_subscription subscription_;  // the application's
    topic_subscription spoken_;        // what the group is told: follows, except while the member prepares to leave
    bool subscription_is_news_ = false;
    std::uint64_t subscription_version_ = 1;
    interest_versions interest_told_for_;
    std::vector<std::string> unmatched_;
    unmatched_state unmatched_of_;
    poll_liveness liveness_;
    bool poll_seen_ = false;  // since a poll was wanted: by subscribe, or by having become stale
    base::instant poll_counts_from_;
    reconciliation reconciliation_;
    heartbeat_sender heartbeats_;
    std::optional<base::instant> trouble_told_at_;
    bool first_assignment_seen_ = false;  // of this membership
    base::instant nothing_counts_from_;

    std::vector<boundary::operation_token> unsubscribes_;
    std::optional<leave_attempt> leave_;
    departure departure_ = departure::unsubscribed;
    std::string undone_;  // of the last leave
    exchange::close_stage finished_stage_ = exchange::close_stage::open;
    bool listener_called_to_stop_ = false;
};

}  // namespace strandline::core::group::consumer
