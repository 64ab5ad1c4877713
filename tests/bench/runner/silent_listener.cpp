#include "tests/bench/runner/silent_listener.hpp"

#include <arpa/inet.h>
#include <cerrno>
#include <netinet/in.h>
#include <sys/socket.h>
#include <system_error>
#include <unistd.h>

namespace strandline::bench {

// Nobody accepts: the kernel completes the connections, and keeps what is sent on them.
silent_listener::silent_listener() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const generic = reinterpret_cast<sockaddr*>(&address);
    const bool listens = socket_ >= 0 && ::bind(socket_, generic, size) == 0 && ::listen(socket_, SOMAXCONN) == 0 &&
                         ::getsockname(socket_, generic, &size) == 0;
    if (!listens) throw std::system_error(errno, std::generic_category(), "a listener");
    address_ = "127.0.0.1:" + std::to_string(ntohs(address.sin_port));
}

silent_listener::~silent_listener() { ::close(socket_); }

}  // namespace strandline::bench
