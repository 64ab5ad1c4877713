// What has arrived on one connection and was not looked at yet: bytes become frames between turns, answers within one.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/bytes.hpp"
#include "protocol/frame.hpp"

namespace strandline::core::connection {

class frame_inbox {
public:
    explicit frame_inbox(std::shared_ptr<base::memory_account> account)
        : splitter_(protocol::limits::handshake_frame_bytes, std::move(account)) {}

    void set_max_frame_bytes(std::size_t bytes) noexcept { splitter_.set_max_frame_bytes(bytes); }
    // Empty once the stream cannot be read on.
    std::span<std::byte> room() { return error() ? std::span<std::byte>{} : splitter_.prepare(); }
    std::size_t bytes_missing() const noexcept { return error() ? 0 : splitter_.missing(); }
    // True: there is something to look at.
    bool received(std::size_t count) {
        splitter_.commit(count);
        while (auto frame = splitter_.next_frame()) frames_.push_back(*std::move(frame));
        return !frames_.empty() || error();
    }

    std::vector<base::shared_bytes> take_frames() { return std::exchange(frames_, {}); }
    const std::optional<protocol::frame_error>& error() const noexcept { return splitter_.error(); }

private:
    protocol::frame_splitter splitter_;
    std::vector<base::shared_bytes> frames_;
};

}  // namespace strandline::core::connection
