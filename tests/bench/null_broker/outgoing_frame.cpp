#include "tests/bench/null_broker/outgoing_frame.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace strandline::bench {

void outgoing_frame::seal(protocol::writer own) {
    own.patch_int32(0, static_cast<std::int32_t>(own.size() + shared_bytes_ - sizeof(std::int32_t)));
    own_ = std::move(own).take();
    split();
}

void outgoing_frame::split() {
    pieces_.reserve(2 * shared_.size() + 1);
    std::size_t at = 0;
    for (const auto& piece : shared_) {
        add(own_.view().subspan(at, piece.at - at));
        add(piece.bytes);
        at = piece.at;
    }
    add(own_.view().subspan(at));
}

void outgoing_frame::add(base::bytes_view bytes) {
    // iovec has no const; sendmsg writes nothing through it.
    if (!bytes.empty()) pieces_.push_back({const_cast<std::byte*>(bytes.data()), bytes.size()});
}

std::size_t outgoing_frame::advance(std::size_t count) noexcept {
    std::size_t taken = 0;
    while (taken < count && next_ < pieces_.size()) {
        auto& piece = pieces_[next_];
        const auto part = std::min(count - taken, piece.iov_len);
        taken += part;
        if (part == piece.iov_len) {
            ++next_;
        } else {
            piece.iov_base = static_cast<std::byte*>(piece.iov_base) + part;
            piece.iov_len -= part;
        }
    }
    return taken;
}

}  // namespace strandline::bench
