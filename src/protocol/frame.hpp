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
    oversized,    // longer than the limit
    negative,     // a length below zero
    tls_record,   // the peer speaks TLS: an alert or a handshake stands where a length should
    http_message  // the peer speaks HTTP
};

struct frame_error {
    frame_fault kind{};
    std::int32_t length{};  // what was read as a length
    std::size_t limit{};

    std::string to_string() const;
    bool operator==(const frame_error&) const = default;
};

// Holds no socket: it says where to read to next, hears how much arrived, and gives whole frames.
//     const auto room = splitter.prepare();
//     splitter.commit(read(room));
//     while (auto frame = splitter.next_frame()) ...
// A frame is one allocation of its own size. A large one is read straight into it; a small one, and the beginning of a
// large one, passes through a small buffer, because several of them may arrive in one read. A very large one is moved
// into ever larger allocations while it arrives: what its length alone takes is bounded.
class frame_splitter {
public:
    // The account hears of the frames.
    explicit frame_splitter(std::size_t max_frame_bytes = limits::frame_bytes,
                            std::shared_ptr<base::memory_account> account = {});

    // Bounds the frames whose length has not been read yet.
    void set_max_frame_bytes(std::size_t bytes) noexcept { max_frame_bytes_ = bytes; }

    // Where the next bytes of the stream belong. Never empty, provided that next_frame was asked until it gave nothing.
    std::span<std::byte> prepare();
    // `count` bytes have been written to the front of what prepare gave.
    void commit(std::size_t count) noexcept;

    // How many bytes are missing of a large frame that has begun; 0: none has.
    std::size_t missing() const noexcept { return large_ ? large_length_ - large_filled_ : 0; }

    // The next whole frame, without its length. Nothing: read on, unless there is an error.
    std::optional<base::shared_bytes> next_frame();
    // Once set, the stream cannot be read on.
    const std::optional<frame_error>& error() const noexcept { return error_; }

    // Bytes of a frame that is not whole yet. A stream that ends while there are some ends in the middle of a frame.
    std::size_t unfinished() const noexcept { return large_ ? large_filled_ : arrived_end_ - arrived_begin_; }

private:
    std::optional<base::shared_bytes> next_of_arrived();
    void start_large(std::size_t length);
    void grow_large();
    void refuse(frame_fault kind, std::int32_t length) noexcept;

    std::size_t max_frame_bytes_;
    std::shared_ptr<base::memory_account> account_;
    std::optional<frame_error> error_;

    base::buffer arriving_;  // [arrived_begin_, arrived_end_) of it is not cut yet
    std::size_t arrived_begin_ = 0;
    std::size_t arrived_end_ = 0;
    base::buffer large_;  // the frame that is being read, if it is a large one; as much of it as there is room for yet
    std::size_t large_length_ = 0;
    std::size_t large_filled_ = 0;
};

}  // namespace strandline::protocol
