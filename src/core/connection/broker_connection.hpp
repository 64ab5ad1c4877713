// One connection to one broker: bytes to answers, requests to bytes. It knows what it was ordered to do, not when.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/instant.hpp"
#include "core/boundary/core_config.hpp"
#include "core/connection/address_failure.hpp"
#include "core/connection/address_race.hpp"
#include "core/connection/connection_phase.hpp"
#include "core/connection/frame_inbox.hpp"
#include "core/connection/handshake.hpp"
#include "core/connection/in_flight_table.hpp"
#include "core/connection/network.hpp"
#include "core/exchange/request.hpp"
#include "core/kernel/walked_steps.hpp"
#include "protocol/ids.hpp"

namespace strandline::core::connection {

struct connection_key {
    protocol::broker_id broker;
    exchange::connection_role role = exchange::connection_role::control;
    friend auto operator<=>(const connection_key&, const connection_key&) = default;
};

// What connections give away: orders for the ports, answers for those who asked. Numbers attempts.
struct connection_outputs {
    std::vector<network_order> orders;
    std::vector<exchange::response> responses;
    std::uint64_t last_connection = 0;
    kernel::walked_steps walked;  // by any of them
};

// What an input made of the connection.
struct connection_change {
    enum class kind : std::uint8_t { none, became_ready, ended };
    kind what = kind::none;
    connection_failure why;  // of ended
};

class broker_connection {
public:
    broker_connection(connection_key key, const boundary::core_config& config, connection_outputs& out,
                      std::shared_ptr<base::memory_account> account);

    connection_key key() const noexcept { return key_; }
    connection_phase phase() const noexcept { return phase_; }
    bool is_ready() const noexcept { return phase_ == connection_phase::ready; }
    // Neither ready nor waiting for others: an attempt is under way.
    bool is_under_way() const noexcept;
    // A broker answered more than the handshake.
    bool has_answered() const noexcept { return has_answered_; }
    std::size_t in_flight() const noexcept { return in_flight_.size(); }
    const protocol::broker_api_versions& versions() const noexcept { return handshake_->versions(); }
    // Only while resolving.
    query_id query() const noexcept { return query_; }
    // The address that connected, or nothing yet.
    const std::optional<ip_endpoint>& peer() const noexcept { return peer_; }
    // Times that the network woke the reactor for this attempt.
    int events() const noexcept { return events_; }
    // ---- for explanations
    const std::deque<in_flight_request>& requests() const noexcept { return in_flight_.all(); }
    base::instant started_at() const noexcept { return started_at_; }
    base::instant set_up_by() const noexcept { return set_up_by_; }
    base::instant last_used() const noexcept { return last_used_; }
    // Every id this connection has at the transport now.
    std::vector<connection_id> ids() const;

    // ---- the way to ready
    void queue();
    void resolve(query_id query, base::instant set_up_by, base::instant now);
    // Addresses are known: from queued or resolving. The time for set-up runs from the first of the two.
    void connect(std::vector<ip_endpoint> addresses, base::instant set_up_by, base::instant now);
    void set_identity(client_identity who) { identity_ = std::move(who); }

    connection_change on_connected(connection_id id, base::instant now);
    connection_change on_closed(connection_id id, const std::string& reason, base::instant now);
    connection_change on_name_not_resolved(const std::string& reason);
    connection_change on_time(base::instant now);
    // When on_time has something to do.
    base::instant deadline() const noexcept;

    // ---- bytes
    std::span<std::byte> room(connection_id id);
    std::size_t bytes_missing(connection_id id);
    bool received(connection_id id, std::size_t count);
    connection_change digest(base::instant now);

    // ---- requests; only while ready
    // Registers the request, then hands out its bytes. Gives it back as a failure if it cannot be encoded.
    std::optional<exchange::request_failure> send(const exchange::outbound_request& request, base::instant now);

    // Ends it: the transport hears of it, requests in flight fail as disconnected.
    void close(const std::string& why, base::instant now);

private:
    frame_inbox* inbox_of(connection_id id);
    void enter(connection_phase next);
    void start_due_attempts(base::instant now);
    connection_change ask_next_step(base::instant now);
    connection_change on_frame(const base::shared_bytes& frame, base::instant now);
    connection_change on_handshake_answer(const base::shared_bytes& body, base::instant now);
    connection_change malformed(std::string what);
    connection_change end(errc code, std::string what, bool rebootstrap = false);
    void respond(const in_flight_request& request, tl::expected<base::shared_bytes, exchange::request_failure> body,
                 base::instant now);
    void fail_expired(base::instant now);
    base::instant unused_until() const noexcept;

    connection_key key_;
    const boundary::core_config* config_;
    connection_outputs* out_;
    std::shared_ptr<base::memory_account> account_;
    client_identity identity_;

    connection_phase phase_ = connection_phase::awaiting_address;
    query_id query_;
    base::instant started_at_;
    base::instant set_up_by_ = base::never;
    int events_ = 0;
    address_race race_;

    connection_id id_;  // of the attempt that connected
    std::optional<ip_endpoint> peer_;
    std::unique_ptr<frame_inbox> inbox_;
    std::optional<handshake> handshake_;
    in_flight_table in_flight_;
    bool has_answered_ = false;
    base::instant last_used_;
};

}  // namespace strandline::core::connection
