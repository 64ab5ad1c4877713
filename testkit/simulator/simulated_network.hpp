// The network between simulated processes and the brokers of the fake cluster: every connection a pipe each way, with
// the delays, the losses and the tearing of a real one.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "core/connection/network.hpp"
#include "reactor/ports.hpp"
#include "testkit/fake_cluster/fake_cluster_core.hpp"
#include "testkit/simulator/address_plan.hpp"
#include "testkit/simulator/event_queue.hpp"
#include "testkit/simulator/link_weather.hpp"
#include "testkit/simulator/seeded_choice.hpp"

namespace strandline::testkit::sim {

// One end of the network: a process that opens connections.
class network_user : public reactor::port_events {
public:
    // It does nothing before then: what reaches it earlier waits in its sockets.
    virtual base::instant stands_still_until() const = 0;

protected:
    ~network_user() = default;
};

// Where the other ends are: the brokers, as bytes and connections.
class network_server {
public:
    using connection = fake::connection_id;
    // False: nobody listens there.
    virtual bool accept(connection id, protocol::broker_id broker) = 0;
    virtual void receive(connection id, base::bytes_view bytes) = 0;
    virtual void closed(connection id) = 0;

protected:
    ~network_server() = default;
};

class simulated_network final : public event_target {
public:
    using connection = fake::connection_id;

    simulated_network(event_queue& queue, seeded_choice& choice) : queue_(queue), choice_(choice) {}
    void serve(network_server& server) { server_ = &server; }

    address_plan& addresses() noexcept { return addresses_; }
    link_weather& weather(protocol::broker_id broker);

    // ---- the consumers' side
    void open(network_user& user, core::connection::connection_id id, const core::connection::ip_endpoint& to);
    void write(network_user& user, core::connection::connection_id id, const base::shared_bytes& bytes);
    void close(network_user& user, core::connection::connection_id id);
    // Its process is gone; the brokers notice.
    void leave(network_user& user);
    std::size_t connections_of(const network_user& user) const;

    // ---- the brokers' side
    void answer(connection to, const base::shared_bytes& frame);
    void hang_up(connection to);

    // ---- what goes wrong at once; `user` null: everybody's
    void reset(protocol::broker_id broker, const network_user* user);
    void half_open(protocol::broker_id broker, const network_user* user);
    // The next so many pairs of answers of this broker change places.
    void swap_answers(protocol::broker_id broker, std::int64_t pairs);
    // From now on a connection on which nothing was asked for so long is closed by its broker, or forgotten on the way.
    void limit_idle(base::duration limit, bool is_forgotten) {
        idle_limit_ = limit;
        idle_is_forgotten_ = is_forgotten;
    }

private:
    // What travels: bytes, or the end of the stream.
    struct chunk {
        base::shared_bytes bytes;
        bool end = false;
        std::string reason = {};
    };
    struct pipe {
        std::deque<chunk> travelling;
        base::instant last_arrival{};
        base::instant busy_until{};
    };
    struct link {
        connection id;
        network_user* user;  // null: the process or its end of it is gone
        core::connection::connection_id name;
        protocol::broker_id broker;
        bool accepted = false;
        bool broker_gone = false;  // the broker's end is closed, or forgotten
        base::instant last_asked{};
        pipe up;
        pipe down;
        base::shared_bytes held_back;  // an answer that waits to be sent after the next
    };
    // `idle` is none: the time has come to look whether anything did.
    enum class arrival : std::uint8_t { connect, up, down, idle };
    static std::uint64_t name_of(connection id, arrival what) {
        return (id.value() << 2U) | static_cast<std::uint64_t>(what);
    }

    void on_event(std::uint64_t what) override;
    link* find(network_user& user, core::connection::connection_id id);
    void erase(link& gone);
    base::duration travel_time(const link_weather& weather, base::instant now);
    void send(link& on, bool upwards, chunk what);
    void send_piece(link& on, bool upwards, chunk what, const link_weather& weather);
    bool wait_for(base::instant until, std::uint64_t what);
    void arrive_connect(link& on);
    void arrive_up(link& on);
    void arrive_down(link& on);
    void look_for_idleness(link& on);

    event_queue& queue_;
    seeded_choice& choice_;
    network_server* server_ = nullptr;
    address_plan addresses_;
    std::map<protocol::broker_id, link_weather> weather_;
    std::map<protocol::broker_id, std::int64_t> swaps_;
    std::map<connection, link> links_;
    std::uint64_t last_ = 0;
    base::duration idle_limit_ = base::duration::zero();
    bool idle_is_forgotten_ = false;
};

}  // namespace strandline::testkit::sim
