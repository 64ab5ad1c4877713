#include "tests/conformance/broker/conversation.hpp"

#include <arpa/inet.h>
#include <cerrno>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdexcept>
#include <sys/socket.h>
#include <system_error>
#include <unistd.h>

namespace strandline::conformance::broker {

namespace {

using clock = std::chrono::steady_clock;

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

}  // namespace

conversation::conversation(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    if (socket_ < 0) fail("socket");
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
        const int error = errno;
        ::close(socket_);
        throw std::system_error(error, std::generic_category(), "connect");
    }
    const int on = 1;
    ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

conversation::~conversation() { ::close(socket_); }

void conversation::send(base::bytes_view frame) {
    while (!frame.empty()) {
        const auto sent = ::send(socket_, frame.data(), frame.size(), MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0 && (errno == EPIPE || errno == ECONNRESET)) return;
        if (sent < 0) fail("send");
        frame = frame.subspan(static_cast<std::size_t>(sent));
    }
}

std::optional<base::shared_bytes> conversation::receive(std::chrono::milliseconds patience) {
    const auto deadline = clock::now() + patience;
    while (true) {
        if (auto frame = frames_.next_frame()) return frame;
        if (frames_.error()) throw std::runtime_error("the broker sent something that is no frame");
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - clock::now()).count();
        if (left <= 0) throw std::runtime_error("no answer in " + std::to_string(patience.count()) + " ms");
        pollfd waiting{socket_, POLLIN, 0};
        if (::poll(&waiting, 1, static_cast<int>(left)) <= 0) continue;
        const auto room = frames_.prepare();
        const auto got = ::recv(socket_, room.data(), room.size(), 0);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0 && errno != ECONNRESET) fail("recv");
        if (got <= 0) return std::nullopt;
        frames_.commit(static_cast<std::size_t>(got));
    }
}

}  // namespace strandline::conformance::broker
