// A frame on its way to a client: bytes of its own, and batches that it shares with every other one.
#pragma once

#include <cstddef>
#include <sys/uio.h>
#include <vector>

#include "base/bytes.hpp"
#include "protocol/writer.hpp"

namespace strandline::bench {

class outgoing_frame {
public:
    outgoing_frame() = default;
    // A whole frame, length included.
    explicit outgoing_frame(base::shared_bytes whole) : own_(std::move(whole)) { split(); }

    // Appends bytes that outlive the frame, behind what was written so far.
    void share(protocol::writer& own, base::bytes_view bytes) {
        shared_.push_back({own.size(), bytes});
        shared_bytes_ += bytes.size();
    }
    // Sets the length, which the first four bytes written were kept free for.
    void seal(protocol::writer own);

    // What is left to send.
    const iovec* pieces() const noexcept { return pieces_.data() + next_; }
    std::size_t piece_count() const noexcept { return pieces_.size() - next_; }
    // `count` of the bytes left were sent; gives how many of them belonged to this frame.
    std::size_t advance(std::size_t count) noexcept;
    bool sent() const noexcept { return next_ == pieces_.size(); }

private:
    struct shared_piece {
        std::size_t at;  // bytes of our own before it
        base::bytes_view bytes;
    };
    void split();
    void add(base::bytes_view bytes);

    base::shared_bytes own_;
    std::vector<shared_piece> shared_;
    std::size_t shared_bytes_ = 0;
    std::vector<iovec> pieces_;
    std::size_t next_ = 0;
};

}  // namespace strandline::bench
