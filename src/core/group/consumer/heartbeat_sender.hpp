// Sends heartbeats when they are due, one in flight, and says what their answers mean.
#pragma once

#include <cstdint>
#include <optional>

#include <strandline/error.hpp>

#include "core/exchange/broker_reach.hpp"
#include "core/exchange/group_view.hpp"
#include "core/exchange/manager.hpp"
#include "core/exchange/output.hpp"
#include "core/exchange/request_backoff.hpp"
#include "core/group/consumer/heartbeat_composer.hpp"
#include "core/kernel/view.hpp"
#include "protocol/messages/consumer_group_heartbeat.hpp"

namespace strandline::core::group::consumer {

struct heartbeat_outcome {
    enum class kind {
        retry,     // nothing to be done about it: the next heartbeat says everything, when it may
        answered,  // `answer`
        rejoin,    // the group has forgotten the member
        report,    // `reason` is for the application; everything goes on
        give_up,   // `reason`, for good
    };
    kind what = kind::retry;
    protocol::messages::consumer_group_heartbeat_response answer = {};
    std::optional<error> reason = {};
    exchange::failure_cause why = {};  // of rejoin and give_up: what was answered
};

// A part of the membership manager.
class heartbeat_sender {
public:
    heartbeat_sender(const exchange::manager_context& context, kernel::view<exchange::coordinator_view> coordinator,
                     exchange::broker_reach& reach, exchange::outbox& out);

    // A new membership begins at epoch 0: the first heartbeat is due at once.
    void begin() noexcept;
    // The group may have heard that this membership began.
    bool begun_in_public() const noexcept { return said_anything_; }
    // The answer that is awaited, if one is, does not count any more.
    void abandon();
    // The next one is due by `when`, whatever the interval.
    void hurry(base::instant when) noexcept { hurried_to_ = when; }
    void back_off(base::instant now, exchange::failure_cause why) { backoff_.on_failure(now, context_.random, why); }

    // Apply. None: not the answer that is awaited.
    std::optional<heartbeat_outcome> on_response(const exchange::response& response, base::instant now);
    // Plan: sends, or says what that waits for.
    void plan(const member_report& member, bool at_once, exchange::pending_wait& wait, base::instant now);

    bool subscription_is_news(const member_report& member) const { return composer_.subscription_is_news(member); }
    bool owned_is_news(const member_report& member) const { return composer_.owned_is_news(member); }
    const heartbeat_composer& composer() const noexcept { return composer_; }

private:
    struct flight {
        exchange::request_id id;
        base::instant expires_at;
        protocol::broker_id broker;
        std::uint64_t coordinator_version;
    };
    heartbeat_outcome failed(exchange::request_failure::kind how, const flight& sent, base::instant now);
    heartbeat_outcome refused(const protocol::messages::consumer_group_heartbeat_response& answer, const flight& sent,
                              base::instant now);
    void learn_interval(std::int32_t milliseconds) noexcept;
    void send(const member_report& member, protocol::broker_id broker, std::int16_t version, base::instant now);

    exchange::manager_context context_;
    kernel::view<exchange::coordinator_view> coordinator_;
    exchange::broker_reach* reach_;
    exchange::outbox* out_;
    heartbeat_composer composer_;
    std::optional<flight> flight_;
    std::optional<base::instant> sent_at_;
    base::instant hurried_to_ = base::never;
    bool said_anything_ = false;
    base::duration interval_;
    exchange::request_backoff backoff_;
};

}  // namespace strandline::core::group::consumer
