// Every broker we know or were told to use, its connections, and what others may read of them.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "base/instant.hpp"
#include "core/boundary/core_config.hpp"
#include "core/connection/address_failure.hpp"
#include "core/connection/attempt_pacing.hpp"
#include "core/connection/broker_connection.hpp"
#include "core/exchange/connections_view.hpp"
#include "core/exchange/request_backoff.hpp"
#include "protocol/api_versions.hpp"

namespace strandline::core::connection {

inline constexpr std::size_t role_count = 3;
// Bootstrap servers are brokers -2, -3, ... in the order of the configuration.
inline constexpr std::int32_t first_bootstrap_broker = -2;

struct broker_entry {
    broker_entry(protocol::broker_id broker, boundary::backoff reconnect) : id(broker), backoff(reconnect) {}

    bool is_bootstrap() const noexcept { return id.value() <= first_bootstrap_broker; }
    const broker_connection* connection(exchange::connection_role role) const noexcept {
        return connections[static_cast<std::size_t>(role)].get();
    }
    bool has_ready_connection() const noexcept;
    bool has_connection() const noexcept;

    protocol::broker_id id;
    std::optional<boundary::host_port> address;
    exchange::request_backoff backoff;
    std::optional<protocol::broker_api_versions> versions;
    std::array<std::unique_ptr<broker_connection>, role_count> connections;
    std::array<base::instant, role_count> throttled_until{base::instant::min(), base::instant::min(),
                                                          base::instant::min()};
    std::uint64_t last_tried = 0;   // orders attempts; never tried: 0
    std::uint64_t tie_break = 0;    // random, so that many clients do not all begin with the same broker
    std::optional<address_failure> failure;  // of the newest attempt, none since it worked
};

class broker_table final : public exchange::connections_view {
public:
    explicit broker_table(boundary::backoff reconnect) : pacing(reconnect) {}

    // ---- for others
    exchange::readiness of(protocol::broker_id broker, exchange::connection_role role) const override;
    std::optional<std::int16_t> usable_version(protocol::broker_id broker, protocol::api_key api,
                                               std::int16_t cap) const override;
    std::optional<protocol::broker_id> any_broker(exchange::connection_role role, base::instant now) const override;
    base::instant throttled_until(protocol::broker_id broker, exchange::connection_role role) const override;
    exchange::broker_readiness all_of(protocol::broker_id broker) const override;

    // ---- for the connection manager
    broker_entry* find(protocol::broker_id broker) noexcept;
    const broker_entry* find(protocol::broker_id broker) const noexcept;
    broker_connection* find(connection_key key) noexcept;
    // Attempts need no pacing while somebody is connected.
    bool is_reachable() const noexcept { return ready > 0; }
    bool is_backing_off(protocol::broker_id broker) const { return backing_off.contains(broker); }
    // When the next broker stops backing off; never if none does.
    base::instant backoff_ends() const noexcept;
    // Brokers that may be asked anything: the cluster's, or the bootstrap servers while those are unknown.
    bool is_candidate(const broker_entry& broker) const noexcept;
    // So much was tried in vain that the cluster may be elsewhere by now.
    bool is_cut_off() const noexcept;
    bool is_bootstrap_connected() const noexcept;
    // One of the cluster's own brokers.
    bool can_ask_cluster() const noexcept;
    // Per address that was tried and has not worked since: bootstrap servers as configured, then the cluster's.
    std::vector<address_failure> failures() const;

    std::map<protocol::broker_id, broker_entry> brokers;
    std::set<protocol::broker_id> backing_off;  // no new attempts before their backoff allows
    attempt_pacing pacing;
    bool bootstrapping = true;  // the cluster's brokers are not known
    bool slot_open = true;      // pacing lets another attempt start
    bool stopped = false;       // nothing is opened any more
    int ready = 0;              // connections

private:
    exchange::readiness of(const broker_entry& broker, exchange::connection_role role) const;
};

}  // namespace strandline::core::connection
