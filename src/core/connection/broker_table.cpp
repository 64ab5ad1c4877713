#include "core/connection/broker_table.hpp"

#include <algorithm>
#include <tuple>

namespace strandline::core::connection {

using exchange::connection_role;
using exchange::readiness;

namespace {

// A first failure of one broker, or of a few, is no reason to doubt everything we know.
constexpr int fewest_failures_of_a_lost_cluster = 2;
constexpr int most_failures_of_a_lost_cluster = 6;

// Bootstrap servers stand before it, the last one first.
auto first_of_cluster(const std::map<protocol::broker_id, broker_entry>& brokers) {
    return brokers.upper_bound(protocol::broker_id(first_bootstrap_broker));
}

}  // namespace

bool broker_entry::has_ready_connection() const noexcept {
    return std::any_of(connections.begin(), connections.end(), [](const auto& one) { return one && one->is_ready(); });
}

bool broker_entry::has_connection() const noexcept {
    return std::any_of(connections.begin(), connections.end(), [](const auto& one) { return one != nullptr; });
}

broker_entry* broker_table::find(protocol::broker_id broker) noexcept {
    const auto it = brokers.find(broker);
    return it == brokers.end() ? nullptr : &it->second;
}

const broker_entry* broker_table::find(protocol::broker_id broker) const noexcept {
    const auto it = brokers.find(broker);
    return it == brokers.end() ? nullptr : &it->second;
}

broker_connection* broker_table::find(connection_key key) noexcept {
    auto* const broker = find(key.broker);
    return broker ? broker->connections[static_cast<std::size_t>(key.role)].get() : nullptr;
}

readiness broker_table::of(protocol::broker_id broker, connection_role role) const {
    if (stopped) return {readiness::state::backing_off, base::never};
    const auto* const entry = find(broker);
    return entry ? of(*entry, role) : readiness();
}

readiness broker_table::of(const broker_entry& broker, connection_role role) const {
    if (const auto* const connection = broker.connection(role)) {
        return {connection->is_ready() ? readiness::state::ready : readiness::state::connecting, base::never};
    }
    if (!is_backing_off(broker.id)) return {};
    const auto until = broker.backoff.allowed_at();
    return {readiness::state::backing_off, is_reachable() ? until : std::max(until, pacing.opens_at())};
}

exchange::broker_readiness broker_table::all_of(protocol::broker_id broker) const {
    if (stopped) return connections_view::all_of(broker);
    const auto* const entry = find(broker);
    constexpr auto not_asked = base::instant::min();
    if (!entry) return {{}, {not_asked, not_asked, not_asked}};
    using enum connection_role;
    return {{of(*entry, fetch), of(*entry, control), of(*entry, group)}, entry->throttled_until};
}

std::optional<std::int16_t> broker_table::usable_version(protocol::broker_id broker, protocol::api_key api,
                                                         std::int16_t cap) const {
    const auto* const entry = find(broker);
    if (!entry || !entry->versions) return std::nullopt;
    return protocol::usable_version(api, *entry->versions, cap);
}

bool broker_table::is_candidate(const broker_entry& broker) const noexcept {
    return broker.address && broker.is_bootstrap() == bootstrapping;
}

std::optional<protocol::broker_id> broker_table::any_broker(connection_role role, base::instant now) const {
    if (stopped) return std::nullopt;
    const broker_entry* soonest = nullptr;
    const broker_entry* under_way = nullptr;
    const broker_entry* untried = nullptr;
    const auto queue = [&](const broker_entry& one) {
        const auto silent_until = one.throttled_until[static_cast<std::size_t>(role)];
        return std::pair(std::max(silent_until, now), one.connection(role)->in_flight());
    };
    const auto rank = [](const broker_entry& one) {
        return std::tuple(!one.has_ready_connection(), one.last_tried, one.tie_break);
    };
    for (const auto& [id, broker] : brokers) {
        const auto* const connection = broker.connection(role);
        if (connection && connection->is_ready()) {
            if (!soonest || queue(broker) < queue(*soonest)) soonest = &broker;
        } else if (connection) {
            const bool counts = is_candidate(broker) && connection->phase() != connection_phase::awaiting_address;
            if (counts && (!under_way || broker.last_tried < under_way->last_tried)) under_way = &broker;
        } else if (is_candidate(broker) && !is_backing_off(id)) {
            if (!untried || rank(broker) < rank(*untried)) untried = &broker;
        }
    }
    if (soonest) return soonest->id;
    if (under_way && !(untried && slot_open && !is_reachable())) return under_way->id;
    return untried ? std::optional(untried->id) : std::nullopt;
}

base::instant broker_table::throttled_until(protocol::broker_id broker, connection_role role) const {
    const auto* const entry = find(broker);
    return entry ? entry->throttled_until[static_cast<std::size_t>(role)] : base::instant::min();
}

base::instant broker_table::backoff_ends() const noexcept {
    auto ends = base::never;
    for (const auto id : backing_off) ends = std::min(ends, find(id)->backoff.allowed_at());
    return ends == base::never || is_reachable() ? ends : std::max(ends, pacing.opens_at());
}

bool broker_table::is_cut_off() const noexcept {
    if (bootstrapping || is_reachable()) return false;
    const auto candidates =
        std::ranges::count_if(brokers, [&](const auto& entry) { return is_candidate(entry.second); });
    return pacing.failures() >=
           std::clamp(static_cast<int>(candidates), fewest_failures_of_a_lost_cluster, most_failures_of_a_lost_cluster);
}

bool broker_table::is_bootstrap_connected() const noexcept {
    return std::any_of(brokers.begin(), first_of_cluster(brokers),
                       [](const auto& entry) { return entry.second.has_connection(); });
}

bool broker_table::can_ask_cluster() const noexcept {
    return std::any_of(first_of_cluster(brokers), brokers.end(), [](const auto& entry) {
        const auto* const control = entry.second.connection(connection_role::control);
        return control && control->is_ready();
    });
}

std::vector<address_failure> broker_table::failures() const {
    std::vector<address_failure> all;
    const auto add = [&](const broker_entry& broker) {
        if (broker.failure) all.push_back(*broker.failure);
    };
    const auto first = first_of_cluster(brokers);
    for (auto it = first; it != brokers.begin();) add((--it)->second);
    for (auto it = first; it != brokers.end(); ++it) add(it->second);
    return all;
}

}  // namespace strandline::core::connection
