// Turns the core of one consumer: collects what arrived, has it applied and planned, publishes the decision, and only
// then carries out its effects. It does not care which thread turns it, only that one at a time does.
#pragma once

#include <functional>
#include <vector>

#include "core/consumer_core.hpp"
#include "handoff/handoff.hpp"
#include "reactor/ports.hpp"

namespace strandline::reactor {

class reactor final : public port_events {
public:
    // Everything referred to outlives the reactor. `on_stopped` is called once, from the last turn, when the consumer
    // has closed.
    // `looking_on`, if any, is shown every turn.
    reactor(const core::boundary::core_config& config, const ports& outside, handoff::handoff& application,
            std::function<void()> on_stopped, core::turn_probe* looking_on = nullptr);

    // One turn; the scheduler calls it.
    void turn();

    void on_network(core::connection::network_event event) override;
    std::span<std::byte> receive_room(core::connection::connection_id id) override;
    std::size_t bytes_missing(core::connection::connection_id id) override;
    void on_received(core::connection::connection_id id, std::size_t bytes) override;

private:
    void insist_on_the_contract() const;
    void carry_out(core::turn_effects effects);
    void order(const core::connection::network_order& what);

    ports outside_;
    handoff::handoff& application_;
    std::function<void()> on_stopped_;
    core::consumer_core core_;
    std::vector<core::connection::network_event> network_;
    handoff::reactor_inputs arrived_;
    bool stopped_ = false;
};

}  // namespace strandline::reactor
