// May a request be put out to a broker now? If not: what has to be asked for, and what has to be awaited.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "core/exchange/connections_handle.hpp"
#include "core/exchange/failure_cause.hpp"
#include "core/exchange/manager.hpp"
#include "core/exchange/output.hpp"
#include "core/exchange/wait_reason.hpp"
#include "core/kernel/view.hpp"

namespace strandline::core::exchange {

// A broker as the subject of a wait. Bootstrap servers have negative ids.
constexpr std::uint64_t broker_subject(protocol::broker_id broker) noexcept {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(broker.value()));
}

// What a manager will wait for if planning finds nothing to put out. The first reason given stands.
struct pending_wait {
    kernel::await_set inputs{kernel::awaited::command()};
    kernel::reason why;

    void because_of(wait_reason reason, std::uint64_t subject = 0) noexcept {
        if (why == kernel::reason{}) why = because(reason, subject);
    }
    void because_of_failure(failure_cause cause) noexcept { because_of(wait_reason::backoff, cause.subject()); }
    // `when` lies ahead, or there would be something to put out.
    void until(base::instant now, base::instant when) noexcept {
        if (when == base::never) return;
        if (const auto ahead = kernel::future_instant::after(now, when)) inputs.add(kernel::awaited::timer(*ahead));
    }
    void for_response(std::uint64_t request, base::instant expires_at) noexcept {
        inputs.add(kernel::awaited::response(request, expires_at));
        because_of(wait_reason::response, request);
    }
    exchange::plan answer() const { return exchange::plan::await(inputs, why); }
};

class broker_reach {
public:
    explicit broker_reach(kernel::view<connections_handle> connections) noexcept : connections_(connections) {}

    const connections_view& connections() const noexcept { return *connections_.read().connections; }
    kernel::awaited change() const noexcept { return connections_.change(); }

    // True: put the request out. False: the connection was asked for, or `wait` names what has to come first.
    bool may_send(protocol::broker_id broker, connection_role role, base::instant now, outbox& out,
                  pending_wait& wait) {
        wait.inputs.add(change());
        const auto state = connections().of(broker, role);
        const auto subject = broker_subject(broker);
        switch (state.is) {
            case readiness::state::ready: break;
            case readiness::state::unknown: ask_for(broker, role, out); [[fallthrough]];
            case readiness::state::connecting: wait.because_of(wait_reason::broker_connecting, subject); return false;
            case readiness::state::backing_off: wait.because_of(wait_reason::broker_backing_off, subject); return false;
        }
        const auto quiet_until = connections().throttled_until(broker, role);
        if (quiet_until <= now) return true;
        wait.until(now, quiet_until);
        wait.because_of(wait_reason::throttled, subject);
        return false;
    }

private:
    // Once for each version of the view: whoever is asked again before it changed has asked already.
    void ask_for(protocol::broker_id broker, connection_role role, outbox& out) {
        const auto [it, is_new] = asked_.try_emplace({broker, role}, connections_.version());
        if (!is_new && it->second == connections_.version()) return;
        it->second = connections_.version();
        out.add(connection_wanted{broker, role});
    }

    kernel::view<connections_handle> connections_;
    std::map<std::pair<protocol::broker_id, connection_role>, std::uint64_t> asked_;
};

}  // namespace strandline::core::exchange
