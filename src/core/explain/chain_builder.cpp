#include "core/explain/chain_builder.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "core/boundary/call_names.hpp"
#include "core/exchange/failure_cause.hpp"
#include "core/exchange/manager.hpp"
#include "core/exchange/wait_reason.hpp"
#include "core/explain/network_search.hpp"
#include "core/explain/wait_words.hpp"
#include "core/lifecycle/close_plan.hpp"

namespace strandline::core::explain {

namespace manager_of = exchange::manager;
using exchange::connection_role;
using exchange::wait_reason;
using protocol::broker_error;

namespace {

// An answer that comes at once in a healthy cluster.
constexpr base::duration suspicious = std::chrono::seconds(1);

std::chrono::milliseconds in_ms(base::duration time) {
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::max(time, base::duration::zero()));
}

// These say no more than that something is on its way.
bool is_weak(wait_cause cause) noexcept {
    return cause == wait_cause::other || cause == wait_cause::answer_awaited || cause == wait_cause::retrying;
}

wait_cause cause_of(broker_error refused) noexcept {
    switch (refused) {
        case broker_error::coordinator_not_available:
        case broker_error::coordinator_load_in_progress:
        case broker_error::not_coordinator: return wait_cause::coordinator_unavailable;
        case broker_error::topic_authorization_failed:
        case broker_error::group_authorization_failed: return wait_cause::not_authorized;
        case broker_error::fenced_member_epoch:
        case broker_error::unknown_member_id: return wait_cause::rejoining;
        case broker_error::throttling_quota_exceeded: return wait_cause::throttled;
        default: return wait_cause::retrying;
    }
}

wait_cause cause_of(const error& failure) noexcept {
    if (failure == errc::name_not_resolved) return wait_cause::name_not_resolved;
    if (failure == errc::not_kafka || failure == errc::tls_expected) return wait_cause::wrong_protocol;
    return wait_cause::broker_unreachable;
}

}  // namespace

void chain_builder::blame(wait_cause cause, std::string headline) {
    if (is_weak(cause) && !is_weak(made_.cause)) return;
    if (cause == wait_cause::answer_awaited && made_.cause == wait_cause::retrying) return;
    made_.cause = cause;
    headline_ = std::move(headline);
}

std::optional<std::chrono::milliseconds> chain_builder::age(base::instant since) const {
    if (since == base::instant()) return std::nullopt;
    return in_ms(at_->now - since);
}

std::optional<std::chrono::milliseconds> chain_builder::left(base::instant until) const {
    if (until == base::never || until == base::instant::min()) return std::nullopt;
    return in_ms(until - at_->now);
}

// ---- steps

void chain_builder::poll(const std::string& what) {
    const auto& call = at_->application.call;
    const auto quiet = at_->now - at_->published.records_at;
    const auto last = at_->published.records_at == base::instant() ? std::string() : "none for " + seconds(quiet);
    explanation_step made{.who = "poll", .text = {}, .ends_with = "records", .age = {}, .ends_in = {}};
    if (call && call->name == boundary::call_name::poll) {
        const auto waited = at_->now - call->since;
        made.age = in_ms(waited);
        made.text = fmt::format("poll waits {} for {}", seconds(waited), what);
        if (!last.empty() && quiet > waited + suspicious) made.text += ", " + last;
    } else {
        made.text = fmt::format("nobody is inside poll; the next one will wait for {}", what);
        if (!last.empty()) made.text += ", " + last;
    }
    step(std::move(made));
}

void chain_builder::application(std::string text, std::string ends_with, std::optional<base::instant> since) {
    step({.who = "application",
          .text = std::move(text),
          .ends_with = std::move(ends_with),
          .age = since ? age(*since) : std::nullopt,
          .ends_in = {}});
}

void chain_builder::manager(kernel::manager_index which, std::string text) {
    const auto* const wait = at_->wait_of(which);
    const auto waited = wait ? age(wait->since) : std::nullopt;
    step({.who = std::string(manager_name(which)),
          .text = fmt::format("{} {}", manager_name(which), text),
          .ends_with = {},
          .age = waited,
          .ends_in = {}});
}

void chain_builder::request(std::uint64_t id) {
    if (const auto found = find_request(*at_->published.network, id)) request(*found);
}

