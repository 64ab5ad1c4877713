// Cuts a byte stream into frames: an int32 length, then that many bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/bytes.hpp"
#include "protocol/limits.hpp"

namespace strandline::protocol {

enum class frame_fault : std::uint8_t {
    oversized,      // longer than the limit
    negative,       // a length below zero
    tls_answered,   // the peer speaks TLS: a handshake or alert record stands where a length should
    http_answered,  // the peer speaks HTTP
};

struct frame_error {
    frame_fault kind{};
    std::int32_t length{};  // what was read as a length
    std::size_t limit{};

    std::string to_string() const;
    bool operator==(const frame_error&) const = default;
};

// Holds no socket: it says where to read to next, hears how much arrived, and gives whole frames.
// A large frame is read straight into a buffer of its size; small ones share a buffer. The account hears of both.
//     const auto room = splitter.prepare(); ... splitter.commit(n); while (auto frame = splitter.next_frame()) ...
class frame_splitter {
public:
    explicit frame_splitter(std::size_t max_frame_bytes = limits::frame_bytes,
                            std::shared_ptr<base::memory_account> account = {});

    // Bounds the frames whose length has not been read yet.
    void set_max_frame_bytes(std::size_t bytes) noexcept { max_frame_bytes_ = bytes; }

    // Where the next bytes of the stream belong; never empty unless failed. Valid until the next call of prepare.
    std::span<std::byte> prepare();
    // `count` bytes have been written to the front of what prepare gave.
    void commit(std::size_t count);

    // The next whole frame, without its length. Nothing: read on, or look at error().
    std::optional<base::shared_bytes> next_frame();
    // The stream cannot be read on.
    const std::optional<frame_error>& error() const noexcept { return error_; }

private:
    std::size_t max_frame_bytes_;
    std::shared_ptr<base::memory_account> account_;
    std::optional<frame_error> error_;
};

}  // namespace strandline::protocol
