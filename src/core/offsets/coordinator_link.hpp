// The way to the group's coordinator: found, connected, not to be left alone; and what its errors say about it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/exchange/broker_reach.hpp"
#include "core/exchange/group_view.hpp"
#include "core/exchange/manager.hpp"
#include "core/exchange/output.hpp"
#include "core/kernel/view.hpp"
#include "protocol/api_key.hpp"
#include "protocol/broker_error.hpp"

namespace strandline::core::offsets {

// Where a request was sent, to say of what finding the loss is when it fails.
struct coordinator_finding {
    protocol::broker_id broker = protocol::no_broker;
    std::uint64_t version = 0;
};

class coordinator_link {
public:
    static constexpr auto role = exchange::connection_role::group;

    coordinator_link(const exchange::manager_context& context, kernel::view<exchange::coordinator_view> coordinator,
                     kernel::view<exchange::connections_handle> connections);

    // What is read here; to be awaited by every answer.
    void await_changes(exchange::pending_wait& wait) const {
        wait.inputs.add(coordinator_.change()).add(reach_.change());
    }

    // Where a request can be sent now; or nothing, and `wait` says what has to come first.
    std::optional<coordinator_finding> may_send(base::instant now, exchange::outbox& out, exchange::pending_wait& wait);
    std::optional<std::int16_t> usable_version(const coordinator_finding& at, protocol::api_key api,
                                               std::int16_t cap) const;
    // Nobody can be reached who is the coordinator or could say who is: not before a back-off has passed.
    bool out_of_reach(base::instant now) const;
    // Why the group will never have a coordinator for us, if that was said.
    const std::optional<error>& refusal() const { return coordinator_->refusal; }

    // While inputs are applied: emits the loss if `why` means that the coordinator is elsewhere. False: it means
    // something else.
    bool lost(const coordinator_finding& at, protocol::broker_error why);
    void lost(const coordinator_finding& at, std::string why);
    void throttled(const coordinator_finding& at, base::duration throttle, base::instant now);

private:
    exchange::manager_context context_;
    kernel::view<exchange::coordinator_view> coordinator_;
    exchange::broker_reach reach_;
};

}  // namespace strandline::core::offsets