void chain_builder::request(const found_request& found) {
    const auto& one = *found.request;
    const auto waited = at_->now - one.sent_at;
    const auto who = fmt::format("{} request {} to {}", protocol::name(one.api), one.id,
                                 broker_name(found.at->broker, *at_->published.network));
    step({.who = who,
          .text =
              fmt::format("{}, sent {} ago, expires in {}", who, seconds(waited), seconds(one.expires_at - at_->now)),
          .ends_with = "its answer, or its expiry",
          .age = in_ms(waited),
          .ends_in = left(one.expires_at)});
    const auto usual = one.api == protocol::api_key::fetch ? at_->application.fetch_max_wait : base::duration::zero();
    if (waited > usual + suspicious) {
        blame(wait_cause::broker_silent, fmt::format("{} has not answered {} request {} for {}",
                                                     broker_name(found.at->broker, *at_->published.network),
                                                     protocol::name(one.api), one.id, seconds(waited)));
    } else {
        blame(wait_cause::answer_awaited, fmt::format("{} was sent {} ago", who, seconds(waited)));
    }
}

void chain_builder::broker(protocol::broker_id which, connection_role role) {
    const auto& network = *at_->published.network;
    const auto name = broker_name(which, network);
    const auto* const known = find_broker(network, which);
    explanation_step made{.who = name, .text = {}, .ends_with = {}, .age = {}, .ends_in = {}};
    const auto* const connection = known ? &known->connections[static_cast<std::size_t>(role)] : nullptr;
    if (connection && connection->ready) {
        if (connection->throttled_until <= at_->now) return;
        made.text = fmt::format("{} asked to be left alone for {} more: a quota is used up", name,
                                seconds(connection->throttled_until - at_->now));
        made.ends_with = "the time that the broker set";
        made.ends_in = left(connection->throttled_until);
        blame(wait_cause::throttled, made.text);
    } else if (connection && connection->wanted && (!known->failure || known->backs_off_until <= at_->now)) {
        made.text = fmt::format("{} is being connected to: {}", name, connection->phase);
        if (connection->gives_up_at != base::never) {
            made.text += fmt::format(", for {}, at most {} more", seconds(at_->now - connection->since),
                                     seconds(connection->gives_up_at - at_->now));
            made.age = age(connection->since);
            made.ends_in = left(connection->gives_up_at);
        }
        made.ends_with = "a connection, or its failure";
        if (known->failure) {
            made.text += "; the last attempt failed: " + known->failure->message();
            because_of(*known->failure);
            blame(cause_of(*known->failure), made.text);
        } else {
            blame(wait_cause::connecting, made.text);
        }
    } else if (known && (known->failure || known->backs_off_until > at_->now)) {
        const auto until = std::max(known->backs_off_until, network.next_attempt_at);
        const auto why = known->failure ? known->failure->message() : name + ": the connection failed";
        made.text = until > at_->now
                        ? fmt::format("{} is backing off, tried again in {}: {}", name, seconds(until - at_->now), why)
                        : fmt::format("{} is about to be tried again: {}", name, why);
        made.ends_with = "the next attempt to connect";
        made.ends_in = left(until);
        if (known->failure) because_of(*known->failure);
        blame(known->failure ? cause_of(*known->failure) : wait_cause::broker_unreachable, made.text);
    } else {
        made.text = fmt::format("{} is to be connected to", name);
        made.ends_with = "a connection, or its failure";
        blame(wait_cause::connecting, made.text);
    }
    step(std::move(made));
}

// The one whose failure says most: in the order in which they are configured, one that has failed before one that has
// not.
void chain_builder::any_broker() {
    const auto& network = *at_->published.network;
    const boundary::broker_snapshot* worst = nullptr;
    const auto consider = [&](const boundary::broker_snapshot& one) {
        const bool is_way = one.failure || one.connections[static_cast<std::size_t>(connection_role::control)].wanted;
        if (is_way && (!worst || (one.failure && !worst->failure))) worst = &one;
    };
    const auto first_known = std::find_if(network.brokers.begin(), network.brokers.end(),
                                          [](const auto& one) { return !one->is_bootstrap; });
    for (auto it = first_known; it != network.brokers.end(); ++it) consider(**it);
    if (!worst) {
        for (auto it = first_known; it != network.brokers.begin();) consider(**--it);
    }
    if (worst) return broker(worst->broker, connection_role::control);
    blame(wait_cause::connecting, "no broker has been connected to yet");
}

// ---- from manager to manager

void chain_builder::follow(kernel::manager_index which) {
    const auto bit = std::uint32_t{1} << which;
    const auto* const wait = at_->wait_of(which);
    if ((followed_ & bit) != 0 || !wait) return;
    followed_ |= bit;
    if (static_cast<wait_reason>(wait->why.code) == wait_reason::nothing_to_do) return;
    follow_reason(which, *wait);
}

