// Opens, shakes hands, keeps and closes the connections to brokers; matches answers to requests; knows who can be talked to.
// It orders what the reactor's ports carry out and hears what became of it: it holds no socket.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "core/connection/address_failure.hpp"
#include "core/connection/network.hpp"
#include "core/exchange/cluster_view.hpp"
#include "core/exchange/connections_handle.hpp"
#include "core/exchange/connections_view.hpp"
#include "core/exchange/fact.hpp"
#include "core/exchange/manager.hpp"
#include "core/exchange/output.hpp"
#include "core/exchange/request.hpp"
#include "core/kernel/view.hpp"

namespace strandline::core::connection {

// Apply: on_time first, then on_network, digest_received, on_fact.  Plan: want and send (from others' outputs), plan.
// After any of them this manager has to be asked for its plan in the same turn, or its timers are old.
class connection_manager {
public:
    connection_manager(const exchange::manager_context& context, kernel::view<exchange::cluster_view> cluster);
    ~connection_manager();

    const kernel::versioned<exchange::connections_handle>& view_source() const noexcept;
    // Frames of fetch connections opened from now on are allocated for this account.
    void set_fetch_account(std::shared_ptr<base::memory_account> account);

    // ---- network, between turns
    // Where the bytes that come next belong; empty: this connection is gone. Room beyond the frame that is being read is not
    // given, so `at_least` is a wish.
    std::span<std::byte> receive_room(connection_id id, std::size_t at_least);
    // `count` bytes were put there. True: a whole frame or an error is waiting, a turn is wanted.
    bool received(connection_id id, std::size_t count);

    // ---- Apply
    // Every turn, before other inputs: what has expired by now.
    void on_time(exchange::turn_time time);
    void on_network(const network_event& event, exchange::turn_time time);
    // Makes answers of the frames that were received.
    void digest_received(exchange::turn_time time);
    void on_fact(const exchange::rebootstrap_started& fact, exchange::turn_time time);
    void on_fact(const exchange::broker_throttled& fact, exchange::turn_time time);
    // Closes every connection; requests in flight fail as disconnected.
    void close_all(exchange::turn_time time);
    // Every answer and failure since last asked, for the owners of the requests.
    std::vector<exchange::response> take_responses();

    // ---- Plan
    void want(const exchange::connection_wanted& wanted, exchange::turn_time time);
    void send(exchange::outbound_request request, exchange::turn_time time);
    exchange::plan plan(exchange::turn_time time);
    // Something failed while it was put out; it becomes an input of a turn that is due at once.
    bool turn_wanted() const noexcept;

    // For the ports, in this order, once the decision is published.
    std::vector<network_order> take_orders();
    // Per address that was tried and did not work since anybody was last reached.
    std::vector<address_failure> failures() const;

private:
    struct parts;
    std::unique_ptr<parts> parts_;
};

}  // namespace strandline::core::connection
