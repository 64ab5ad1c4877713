#include "core/group/consumer/heartbeat_sender.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/group/consumer/heartbeat_reaction.hpp"
#include "core/group/group_error.hpp"
#include "protocol/codec.hpp"

namespace strandline::core::group::consumer {

namespace {

using exchange::request_failure;
using exchange::wait_reason;
using kind = heartbeat_outcome::kind;
using protocol::messages::consumer_group_heartbeat_response;

// The broker sets the interval; what it sets is believed within reason.
constexpr base::duration interval_until_told = std::chrono::seconds(5);
constexpr base::duration shortest_interval = std::chrono::milliseconds(10);

}  // namespace

heartbeat_sender::heartbeat_sender(const exchange::manager_context& context,
                                   kernel::view<exchange::coordinator_view> coordinator, exchange::broker_reach& reach,
                                   exchange::outbox& out)
    : context_(context),
      coordinator_(coordinator),
      reach_(&reach),
      out_(&out),
      composer_(context.config),
      interval_(interval_until_told),
      backoff_(context.config.retry) {}

void heartbeat_sender::begin() noexcept {
    abandon();
    sent_at_.reset();
    hurried_to_ = base::never;
    said_anything_ = false;
}

void heartbeat_sender::abandon() {
    flight_.reset();
    composer_.on_unanswered();
}

std::optional<heartbeat_outcome> heartbeat_sender::on_response(const exchange::response& response, base::instant now) {
    if (!flight_ || flight_->id != response.id) return std::nullopt;
    const auto sent = *std::exchange(flight_, std::nullopt);
    if (!response.body) return failed(response.body.error().what, sent, now);
    auto answer = protocol::decode<consumer_group_heartbeat_response>(*response.body, response.version);
    if (!answer) {
        context_.facts.emit(exchange::answer_unreadable::of(response, answer.error().to_string()));
        composer_.on_unanswered();
        back_off(now, request_failure::kind::malformed);
        return heartbeat_outcome{.what = kind::report,
                                 .reason = error(errc::malformed_response, answer.error().to_string())};
    }
    if (answer->throttle_time_ms > 0) {
        const auto until = base::saturating_add(now, std::chrono::milliseconds(answer->throttle_time_ms));
        context_.facts.emit(exchange::broker_throttled{response.broker, exchange::connection_role::group, until});
    }
    if (answer->error_code != protocol::broker_error::none) return refused(*answer, sent, now);
    composer_.on_answered();
    backoff_.on_success();
    learn_interval(answer->heartbeat_interval_ms);
    return heartbeat_outcome{.what = kind::answered, .answer = std::move(*answer)};
}

heartbeat_outcome heartbeat_sender::failed(request_failure::kind how, const flight& sent, base::instant now) {
    composer_.on_unanswered();
    back_off(now, how);
    switch (how) {
        // Whether the coordinator is still where it was can only be found out by asking.
        case request_failure::kind::disconnected:
            context_.facts.emit(exchange::coordinator_lost{sent.coordinator_version, "its connection was lost", how});
            return {};
        case request_failure::kind::malformed:
            return {.what = kind::report,
                    .reason = error(errc::malformed_response, "the answer to a heartbeat cannot be read")};
        case request_failure::kind::unencodable:
            return {.what = kind::give_up,
                    .reason = error(errc::invalid_configuration, "a heartbeat cannot be written: a name is too long",
                                    {}, {.retriable = false, .fatal = true})};
        case request_failure::kind::expired:
        case request_failure::kind::not_ready: return {};
    }
    return {};
}

heartbeat_outcome heartbeat_sender::refused(const consumer_group_heartbeat_response& answer, const flight& sent,
                                            base::instant now) {
    composer_.on_unanswered();
    const auto code = answer.error_code;
    const auto& group_id = *context_.config.group_id;
    switch (reaction_to(code)) {
        case heartbeat_reaction::back_off: back_off(now, code); return {};
        case heartbeat_reaction::find_coordinator:
            context_.facts.emit(exchange::coordinator_lost{sent.coordinator_version, to_string(code), code});
            return {};
        case heartbeat_reaction::rejoin: return {.what = kind::rejoin, .why = code};
        case heartbeat_reaction::report:
            back_off(now, code);
            return {.what = kind::report,
                    .reason = group_error(code, answer.error_message, "membership of", group_id, {.retriable = true})};
        case heartbeat_reaction::give_up:
            return {.what = kind::give_up,
                    .reason = group_refusal(code, answer.error_message, "membership of", group_id),
                    .why = code};
    }
    return {};
}

void heartbeat_sender::learn_interval(std::int32_t milliseconds) noexcept {
    if (milliseconds > 0)
        interval_ = std::max<base::duration>(std::chrono::milliseconds(milliseconds), shortest_interval);
}

void heartbeat_sender::plan(const member_report& member, bool at_once, exchange::pending_wait& wait,
                            base::instant now) {
    wait.inputs.add(coordinator_.change());
    const auto& coordinator = coordinator_.read();
    if (flight_ && coordinator.known() && flight_->broker != coordinator.broker) {
        // Another broker coordinates now; what the earlier one still says is about a group that it does not have. The
        // same one, found again, still answers.
        abandon();
    }
    if (flight_) return wait.for_response(flight_->id.value(), flight_->expires_at);
    if (!coordinator.known()) return wait.because_of(wait_reason::coordinator_unknown);
    if (!backoff_.may_try(now)) {
        wait.because_of_failure(backoff_.cause());
        return wait.until(now, backoff_.allowed_at());
    }
    at_once = at_once || composer_.subscription_is_news(member) || !sent_at_;
    const auto due = at_once ? now : std::min(base::saturating_add(*sent_at_, interval_), hurried_to_);
    if (due > now) {
        wait.because_of(wait_reason::heartbeat_interval);
        return wait.until(now, due);
    }
    if (!reach_->may_send(coordinator.broker, exchange::connection_role::group, now, *out_, wait)) return;
    const auto version = reach_->connections().usable_version(coordinator.broker, heartbeat_composer::request::key);
    // A broker that lacks the API ends the membership, which is not a decision of Plan.
    if (version) send(member, coordinator.broker, *version, now);
}

void heartbeat_sender::send(const member_report& member, protocol::broker_id broker, std::int16_t version,
                            base::instant now) {
    flight_ = flight{exchange::request_id(context_.ids.next()),
                     base::saturating_add(now, context_.config.request_timeout), broker, coordinator_.read().version};
    sent_at_ = now;
    hurried_to_ = base::never;
    said_anything_ = true;
    out_->add(exchange::outbound_request{.id = flight_->id,
                                         .owner = exchange::manager::membership,
                                         .broker = broker,
                                         .role = exchange::connection_role::group,
                                         .body = composer_.compose(member, version),
                                         .version = version,
                                         .expires_at = flight_->expires_at});
}

}  // namespace strandline::core::group::consumer
