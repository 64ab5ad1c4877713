#include "testkit/simulator/simulated_cluster.hpp"

#include <algorithm>

namespace strandline::testkit::sim {

simulated_cluster::simulated_cluster(event_queue& queue, simulated_network& network, const virtual_clock& clock,
                                     const fake::cluster_options& options)
    : queue_(queue), network_(network), clock_(clock), core_(options) {
    network_.serve(*this);
    for (const auto& [id, broker] : state().brokers()) {
        auto& one = *state().find_broker(id);
        one.host = address_plan::host_of(id);
        one.port = broker_port;
    }
}

bool simulated_cluster::accept(connection id, protocol::broker_id broker) {
    const bool taken = core_.on_accept(id, broker);
    after_input();
    return taken;
}

void simulated_cluster::receive(connection id, base::bytes_view bytes) {
    bytes_received_ += bytes.size();
    core_.on_bytes(id, bytes, clock_.now(), clock_.wall());
    after_input();
}

void simulated_cluster::closed(connection id) {
    core_.on_closed(id);
    after_input();
}

void simulated_cluster::touched() {
    core_.look_again(clock_.now(), clock_.wall());
    after_input();
}

void simulated_cluster::stop_broker(protocol::broker_id broker) {
    core_.stop_broker(broker, clock_.now());
    touched();
}

void simulated_cluster::start_broker(protocol::broker_id broker) {
    core_.start_broker(broker, clock_.now());
    touched();
}

void simulated_cluster::freeze_broker(protocol::broker_id broker, base::instant until) {
    auto& frozen = network_.weather(broker).frozen_until;
    frozen = std::max(frozen, until);
}

void simulated_cluster::on_event(std::uint64_t) {
    // Another input may have come first and moved the deadline.
    if (armed_ > queue_.now()) return;
    armed_ = base::never;
    if (listener_) listener_->on_time_passed();
    core_.on_time(clock_.now(), clock_.wall());
    after_input();
}

void simulated_cluster::after_input() {
    for (auto& order : core_.take_outgoing()) {
        if (order.close) {
            network_.hang_up(order.to);
        } else {
            network_.answer(order.to, order.bytes);
        }
    }
    if (listener_) listener_->on_cluster_acted();
    const auto due = core_.next_deadline();
    if (due == armed_) return;
    armed_ = due;
    queue_.at(due, *this, 0);
}

}  // namespace strandline::testkit::sim