void chain_builder::backoff(const kernel::waiting& wait) {
    const auto failure = exchange::failure_cause::from_subject(wait.why.subject);
    const auto until = wait.inputs.wake_at();
    auto& last = made_.steps.back();
    last.ends_with = "the end of the back-off";
    last.ends_in = left(until);
    if (last.ends_in) last.text += fmt::format(", in {}", seconds(until - at_->now));
    if (const auto refused = failure.answered()) {
        because_of(error(std::error_code(static_cast<int>(*refused), kafka_category()), exchange::to_string(failure),
                         {}, {.retriable = true}));
        blame(cause_of(*refused),
              fmt::format("{}: tried again in {}", exchange::to_string(failure), seconds(until - at_->now)));
    } else {
        blame(wait_cause::retrying, last.text);
    }
}

void chain_builder::follow_reason(kernel::manager_index which, const kernel::waiting& wait) {
    const auto why = static_cast<wait_reason>(wait.why.code);
    const auto subject = protocol::broker_id(static_cast<std::int32_t>(static_cast<std::int64_t>(wait.why.subject)));
    const bool in_group = which == manager_of::membership || which == manager_of::commit;
    const auto role = which == manager_of::fetch ? connection_role::fetch
                      : in_group                 ? connection_role::group
                                                 : connection_role::control;
    if (why == wait_reason::closing) {
        const auto& steps = lifecycle::close_steps;
        const auto& stage = steps[std::min<std::size_t>(wait.why.subject, steps.size() - 1)];
        manager(which, fmt::format("is at the stage: {}", stage.what));
        made_.steps.back().ends_in = left(wait.inputs.wake_at());
        blame(wait_cause::closing, fmt::format("the consumer is closing: {}", stage.what));
        return follow(stage.finished_by);
    }
    manager(which, wait_words(wait.why));
    switch (why) {
        case wait_reason::broker_connecting:
        case wait_reason::broker_backing_off:
        case wait_reason::throttled: return broker(subject, role);
        case wait_reason::no_broker_reachable: return any_broker();
        case wait_reason::coordinator_unreachable:
            blame(wait_cause::coordinator_unavailable, "the group's coordinator cannot be reached");
            return broker(subject, connection_role::group);
        case wait_reason::coordinator_search:
            blame(wait_cause::coordinator_unknown, "the group's coordinator is being looked for");
            return request(wait.why.subject);
        case wait_reason::response:
        case wait_reason::leave_answer: return request(wait.why.subject);
        case wait_reason::backoff: return backoff(wait);
        case wait_reason::coordinator_unknown:
            blame(wait_cause::coordinator_unknown, "the group's coordinator is not known");
            return follow(manager_of::coordinator);
        case wait_reason::topics_of_pattern: return follow(manager_of::metadata);
        case wait_reason::topic_names:
            blame(wait_cause::topic_id_unknown, "the group assigned a topic whose name is not known yet");
            return follow(manager_of::metadata);
        case wait_reason::leader_unknown:
            blame(wait_cause::leader_unknown, "a partition has no known leader");
            return follow(manager_of::metadata);
        case wait_reason::committed_unknown: return follow(manager_of::commit);
        case wait_reason::newer_epoch: return follow(manager_of::membership);
        case wait_reason::commit_of_revocation:
            blame(wait_cause::commit_awaited, "partitions that are to be given up are being committed");
            return follow(manager_of::commit);
        case wait_reason::fences_of_revocation:
            blame(wait_cause::checkpoint_awaited,
                  "partitions are to be given up, but records of them are handed out until the next poll");
            return application("the application works on them", "the next poll, or max.poll.interval.ms");
        case wait_reason::listener:
            blame(wait_cause::poll_awaited, "the rebalance listener is to run, inside the next poll");
            return application("the application has to poll", "the next poll");
        case wait_reason::poll_to_join:
            blame(wait_cause::poll_awaited, "the member joins with the next poll");
            return application("the application has to poll", "the next poll");
        case wait_reason::heartbeat_interval: made_.steps.back().ends_in = left(wait.inputs.wake_at()); return;
        case wait_reason::refused_for_good:
            return blame(wait_cause::refused_for_good, "the group refuses this consumer for good");
        case wait_reason::nothing_assigned:
            if (at_->application.group_id && !at_->published.member->by_hand) follow(manager_of::membership);
            return;
        default: return;
    }
}

}  // namespace strandline::core::explain
