#include "reactor/reactor.hpp"

#include <stdexcept>
#include <utility>
#include <variant>

#include "reactor/stop_reason.hpp"

namespace strandline::reactor {

namespace {

template <class... Cases>
struct overloaded : Cases... {
    using Cases::operator()...;
};

}  // namespace

reactor::reactor(const core::boundary::core_config& config, const ports& outside, handoff::handoff& application,
                 std::function<void()> on_stopped, core::turn_probe* looking_on)
    : outside_(outside),
      application_(application),
      on_stopped_(std::move(on_stopped)),
      core_(config, outside.random, application.memory()) {
    core_.look_on(looking_on);
}

void reactor::on_network(core::connection::network_event event) {
    network_.push_back(std::move(event));
    outside_.scheduler.turn_soon();
}

std::span<std::byte> reactor::receive_room(core::connection::connection_id id) { return core_.receive_room(id); }

std::size_t reactor::bytes_missing(core::connection::connection_id id) { return core_.bytes_missing(id); }

void reactor::on_received(core::connection::connection_id id, std::size_t bytes) {
    // Part of a frame is no input: the turn comes with the rest.
    if (core_.received(id, bytes)) outside_.scheduler.turn_soon();
}

void reactor::turn() {
    if (stopped_) return;
    application_.collect(arrived_);
    core::turn_inputs inputs;
    inputs.network = std::exchange(network_, {});
    inputs.commands = std::exchange(arrived_.commands, {});
    inputs.progress = std::exchange(arrived_.checkpoint, std::nullopt);
    inputs.fences = std::exchange(arrived_.fences, {});
    inputs.drained = std::exchange(arrived_.drained, {});
    inputs.bytes_in_use = arrived_.bytes_in_use;

    const auto decision = core_.turn(std::move(inputs), outside_.time.now(), outside_.time.wall());
    application_.publish(decision.snapshot, decision.space);
    carry_out(core_.take_effects());
    insist_on_the_contract();
    if (core_.stopped()) {
        stopped_ = true;
        // A callback that close did not wait for any longer may have calls under way, and may begin more.
        application_.fail_all(closed_reason());
        on_stopped_();
        return;
    }
    if (decision.turn_again) outside_.scheduler.turn_soon();
    outside_.scheduler.turn_at(decision.park_until);
}

// A missing wake-up edge or a manager that never comes to rest costs time in production, and a run in development.
void reactor::insist_on_the_contract() const {
#ifndef NDEBUG
    if (core_.faults() > 0) throw std::logic_error(core_.newest_fault());
#endif
}

void reactor::carry_out(core::turn_effects effects) {
    for (auto& what : effects.deliveries) {
        std::visit(overloaded{[&](const core::boundary::slot_updates& changes) {
                                  for (const auto& change : changes.which) application_.update(change);
                              },
                              [&](core::boundary::completed_fetch& data) { application_.deliver(std::move(data)); },
                              [&](const core::boundary::buffer_recall& wanted) { application_.recall(wanted); }},
                   what);
    }
    for (auto& what : effects.notices) application_.notify(std::move(what));
    for (auto& end : effects.completions) application_.complete(std::move(end));
    application_.wake_application();
    for (const auto& what : effects.orders) order(what);
}

void reactor::order(const core::connection::network_order& what) {
    namespace connection = core::connection;
    std::visit(overloaded{[&](const connection::open_connection& order) { outside_.network.open(order.id, order.to); },
                          [&](const connection::write_bytes& order) { outside_.network.write(order.id, order.bytes); },
                          [&](const connection::close_connection& order) { outside_.network.close(order.id); },
                          [&](const connection::resolve_name& order) { outside_.names.resolve(order.id, order.name); }},
               what);
}

}  // namespace strandline::reactor
