// One connection to a broker on loopback, used as a test uses it: send, then wait for what comes.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "base/bytes.hpp"
#include "protocol/frame.hpp"

namespace strandline::conformance::broker {

class conversation {
public:
    // Throws std::system_error when nobody listens there.
    explicit conversation(std::uint16_t port);
    ~conversation();
    conversation(const conversation&) = delete;
    conversation& operator=(const conversation&) = delete;

    // A whole frame. What the broker thinks of it shows when something is received.
    void send(base::bytes_view frame);
    // The content of the next frame; nothing when the broker has hung up. Throws std::runtime_error when neither
    // happens in time.
    std::optional<base::shared_bytes> receive(std::chrono::milliseconds patience);

private:
    int socket_;
    protocol::frame_splitter frames_;
};

}  // namespace strandline::conformance::broker
