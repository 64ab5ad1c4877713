#include "core/group/consumer/membership.hpp"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <utility>

#include "core/exchange/wait_reason.hpp"

namespace strandline::core::group::consumer {

namespace {

using exchange::close_stage;
using exchange::connection_role;
using exchange::turn_time;
using enum member_state;

constexpr protocol::member_epoch no_epoch{-1};
// A coordinator that has just assigned does so again only after its assignment interval, a second unless configured
// otherwise (KIP-1263); who joins meanwhile has nothing yet. Asking then is quicker than waiting for the next
// heartbeat.
constexpr base::duration assignment_interval = std::chrono::milliseconds(1200);

error unsupported(std::string what) {
    return {errc::unsupported_version, std::move(what), {}, {.retriable = false, .fatal = true}};
}

}  // namespace

membership::membership(const exchange::manager_context& context, kernel::view<exchange::coordinator_view> coordinator,
                       kernel::view<exchange::connections_handle> connections,
                       kernel::view<exchange::cluster_view> cluster, kernel::view<exchange::lifecycle_view> lifecycle)
    : context_(context),
      coordinator_(coordinator),
      cluster_(cluster),
      lifecycle_(lifecycle),
      reach_(connections),
      needs_(context),
      member_(exchange::view::member, context.views),
      member_id_(base::uuid::random(context.random).to_string()),
      liveness_(context.config.max_poll_interval),
      reconciliation_(context, cluster, outbox_),
      heartbeats_(context, coordinator, reach_, outbox_) {}

// ---- what the application asks

void membership::subscribe(const boundary::command::subscribe& command, boundary::operation_token token,
                           base::instant deadline, turn_time time) {
    if (command.topics.empty() && command.broker_pattern.empty() && command.client_pattern.empty()) {
        return unsubscribe(token, deadline, time);
    }
    assert(context_.config.group_id);  // the client has looked
    if (fatal_) return complete(token, fatal_);
    if (closing()) return complete(token, error(errc::consumer_closed, "the consumer is being closed"));
    auto wanted = topic_subscription::make(command, cluster_.read());
    if (!wanted) return complete(token, std::move(wanted.error()));
    subscription_ = std::move(*wanted);
    ++subscription_version_;
    subscription_is_news_ = true;
    reconciliation_.set_listener(subscription_.has_listener());
    poll_seen_ = false;
    poll_counts_from_ = time.now;
    context_.facts.emit(exchange::subscription_replaced{.by_hand = false});
    complete(token);
    settle(time);
}

void membership::unsubscribe(boundary::operation_token token, base::instant deadline, turn_time time) {
    subscription_ = {};
    ++subscription_version_;
    context_.facts.emit(exchange::subscription_replaced{.by_hand = false});
    unsubscribes_.push_back(token);
    if (is_member(state()) && state() != preparing_to_leave) {
        life_.transition_to(preparing_to_leave);
        const auto budget = base::saturating_add(time.now, context_.config.max_poll_interval);
        reconciliation_.release(std::min(deadline, budget));
    } else if (state() != preparing_to_leave) {
        if (state() == stale) life_.transition_to(unsubscribed);
        complete_unsubscribes();
    }
    settle(time);
}

void membership::yield_to_assignment_by_hand(turn_time time) {
    subscription_ = {};
    ++subscription_version_;
    if (is_member(state())) {
        life_.transition_to(preparing_to_leave);
        reconciliation_.release_at_once(base::saturating_add(time.now, context_.config.request_timeout));
    } else if (state() == stale) {
        life_.transition_to(unsubscribed);
    }
    context_.facts.emit(exchange::subscription_replaced{.by_hand = true});
    settle(time);
}

void membership::on_callback_finished(const boundary::command::callback_finished& command, turn_time time) {
    reconciliation_.on_callback_answered(command.id);
    settle(time);
}

void membership::on_cancel(boundary::operation_token token) {
    if (std::erase(unsubscribes_, token) == 0) return;
    complete(token, error(errc::timed_out, "unsubscribe was waiting for the rebalance listener or a commit"));
}

void membership::on_checkpoint(const boundary::checkpoint& checkpoint, turn_time time) {
    liveness_.on_checkpoint(checkpoint);
    const bool polled = checkpoint.last_poll && *checkpoint.last_poll >= poll_counts_from_;
    poll_seen_ = poll_seen_ || checkpoint.inside_poll || polled;
    settle(time);
}

void membership::complete(boundary::operation_token token, std::optional<error> failure) {
    if (failure) {
        outbox_.add(boundary::completion{token, tl::unexpected(std::move(*failure))});
    } else {
        outbox_.add(boundary::completion{token, boundary::operation_value(boundary::done{})});
    }
}

void membership::complete_unsubscribes() {
    for (const auto token : std::exchange(unsubscribes_, {})) complete(token);
}

// ---- what brokers and other managers say

void membership::on_response(const exchange::response& response, turn_time time) {
    if (leave_ && leave_->on_response(response)) {
        if (leave_->is_answer_unreadable()) {
            context_.facts.emit(exchange::answer_unreadable::of(response, "the answer to a leave cannot be read"));
        }
        end_leaving();
    } else if (auto outcome = heartbeats_.on_response(response, time.now)) {
        using kind = heartbeat_outcome::kind;
        switch (outcome->what) {
            case kind::retry: break;
            case kind::answered: on_answer(outcome->answer, time.now); break;
            case kind::rejoin: rejoin(outcome->why, time.now); break;
            case kind::report: tell_trouble(std::move(*outcome->reason), time.now); break;
            case kind::give_up: fail(std::move(*outcome->reason), outcome->why); break;
        }
    }
    settle(time);
}

void membership::on_answer(const protocol::messages::consumer_group_heartbeat_response& answer, base::instant now) {
    if (answer.member_id && !answer.member_id->empty()) member_id_ = *answer.member_id;
    id_confirmed_ = true;
    trouble_told_at_.reset();
    if (answer.member_epoch <= heartbeat_composer::joining_epoch) return;
    rejoins_ = false;
    const bool joined = member_.get().epoch == heartbeat_composer::joining_epoch;
    if (joined) ++member_.change().incarnation;
    publish(answer.member_epoch);
    if (answer.assignment && state() != preparing_to_leave) {
        reconciliation_.take_target(assignment_of(answer.assignment->topic_partitions));
        first_assignment_seen_ = first_assignment_seen_ || !answer.assignment->topic_partitions.empty();
    }
    if (!first_assignment_seen_) look_at_nothing(joined, now);
}

// What a joining member is told may be what was decided without it. It is believed if it is told still when there was
// time to decide.
void membership::look_at_nothing(bool joined, base::instant now) {
    if (joined) nothing_counts_from_ = base::saturating_add(now, assignment_interval);
    if (now < nothing_counts_from_) return heartbeats_.hurry(nothing_counts_from_);
    first_assignment_seen_ = true;
    if (state() != preparing_to_leave) reconciliation_.tell_of_nothing();
}

// An error that comes again with each heartbeat is told once for each poll that might hear it.
void membership::tell_trouble(error trouble, base::instant now) {
    if (trouble_told_at_ && liveness_.alive_at() < *trouble_told_at_) return;
    trouble_told_at_ = now;
    outbox_.add(boundary::notice(boundary::error_raised{std::move(trouble)}));
}

void membership::on_topics_changed() {
    reconciliation_.on_names_changed();
    is_unsettled_ = true;
}

void membership::on_fences_met(std::uint64_t ticket) {
    reconciliation_.on_fences_met(ticket);
    is_unsettled_ = true;
}

void membership::on_revocation_committed(std::uint64_t ticket) {
    reconciliation_.on_committed(ticket);
    is_unsettled_ = true;
}

void membership::on_member_fenced(protocol::member_epoch seen, turn_time time) {
    if (member_.get().in_group && member_.get().epoch == seen && is_member(state())) {
        rejoin(protocol::broker_error::fenced_member_epoch, time.now);
    }
    is_unsettled_ = true;
}

const std::vector<std::string>& membership::unmatched_topics() {
    const unmatched_state now{subscription_version_, cluster_.version()};
    if (unmatched_of_ != now) {
        unmatched_of_ = now;
        unmatched_ = subscription_.unmatched(cluster_.read());
    }
    return unmatched_;
}

// ---- states

member_report membership::report() const {
    return {.member_id = member_id_,
            .id_confirmed = id_confirmed_,
            .epoch = member_.get().epoch,
            .topics = spoken_.topics(),
            .broker_pattern = spoken_.broker_pattern(),
            .owned = reconciliation_.owned(),
            .owned_version = reconciliation_.owned_version()};
}

void membership::publish(protocol::member_epoch epoch) {
    const auto& shown = member_.get();
    if (shown.epoch == epoch && shown.member_id == member_id_) return;
    auto& next = member_.change();
    next.epoch = epoch;
    next.in_group = epoch > heartbeat_composer::joining_epoch;
    next.member_id = member_id_;
}

bool membership::may_join() const noexcept {
    if (subscription_.empty() || !poll_seen_ || !subscription_.resolved()) return false;
    // The listener hears of the loss before anything new: whoever is stale waits for the application in any case.
    return state() == unsubscribed || (state() == stale && !reconciliation_.listener_hears_of_loss());
}

void membership::begin_joining() {
    life_.transition_to(joining);
    first_assignment_seen_ = false;
    spoken_ = subscription_;
    subscription_is_news_ = false;
    heartbeats_.begin();
    publish(heartbeat_composer::joining_epoch);
}

void membership::rejoin(exchange::failure_cause why, base::instant now) {
    const bool while_joining = state() == joining;
    const bool may_return = state() != preparing_to_leave && !closing();
    life_.transition_to(fenced);
    heartbeats_.abandon();
    reconciliation_.lose_all();
    publish(heartbeat_composer::joining_epoch);
    if (!may_return) {
        life_.transition_to(unsubscribed);
        publish(no_epoch);
        return complete_unsubscribes();
    }
    // Who is turned away at the door does not run against it.
    rejoins_ = true;
    if (while_joining) heartbeats_.back_off(now, why);
    begin_joining();
}

void membership::give_up(error reason) {
    life_.transition_to(fatal);
    rejoins_ = false;
    heartbeats_.abandon();
    reconciliation_.lose_all();
    fatal_ = std::move(reason);
    publish(no_epoch);
    member_.change().fatal = true;
    complete_unsubscribes();
}

void membership::fail(error reason, exchange::failure_cause cause) {
    if (!is_member(state())) return;
    give_up(reason);
    context_.facts.emit(exchange::fatal_error{std::move(reason), cause});
}

// Which of its states a member of the group is in follows from what it owns, and from what the group knows of that.
void membership::follow_reconciliation() {
    if (!is_member(state()) || state() == preparing_to_leave || !member_.get().in_group) return;
    auto next = reconciliation_.revoking() || !reconciliation_.unnamed().empty() ? reconciling : stable;
    if (!reconciliation_.revoking() && heartbeats_.owned_is_news(report())) next = acknowledging;
    if (next == acknowledging && state() != acknowledging) life_.transition_to(reconciling);
    life_.transition_to(next);
}

void membership::speak_of_subscription() {
    if (subscription_.look_at(cluster_.read(), context_.config.exclude_internal_topics)) {
        subscription_is_news_ = true;
        ++subscription_version_;
    }
    if (!subscription_is_news_ || subscription_.empty() || !subscription_.resolved()) return;
    if (!is_member(state()) || state() == preparing_to_leave) return;
    spoken_ = subscription_;
    subscription_is_news_ = false;
}

void membership::on_turn(turn_time time) {
    liveness_.on_turn(time.now);
    // Not before the last input: it may be the poll that was missing.
    notice_absent_application(time.now);
    settle(time);
}

void membership::settle(turn_time time) {
    is_unsettled_ = false;
    notice_close();
    notice_refusal();
    reconciliation_.advance(time.now);
    finish_release(time.now);
    speak_of_subscription();
    notice_incapable_broker();
    follow_reconciliation();
    if (may_join() && !closing()) begin_joining();
    needs_.coordinator(is_member(state()) || (leave_ && !leave_->is_sent()));
    if (subscription_version_ == interest_told_for_.subscription &&
        reconciliation_.unnamed_version() == interest_told_for_.unnamed) {
        return;
    }
    interest_told_for_ = {subscription_version_, reconciliation_.unnamed_version()};
    needs_.topics(subscription_, reconciliation_.unnamed());
}

void membership::notice_close() {
    if (!closing()) return;
    reconciliation_.stop();
    complete_unsubscribes();
    if (stage() >= close_stage::leave && !is_member(state())) reconciliation_.give_up_stopped();
}

void membership::notice_refusal() {
    // Whoever was refused has said so already.
    if (const auto& refusal = coordinator_.read().refusal; refusal && is_member(state())) give_up(*refusal);
}

// Known only once a broker has said what it speaks.
void membership::notice_incapable_broker() {
    if (!is_member(state()) || (state() != joining && spoken_.broker_pattern().empty())) return;
    const auto& coordinator = coordinator_.read();
    if (!coordinator.known() || !reach_.connections().of(coordinator.broker, connection_role::group).ready()) return;
    const auto version = reach_.connections().usable_version(coordinator.broker, heartbeat_composer::request::key);
    std::optional<error> reason;
    if (!version) {
        reason =
            unsupported("the brokers do not offer the consumer group protocol of KIP-848; it needs Kafka 4.0 or newer");
    } else if (*version < heartbeat_composer::first_version_with_pattern && !spoken_.broker_pattern().empty()) {
        reason =
            unsupported("the brokers do not evaluate patterns of topics yet; use a pattern that the client evaluates");
    }
    if (reason) fail(std::move(*reason));
}

void membership::notice_absent_application(base::instant now) {
    if (!is_member(state()) || state() == preparing_to_leave || closing() || !liveness_.expired(now)) return;
    reconciliation_.lose_all();
    outbox_.add(boundary::notice(boundary::error_raised{
        error(errc::max_poll_exceeded,
              "max.poll.interval.ms passed without a poll: the member left the group and lost its partitions; it joins "
              "again with the next poll. Process fewer records between polls, or raise the interval",
              {}, {.retriable = true})}));
    poll_seen_ = false;
    poll_counts_from_ = now;
    begin_leaving(departure::stale, base::saturating_add(now, context_.config.request_timeout));
}

void membership::finish_release(base::instant now) {
    if (state() != preparing_to_leave || closing()) return;
    if (reconciliation_.revoking() || !reconciliation_.owned().empty()) return;
    complete_unsubscribes();
    begin_leaving(departure::unsubscribed, base::saturating_add(now, context_.config.request_timeout));
}

}  // namespace strandline::core::group::consumer
