#include "testkit/simulator/simulated_network.hpp"

#include <algorithm>
#include <cstring>
#include <ranges>
#include <utility>

namespace strandline::testkit::sim {

namespace {

// A connection that lost packets sends them again, not at the very moment at which the way is free.
constexpr base::duration retransmission = std::chrono::milliseconds(200);

}  // namespace

link_weather& simulated_network::weather(protocol::broker_id broker) { return weather_[broker]; }

// ---- the consumers' side

void simulated_network::open(network_user& user, core::connection::connection_id id,
                             const core::connection::ip_endpoint& to) {
    const auto broker = addresses_.broker_at(to);
    const connection made(++last_);
    auto& on = links_[made];
    on.id = made;
    on.user = &user;
    on.name = id;
    on.broker = broker.value_or(protocol::no_broker);
    // Nobody answers at a dead address; whoever tries gives up by himself.
    if (!broker) return;
    const auto now = queue_.now();
    auto& there = weather(*broker);
    auto arrives = now + 2 * travel_time(there, now);
    if (now < there.black_hole_until) arrives = std::max(arrives, there.black_hole_until + retransmission);
    queue_.at(arrives, *this, name_of(made, arrival::connect));
}

void simulated_network::write(network_user& user, core::connection::connection_id id, const base::shared_bytes& bytes) {
    auto* const on = find(user, id);
    if (on && !bytes.empty()) send(*on, true, {bytes});
}

void simulated_network::close(network_user& user, core::connection::connection_id id) {
    auto* const on = find(user, id);
    if (!on) return;
    on->user = nullptr;
    // What was written before is still sent.
    if (on->accepted && !on->broker_gone) {
        send(*on, true, {{}, true});
    } else {
        erase(*on);
    }
}

void simulated_network::leave(network_user& user) {
    for (auto at = links_.begin(); at != links_.end();) {
        auto& on = (at++)->second;
        if (on.user == &user) close(user, on.name);
    }
}

std::size_t simulated_network::connections_of(const network_user& user) const {
    return static_cast<std::size_t>(
        std::count_if(links_.begin(), links_.end(), [&](const auto& entry) { return entry.second.user == &user; }));
}

simulated_network::link* simulated_network::find(network_user& user, core::connection::connection_id id) {
    // The newest first: there are few, and the old ones are mostly idle.
    for (auto& [number, one] : links_ | std::views::reverse) {
        if (one.user == &user && one.name == id) return &one;
    }
    return nullptr;
}

void simulated_network::erase(link& gone) { links_.erase(gone.id); }

// ---- the brokers' side

void simulated_network::answer(connection to, const base::shared_bytes& frame) {
    const auto found = links_.find(to);
    if (found == links_.end()) return;
    auto& on = found->second;
    if (!on.held_back.empty()) {
        send(on, false, {frame});
        send(on, false, {std::exchange(on.held_back, {})});
        return;
    }
    if (auto& swaps = swaps_[on.broker]; swaps > 0) {
        --swaps;
        on.held_back = frame;
        return;
    }
    send(on, false, {frame});
}

void simulated_network::hang_up(connection to) {
    const auto found = links_.find(to);
    if (found == links_.end()) return;
    auto& on = found->second;
    on.broker_gone = true;
    if (on.user) {
        send(on, false, {{}, true});
    } else {
        erase(on);
    }
}

// ---- travelling

base::duration simulated_network::travel_time(const link_weather& weather, base::instant now) {
    auto time = weather.latency;
    if (now < weather.more_latency_until) time += weather.more_latency;
    return time + choice_.between(base::duration(0), time);
}

void simulated_network::send(link& on, bool upwards, chunk what) {
    const auto& there = weather(on.broker);
    const auto now = queue_.now();
    auto largest = now < there.pieces_until ? there.largest_piece : 0;
    if (!upwards && now < there.trickle_until) largest = 1;
    if (largest == 0 || what.bytes.size() <= largest) return send_piece(on, upwards, std::move(what), there);
    // A long answer that trickles: after a while nobody tells a byte from the rest of them.
    constexpr std::size_t pieces_at_most = 200;
    for (std::size_t sent = 0, pieces = 0; sent < what.bytes.size(); ++pieces) {
        const auto size =
            pieces < pieces_at_most ? std::min(largest, what.bytes.size() - sent) : what.bytes.size() - sent;
        send_piece(on, upwards, {what.bytes.slice(sent, size)}, there);
        sent += size;
    }
}

void simulated_network::send_piece(link& on, bool upwards, chunk what, const link_weather& there) {
    auto& through = upwards ? on.up : on.down;
    const auto now = queue_.now();
    auto arrives = now + travel_time(there, now);
    if (now < there.black_hole_until) arrives = std::max(arrives, there.black_hole_until + retransmission);
    // Of a broker that stands still nothing comes.
    if (!upwards) arrives = std::max(arrives, there.frozen_until);
    auto rate = now < there.bandwidth_until ? there.bytes_per_second : 0;
    if (!upwards && now < there.trickle_until) rate = 1;
    if (rate > 0) {
        const auto time = base::duration(static_cast<std::int64_t>(what.bytes.size()) * 1'000'000'000 / rate);
        arrives = std::max(arrives, through.busy_until) + time;
        through.busy_until = arrives;
    }
    // A stream keeps its order.
    arrives = std::max(arrives, through.last_arrival);
    through.last_arrival = arrives;
    through.travelling.push_back(std::move(what));
    queue_.at(arrives, *this, name_of(on.id, upwards ? arrival::up : arrival::down));
}

void simulated_network::on_event(std::uint64_t what) {
    const auto found = links_.find(connection(what >> 2U));
    if (found == links_.end()) return;
    auto& on = found->second;
    const auto now = queue_.now();
    switch (static_cast<arrival>(what & 3U)) {
        case arrival::connect:
            if (on.user && wait_for(on.user->stands_still_until(), what)) return;
            return arrive_connect(on);
        case arrival::up:
            if (weather(on.broker).is_frozen(now) && wait_for(weather(on.broker).frozen_until, what)) return;
            return arrive_up(on);
        case arrival::down:
            if (on.user && wait_for(on.user->stands_still_until(), what)) return;
            return arrive_down(on);
        case arrival::idle:
            if (weather(on.broker).is_frozen(now) && wait_for(weather(on.broker).frozen_until, what)) return;
            return look_for_idleness(on);
    }
}

// The one it is for stands still: it comes to it when that is over, in the same order.
bool simulated_network::wait_for(base::instant until, std::uint64_t what) {
    if (until <= queue_.now()) return false;
    queue_.at(until, *this, what);
    return true;
}

void simulated_network::arrive_connect(link& on) {
    if (!on.user) return erase(on);
    auto& user = *on.user;
    const auto name = on.name;
    const auto& there = weather(on.broker);
    // A frozen broker's kernel takes connections all the same.
    if (there.refuses(queue_.now()) || !server_->accept(on.id, on.broker)) {
        erase(on);
        return user.on_network(core::connection::closed{name, "connection refused"});
    }
    on.accepted = true;
    on.last_asked = queue_.now();
    if (idle_limit_ > base::duration::zero()) {
        queue_.at(on.last_asked + idle_limit_, *this, name_of(on.id, arrival::idle));
    }
    user.on_network(core::connection::connected{name});
}

void simulated_network::arrive_up(link& on) {
    if (on.up.travelling.empty()) return;
    const auto what = std::move(on.up.travelling.front());
    on.up.travelling.pop_front();
    on.last_asked = queue_.now();
    if (on.broker_gone) return;
    if (!what.end) return server_->receive(on.id, what.bytes);
    const auto id = on.id;
    erase(on);
    server_->closed(id);
}

void simulated_network::arrive_down(link& on) {
    if (on.down.travelling.empty()) return;
    const auto what = std::move(on.down.travelling.front());
    on.down.travelling.pop_front();
    if (!on.user) return;
    auto& user = *on.user;
    const auto name = on.name;
    if (what.end) {
        erase(on);
        return user.on_network(core::connection::closed{name, what.reason});
    }
    for (auto rest = what.bytes.view(); !rest.empty();) {
        const auto room = user.receive_room(name);
        if (room.empty()) return;
        const auto taken = std::min(room.size(), rest.size());
        std::memcpy(room.data(), rest.data(), taken);
        rest = rest.subspan(taken);
        user.on_received(name, taken);
    }
}

void simulated_network::look_for_idleness(link& on) {
    if (on.broker_gone || !on.user) return;
    if (wait_for(on.last_asked + idle_limit_, name_of(on.id, arrival::idle))) return;
    const auto id = on.id;
    if (idle_is_forgotten_) {
        on.broker_gone = true;
    } else {
        hang_up(id);
    }
    server_->closed(id);
}

// ---- what goes wrong at once

void simulated_network::reset(protocol::broker_id broker, const network_user* user) {
    for (auto at = links_.begin(); at != links_.end();) {
        auto& on = (at++)->second;
        if (on.broker != broker || !on.accepted || (user && on.user != user)) continue;
        auto* const whom = on.user;
        const auto id = on.id;
        const auto name = on.name;
        const bool known = !on.broker_gone;
        erase(on);
        if (known) server_->closed(id);
        if (whom) whom->on_network(core::connection::closed{name, "connection reset by peer"});
    }
}

// None: what was held back for its turn to come goes on its way.
void simulated_network::swap_answers(protocol::broker_id broker, std::int64_t pairs) {
    swaps_[broker] = pairs;
    if (pairs > 0) return;
    for (auto& [id, on] : links_) {
        if (on.broker == broker && !on.held_back.empty()) send(on, false, {std::exchange(on.held_back, {})});
    }
}

void simulated_network::half_open(protocol::broker_id broker, const network_user* user) {
    for (auto& [id, on] : links_) {
        if (on.broker != broker || !on.accepted || on.broker_gone || (user && on.user != user)) continue;
        on.broker_gone = true;
        server_->closed(id);
    }
}

}  // namespace strandline::testkit::sim
