// What the reactor needs from outside: a network, names, clocks, and somebody who turns it. Implemented over Asio in
// production and by the simulator in tests.
#pragma once

#include <cstddef>
#include <span>

#include "base/bytes.hpp"
#include "base/instant.hpp"
#include "base/random_source.hpp"
#include "core/connection/network.hpp"
#include "reactor/clock.hpp"

namespace strandline::reactor {

// Where the ports report. Called on whatever turns the reactor, never from inside one of the calls below.
class port_events {
public:
    virtual void on_network(core::connection::network_event event) = 0;
    // Where to read next; empty: this connection is gone, stop reading.
    virtual std::span<std::byte> receive_room(core::connection::connection_id id) = 0;
    // How many bytes are missing of a long frame that has begun: fewer are of no use to anybody. 0: not known.
    virtual std::size_t bytes_missing(core::connection::connection_id id) = 0;
    virtual void on_received(core::connection::connection_id id, std::size_t bytes) = 0;

protected:
    ~port_events() = default;
};

class transport {
public:
    virtual ~transport() = default;
    // Reports connected or closed.
    virtual void open(core::connection::connection_id id, const core::connection::ip_endpoint& to) = 0;
    // In order; failures are reported as closed.
    virtual void write(core::connection::connection_id id, base::shared_bytes bytes) = 0;
    // What was written before is still sent if the peer takes it at once; nothing more is reported of this id.
    virtual void close(core::connection::connection_id id) = 0;
};

class resolver {
public:
    virtual ~resolver() = default;
    // Reports name_resolved, once.
    virtual void resolve(core::connection::query_id id, const core::boundary::host_port& name) = 0;
};

// The reactor's own wait. At most one turn is pending at a time, however often it is asked for.
class turn_scheduler {
public:
    virtual ~turn_scheduler() = default;
    // From the turning side: turn once more after the inputs that are ready now were reported.
    virtual void turn_soon() = 0;
    // From the turning side: turn at `when` unless an input comes first. Replaces what was said before.
    virtual void turn_at(base::instant when) = 0;
};

struct ports {
    transport& network;
    resolver& names;
    clock& time;
    base::random_source& random;
    turn_scheduler& scheduler;
};

}  // namespace strandline::reactor
