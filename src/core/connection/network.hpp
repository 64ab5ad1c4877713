// Between connections and the reactor's ports: bytes and events in, orders out. All values.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "base/bytes.hpp"
#include "base/strong.hpp"
#include "core/boundary/core_config.hpp"

namespace strandline::core::connection {

// One attempt to connect and what comes of it; never used twice.
using connection_id = base::strong<struct connection_id_tag, std::uint64_t>;
using query_id = base::strong<struct query_id_tag, std::uint64_t>;

// A literal IPv4 or IPv6 address.
struct ip_endpoint {
    std::string address;
    std::uint16_t port = 0;
    friend bool operator==(const ip_endpoint&, const ip_endpoint&) = default;
};

// ---- orders, carried out after the decision is published
struct open_connection {
    connection_id id;
    ip_endpoint to;
};
// Writes are carried out in order; a connection that cannot take them reports closed.
struct write_bytes {
    connection_id id;
    base::shared_bytes bytes;
};
struct close_connection {
    connection_id id;
};
struct resolve_name {
    query_id id;
    boundary::host_port name;
};
using network_order = std::variant<open_connection, write_bytes, close_connection, resolve_name>;

// ---- events
struct connected {
    connection_id id;
};
// The attempt failed, the peer closed (empty reason), or the transport failed. Nothing more comes of this id.
struct closed {
    connection_id id;
    std::string reason;
};
struct name_resolved {
    query_id id;
    std::vector<ip_endpoint> addresses;  // empty: it failed
    std::string reason;                  // then
};
using network_event = std::variant<connected, closed, name_resolved>;

// Bytes are not an event: the transport asks connection_manager where to read next (receive_room) and tells how many
// came (received), which answers whether a whole frame, hence work for a turn, is there.

}  // namespace strandline::core::connection
