// Loopback ports nobody listens on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace strandline::live {

// Below the range from which the kernel takes ports for outgoing connections: a broker that is down must find its port
// free when it comes back, and a client that tries a dead broker's port must not end up connected to itself.
std::vector<std::uint16_t> free_ports(std::size_t count);

// Whether somebody accepts connections there.
bool is_listening(std::uint16_t port);

}  // namespace strandline::live
