// One client's connection to the null broker: frames in, frames out, at most one fetch that waits.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "base/bytes.hpp"
#include "protocol/frame.hpp"
#include "tests/bench/null_broker/fetch_answer.hpp"
#include "tests/bench/null_broker/outgoing_frame.hpp"

namespace strandline::bench {

class client_connection {
public:
    explicit client_connection(int socket) noexcept : socket_(socket) {}
    client_connection(const client_connection&) = delete;
    client_connection& operator=(const client_connection&) = delete;
    ~client_connection();

    int socket() const noexcept { return socket_; }

    // Reads what is there. False: the client is gone, or sends what is no frame.
    bool receive();
    std::optional<base::shared_bytes> next_frame() { return splitter_.next_frame(); }

    void queue(outgoing_frame frame) { outgoing_.push_back(std::move(frame)); }
    // Sends what the socket takes. False: the client is gone.
    bool send();
    bool has_unsent() const noexcept { return !outgoing_.empty(); }

    // While a fetch waits no further request is looked at: answers keep the order of the requests.
    std::optional<asked_fetch> waiting;
    // Nothing on it is looked at any more, and it stays open.
    bool is_mute = false;
    // What the connection was registered for.
    std::uint32_t events = 0;

private:
    int socket_;
    protocol::frame_splitter splitter_;
    std::deque<outgoing_frame> outgoing_;
};

}  // namespace strandline::bench
