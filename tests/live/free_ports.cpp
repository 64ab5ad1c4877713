// Tries to bind them, one after another, from a start that differs from process to process.
#include "tests/live/free_ports.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdexcept>
#include <sys/socket.h>
#include <unistd.h>

namespace strandline::live {

namespace {

constexpr std::uint32_t lowest = 20000;
constexpr std::uint32_t span = 12000;
// Test programs that start together get starts this far apart.
constexpr std::uint32_t stride = 64;

class loopback_socket {
public:
    explicit loopback_socket(std::uint16_t port) : descriptor_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        address_.sin_family = AF_INET;
        address_.sin_port = htons(port);
        address_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    }
    ~loopback_socket() { ::close(descriptor_); }
    loopback_socket(const loopback_socket&) = delete;
    loopback_socket& operator=(const loopback_socket&) = delete;

    bool bind() { return ::bind(descriptor_, address(), sizeof address_) == 0; }
    bool connect() { return ::connect(descriptor_, address(), sizeof address_) == 0; }

private:
    const sockaddr* address() const { return reinterpret_cast<const sockaddr*>(&address_); }

    int descriptor_;
    sockaddr_in address_{};
};

}  // namespace

std::vector<std::uint16_t> free_ports(std::size_t count) {
    static std::uint32_t next = static_cast<std::uint32_t>(::getpid()) * stride;
    std::vector<std::uint16_t> ports;
    for (std::uint32_t tried = 0; ports.size() < count && tried < span; ++tried) {
        const auto port = static_cast<std::uint16_t>(lowest + next++ % span);
        if (loopback_socket(port).bind()) ports.push_back(port);
    }
    if (ports.size() < count) throw std::runtime_error("no free ports on loopback");
    return ports;
}

bool is_listening(std::uint16_t port) { return loopback_socket(port).connect(); }

}  // namespace strandline::live
