// Names and addresses of the simulated brokers: which exist, which are dead, and what the resolver says.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/instant.hpp"
#include "core/connection/network.hpp"
#include "protocol/ids.hpp"

namespace strandline::testkit::sim {

inline constexpr std::uint16_t broker_port = 9092;

// Broker 3 is "broker-3" at 10.0.0.3; moved, it is at 10.0.1.3, and so on.
class address_plan {
public:
    static std::string host_of(protocol::broker_id broker);

    // The broker answers at a new address from now on; its former ones are dead. Names lead to the former one until
    // then.
    void move(protocol::broker_id broker, base::instant known) {
        ++place(broker).moves;
        place(broker).moves_known = known;
    }
    // Names lead to where brokers are.
    void tell_moves(protocol::broker_id broker) { place(broker).moves_known = base::instant::min(); }
    void set_no_name(protocol::broker_id broker, base::instant until) { place(broker).no_name_until = until; }
    void set_dead_address(protocol::broker_id broker, base::instant until) { place(broker).dead_until = until; }
    void set_slow(base::duration delay, base::instant until) {
        slow_ = delay;
        slow_until_ = until;
    }

    struct answer {
        base::duration after{};
        std::vector<core::connection::ip_endpoint> addresses;
        std::string reason;
    };
    answer resolve(const core::boundary::host_port& name, base::instant now);
    // Who answers there; none: nobody, ever.
    std::optional<protocol::broker_id> broker_at(const core::connection::ip_endpoint& address);

private:
    struct broker_place {
        int moves = 0;
        base::instant moves_known = base::instant::min();
        base::instant no_name_until{};
        base::instant dead_until{};
    };
    broker_place& place(protocol::broker_id broker);
    static std::string address(protocol::broker_id broker, int moves);
    std::string address_of(protocol::broker_id broker) { return address(broker, place(broker).moves); }

    std::vector<broker_place> places_;  // by broker id
    base::duration slow_{};
    base::instant slow_until_{};
};

}  // namespace strandline::testkit::sim
