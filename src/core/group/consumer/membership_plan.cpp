// What a member puts out and waits for, the stages of close included. Nothing here emits facts.
#include <utility>

#include "core/exchange/wait_reason.hpp"
#include "core/group/consumer/membership.hpp"

namespace strandline::core::group::consumer {

namespace {

using boundary::command::leave_option;
using exchange::close_stage;
using exchange::wait_reason;
using enum member_state;

}  // namespace

exchange::plan membership::plan(exchange::turn_time time) {
    if (auto ready = outbox_.take()) return std::move(*ready);
    exchange::pending_wait wait;
    wait.inputs.add(lifecycle_.change());
    // A fact that came after the last input of this turn is followed up in the next one.
    if (is_unsettled_) wait.until(time.now, time.now + base::duration(1));
    plan_close(wait);
    if (leave_) {
        leave_->plan(context_, coordinator_, reach_, outbox_, wait, time.now);
        if (leave_->over()) end_leaving();
    }
    if (stage() == close_stage::leave && !leave_) finish_stage(close_stage::leave, undone_);
    if (may_join() && !closing()) begin_joining();
    if (is_member(state())) {
        reconciliation_.explain(wait, time.now);
        if (state() != preparing_to_leave) wait.until(time.now, liveness_.deadline());
        heartbeats_.plan(report(), state() == joining || state() == acknowledging, wait, time.now);
    }
    if (auto ready = outbox_.take()) return std::move(*ready);
    explain_idle(wait);
    return wait.answer();
}

void membership::plan_close(exchange::pending_wait& wait) {
    if (stage() == close_stage::callbacks) {
        if (is_member(state())) life_.transition_to(preparing_to_leave);
        if (!std::exchange(listener_called_to_stop_, true)) reconciliation_.call_listener_to_stop();
        if (reconciliation_.listener_gives_up()) {
            reconciliation_.explain_listener(wait);
        } else {
            finish_stage(close_stage::callbacks, {});
        }
    }
    if (stage() >= close_stage::leave && is_member(state())) {
        begin_leaving(departure::closed, lifecycle_.read().stage_deadline);
    }
    if (stage() == close_stage::leave && leave_) leave_->bring_forward(lifecycle_.read().stage_deadline);
}

void membership::finish_stage(close_stage finished, std::string undone) {
    if (finished_stage_ >= finished) return;
    finished_stage_ = finished;
    outbox_.add(exchange::stage_finished{.stage = finished, .undone = std::move(undone)});
}

// A member that is being closed may be told to stay; a static one then only steps aside, so that who comes with its
// instance id is let in at once and finds its partitions.
bool membership::stays_in_group(departure why) const {
    return why == departure::closed && lifecycle_.read().leave == leave_option::remain_in_group &&
           !context_.config.group_instance_id;
}

protocol::member_epoch membership::leave_epoch(departure why) const {
    const bool for_good = why == departure::closed && lifecycle_.read().leave == leave_option::leave_group;
    return context_.config.group_instance_id && !for_good ? heartbeat_composer::stepping_aside_epoch
                                                          : heartbeat_composer::leaving_epoch;
}

void membership::begin_leaving(departure why, base::instant deadline) {
    const bool goodbye = heartbeats_.begun_in_public() && !stays_in_group(why);
    // An answer that is still awaited says nothing that matters any more, so nothing waits for it either.
    heartbeats_.abandon();
    life_.transition_to(leaving);
    departure_ = why;
    rejoins_ = false;
    undone_.clear();
    publish(heartbeat_composer::leaving_epoch);
    if (goodbye) {
        leave_.emplace(heartbeats_.composer().compose_leave(member_id_, leave_epoch(why)), deadline);
    } else {
        end_leaving();
    }
}

void membership::end_leaving() {
    if (leave_) undone_ = leave_->undone();
    leave_.reset();
    life_.transition_to(departure_ == departure::stale ? stale : unsubscribed);
}

bool membership::waits_for_poll() const noexcept {
    if (poll_seen_) return false;
    return !subscription_.empty() && (state() == unsubscribed || state() == leaving || state() == stale);
}

void membership::explain_idle(exchange::pending_wait& wait) const {
    if (state() == fatal) wait.because_of(wait_reason::refused_for_good);
    if (subscription_.empty() || closing()) return;
    if (subscription_.needs_all_topics()) wait.inputs.add(cluster_.change());
    if (is_member(state()) || state() == leaving) return;
    if (waits_for_poll()) {
        wait.because_of(wait_reason::poll_to_join);
    } else if (reconciliation_.listener_hears_of_loss()) {
        reconciliation_.explain_listener(wait);
    } else {
        wait.because_of(wait_reason::topics_of_pattern);
    }
}

}  // namespace strandline::core::group::consumer
