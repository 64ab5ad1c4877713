#include "core/group/consumer/leave_attempt.hpp"

#include <algorithm>
#include <utility>

#include "protocol/codec.hpp"

namespace strandline::core::group::consumer {

using exchange::connection_role;
using exchange::wait_reason;

leave_attempt::leave_attempt(heartbeat_composer::request goodbye, base::instant deadline)
    : goodbye_(std::move(goodbye)), deadline_(deadline) {}

void leave_attempt::bring_forward(base::instant deadline) noexcept { deadline_ = std::min(deadline_, deadline); }

void leave_attempt::end(std::string why) {
    over_ = true;
    if (!why.empty()) undone_ = "leave of group " + goodbye_.group_id + ": " + std::move(why);
}

bool leave_attempt::on_response(const exchange::response& response) {
    if (sent_ != response.id || over_) return false;
    if (!response.body) {
        end("not answered");
        return true;
    }
    const auto answer =
        protocol::decode<protocol::messages::consumer_group_heartbeat_response>(*response.body, response.version);
    if (!answer) {
        is_answer_unreadable_ = true;
        end("the answer cannot be read");
        return true;
    }
    switch (answer->error_code) {
        case protocol::broker_error::none:
        // Gone is gone, whoever saw to it.
        case protocol::broker_error::unknown_member_id:
        case protocol::broker_error::fenced_member_epoch:
        case protocol::broker_error::group_id_not_found: end({}); break;
        default: end(to_string(answer->error_code)); break;
    }
    return true;
}

void leave_attempt::plan(const exchange::manager_context& context, kernel::view<exchange::coordinator_view> coordinator,
                         exchange::broker_reach& reach, exchange::outbox& out, exchange::pending_wait& wait,
                         base::instant now) {
    if (over_) return;
    wait.inputs.add(coordinator.change());
    if (!sent_) plan_unsent(context, coordinator.read(), reach, out, wait, now);
    if (over_ || (sent_ && !out.empty())) return;
    if (now >= deadline_) return end(sent_ ? "not answered in time" : "the coordinator was not reached in time");
    wait.until(now, deadline_);
    if (sent_) {
        wait.inputs.add(kernel::awaited::response(sent_->value(), expires_at_));
        wait.because_of(wait_reason::leave_answer, sent_->value());
    }
}

void leave_attempt::plan_unsent(const exchange::manager_context& context, const exchange::coordinator_view& coordinator,
                                exchange::broker_reach& reach, exchange::outbox& out, exchange::pending_wait& wait,
                                base::instant now) {
    wait.inputs.add(reach.change());
    const auto& connections = reach.connections();
    if (!coordinator.known()) {
        // Worth waiting for only while somebody who might know can be asked.
        const auto broker = connections.any_broker(connection_role::control, now);
        if (coordinator.refusal || !broker || !connections.of(*broker, connection_role::control).ready()) {
            return end("the coordinator is not known");
        }
        return wait.because_of(wait_reason::coordinator_unknown);
    }
    const auto state = connections.of(coordinator.broker, connection_role::group);
    if (state.is == exchange::readiness::state::backing_off) return end("the coordinator cannot be reached");
    if (!reach.may_send(coordinator.broker, connection_role::group, now, out, wait)) return;
    const auto version = connections.usable_version(coordinator.broker, heartbeat_composer::request::key);
    if (!version) return end("the coordinator does not know this protocol");
    sent_ = exchange::request_id(context.ids.next());
    expires_at_ = base::saturating_add(now, context.config.request_timeout);
    out.add(exchange::outbound_request{.id = *sent_,
                                       .owner = exchange::manager::membership,
                                       .broker = coordinator.broker,
                                       .role = connection_role::group,
                                       .body = goodbye_,
                                       .version = *version,
                                       .expires_at = expires_at_});
}

}  // namespace strandline::core::group::consumer
