// The fake cluster as part of a simulation: its bytes travel the simulated network, its deadlines are events.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "testkit/fake_cluster/fake_cluster_core.hpp"
#include "testkit/simulator/event_queue.hpp"
#include "testkit/simulator/simulated_network.hpp"
#include "testkit/simulator/virtual_clock.hpp"

namespace strandline::testkit::sim {

// Hears of what the brokers did, after each input of theirs.
class cluster_listener {
public:
    virtual void on_cluster_acted() = 0;
    // Before: a deadline of theirs has come.
    virtual void on_time_passed() = 0;

protected:
    ~cluster_listener() = default;
};

class simulated_cluster final : public network_server, public event_target {
public:
    simulated_cluster(event_queue& queue, simulated_network& network, const virtual_clock& clock,
                      const fake::cluster_options& options);
    void report_to(cluster_listener& listener) { listener_ = &listener; }

    // For looking, and for changes of `state` by hand, each followed by touched().
    fake::fake_cluster_core& core() noexcept { return core_; }
    fake::cluster_state& state() noexcept { return core_.cluster(); }
    void touched();

    void stop_broker(protocol::broker_id broker);
    void start_broker(protocol::broker_id broker);
    // Stands still until then: nothing that reaches it is served, and its timers do not run.
    void freeze_broker(protocol::broker_id broker, base::instant until);

    std::uint64_t bytes_received() const noexcept { return bytes_received_; }

private:
    bool accept(connection id, protocol::broker_id broker) override;
    void receive(connection id, base::bytes_view bytes) override;
    void closed(connection id) override;
    void on_event(std::uint64_t what) override;
    // Carries out what the core has put out, and arms its next deadline.
    void after_input();

    event_queue& queue_;
    simulated_network& network_;
    const virtual_clock& clock_;
    cluster_listener* listener_ = nullptr;
    fake::fake_cluster_core core_;
    base::instant armed_ = base::never;
    std::uint64_t bytes_received_ = 0;
};

}  // namespace strandline::testkit::sim
