#include "tests/bench/null_broker/client_connection.hpp"

#include <algorithm>
#include <cerrno>
#include <sys/socket.h>
#include <unistd.h>

namespace strandline::bench {

client_connection::~client_connection() { ::close(socket_); }

bool client_connection::receive() {
    const auto room = splitter_.prepare();
    const auto got = ::recv(socket_, room.data(), room.size(), 0);
    if (got < 0) return errno == EAGAIN || errno == EINTR;
    if (got == 0) return false;
    splitter_.commit(static_cast<std::size_t>(got));
    return !splitter_.error();
}

bool client_connection::send() {
    constexpr std::size_t most_pieces = 1024;  // IOV_MAX
    while (!outgoing_.empty()) {
        auto& frame = outgoing_.front();
        msghdr message{};
        message.msg_iov = const_cast<iovec*>(frame.pieces());
        message.msg_iovlen = std::min(frame.piece_count(), most_pieces);
        const auto sent = ::sendmsg(socket_, &message, MSG_NOSIGNAL);
        if (sent < 0) return errno == EAGAIN || errno == EINTR;
        frame.advance(static_cast<std::size_t>(sent));
        if (frame.sent()) outgoing_.pop_front();
    }
    return true;
}

}  // namespace strandline::bench
