// The life of a connection to a broker, as a table.
#pragma once

#include <cstdint>
#include <string_view>

namespace strandline::core::connection {

enum class connection_phase : std::uint8_t {
    awaiting_address,  // wanted, but nobody has told where this broker is; ends with the cluster's next answer
    queued,            // no broker is reachable and attempts are spaced out; ends when its turn comes
    resolving,         // its name was given to the resolver; ends with the addresses
    connecting,        // one or more of its addresses are being tried; ends with the first that connects
    handshaking,       // bytes flow, the table of handshake steps is being walked
    ready,             // requests are taken
    closed,            // nothing more comes of it
};

bool may_follow(connection_phase from, connection_phase to) noexcept;
std::string_view to_string(connection_phase phase) noexcept;

}  // namespace strandline::core::connection
