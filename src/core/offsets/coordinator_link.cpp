#include "core/offsets/coordinator_link.hpp"

#include <utility>

namespace strandline::core::offsets {

using exchange::readiness;
using exchange::wait_reason;
using protocol::broker_error;

coordinator_link::coordinator_link(const exchange::manager_context& context,
                                   kernel::view<exchange::coordinator_view> coordinator,
                                   kernel::view<exchange::connections_handle> connections)
    : context_(context), coordinator_(coordinator), reach_(connections) {}

std::optional<coordinator_finding> coordinator_link::may_send(base::instant now, exchange::outbox& out,
                                                              exchange::pending_wait& wait) {
    if (!coordinator_->known()) {
        wait.because_of(wait_reason::coordinator_unknown);
        return std::nullopt;
    }
    if (!reach_.may_send(coordinator_->broker, role, now, out, wait)) return std::nullopt;
    return coordinator_finding{coordinator_->broker, coordinator_->version};
}

std::optional<std::int16_t> coordinator_link::usable_version(const coordinator_finding& at, protocol::api_key api,
                                                             std::int16_t cap) const {
    return reach_.connections().usable_version(at.broker, api, cap);
}

bool coordinator_link::out_of_reach(base::instant now) const {
    if (coordinator_->known()) {
        return reach_.connections().of(coordinator_->broker, role).is == readiness::state::backing_off;
    }
    return !reach_.connections().any_broker(exchange::connection_role::control, now);
}

bool coordinator_link::lost(const coordinator_finding& at, broker_error why) {
    if (why != broker_error::not_coordinator && why != broker_error::coordinator_not_available &&
        why != broker_error::request_timed_out) {
        return false;
    }
    context_.facts.emit(exchange::coordinator_lost{at.version, protocol::to_string(why), why});
    return true;
}

void coordinator_link::lost(const coordinator_finding& at, std::string why) {
    context_.facts.emit(
        exchange::coordinator_lost{at.version, std::move(why), exchange::request_failure::kind::disconnected});
}

void coordinator_link::throttled(const coordinator_finding& at, base::duration throttle, base::instant now) {
    if (throttle <= base::duration::zero()) return;
    context_.facts.emit(exchange::broker_throttled{at.broker, role, base::saturating_add(now, throttle)});
}

}  // namespace strandline::core::offsets
