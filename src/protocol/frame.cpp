#include "protocol/frame.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include <boost/endian/conversion.hpp>
#include <fmt/format.h>

namespace strandline::protocol {

namespace {

constexpr std::size_t length_bytes = sizeof(std::int32_t);
// Larger frames get their buffer as soon as their length is known. What of them arrived here is copied over, so this is
// small beside a frame that carries records.
constexpr std::size_t arriving_bytes = std::size_t{16} * 1024;
// Believed of a length before more of the frame is there. What a partition gives by default fits several times, so
// usual frames are never moved.
constexpr std::size_t believed_bytes = std::size_t{8} * 1024 * 1024;
constexpr std::size_t growth = 4;

std::int32_t length_at(const std::byte* place) noexcept {
    std::int32_t length{};
    std::memcpy(&length, place, sizeof length);
    return boost::endian::big_to_native(length);
}

// An alert or handshake record of any version since SSL 3: type, 3, minor version.
bool looks_like_tls(base::bytes_view start) noexcept {
    constexpr std::byte alert{0x15};
    constexpr std::byte handshake{0x16};
    constexpr std::byte newest_minor{4};
    return (start[0] == alert || start[0] == handshake) && start[1] == std::byte{3} && start[2] <= newest_minor;
}

// The start of an answer, or of a request.
bool looks_like_http(base::bytes_view start) noexcept {
    const auto text = base::as_text(start);
    for (const std::string_view word : {"HTTP", "GET ", "POST", "PUT ", "HEAD", "OPTI"}) {
        if (text == word) return true;
    }
    return false;
}

}  // namespace

std::string frame_error::to_string() const {
    switch (kind) {
        case frame_fault::oversized: return fmt::format("a frame of {} bytes exceeds the limit of {}", length, limit);
        case frame_fault::negative: return fmt::format("a frame of negative length {}", length);
        case frame_fault::tls_record: return "the peer speaks TLS on a connection that does not";
        case frame_fault::http_message: return "the peer speaks HTTP, not Kafka's protocol";
    }
    return "unknown fault";
}

frame_splitter::frame_splitter(std::size_t max_frame_bytes, std::shared_ptr<base::memory_account> account)
    : max_frame_bytes_(max_frame_bytes), account_(std::move(account)) {}

std::span<std::byte> frame_splitter::prepare() {
    if (large_) {
        if (large_filled_ == large_.capacity()) grow_large();
        return large_.writable().subspan(large_filled_);
    }
    if (!arriving_) arriving_ = base::buffer(arriving_bytes);
    if (arrived_begin_ > 0) {
        auto* const start = arriving_.writable().data();
        std::memmove(start, start + arrived_begin_, arrived_end_ - arrived_begin_);
        arrived_end_ -= std::exchange(arrived_begin_, 0);
    }
    return arriving_.writable().subspan(arrived_end_);
}

void frame_splitter::commit(std::size_t count) noexcept { (large_ ? large_filled_ : arrived_end_) += count; }

std::optional<base::shared_bytes> frame_splitter::next_frame() {
    if (error_) return std::nullopt;
    if (!large_) return next_of_arrived();
    if (large_filled_ < large_length_) return std::nullopt;
    return std::exchange(large_, {}).freeze(large_length_);
}

std::optional<base::shared_bytes> frame_splitter::next_of_arrived() {
    const auto arrived = arriving_.writable().subspan(arrived_begin_, arrived_end_ - arrived_begin_);
    if (arrived.size() < length_bytes) return std::nullopt;
    const auto signed_length = length_at(arrived.data());
    const auto length = static_cast<std::size_t>(signed_length);
    if (signed_length < 0) {
        refuse(frame_fault::negative, signed_length);
    } else if (length > max_frame_bytes_) {
        const auto start = base::bytes_view(arrived).first(length_bytes);
        refuse(looks_like_tls(start)    ? frame_fault::tls_record
               : looks_like_http(start) ? frame_fault::http_message
                                        : frame_fault::oversized,
               signed_length);
    } else if (length <= arrived.size() - length_bytes) {
        arrived_begin_ += length_bytes + length;
        return base::shared_bytes::copy_of(arrived.subspan(length_bytes, length), account_);
    } else if (length > arriving_bytes - length_bytes) {
        start_large(length);
    }
    return std::nullopt;
}

void frame_splitter::start_large(std::size_t length) {
    large_length_ = length;
    large_ = base::buffer(std::min(length, believed_bytes), account_);
    const auto* const begin = arriving_.writable().data() + arrived_begin_ + length_bytes;
    large_filled_ = arrived_end_ - arrived_begin_ - length_bytes;
    std::memcpy(large_.writable().data(), begin, large_filled_);
    arrived_begin_ = arrived_end_ = 0;
}

void frame_splitter::grow_large() {
    base::buffer larger(std::min(large_length_, large_.capacity() * growth), account_);
    std::memcpy(larger.writable().data(), large_.writable().data(), large_filled_);
    large_ = std::move(larger);
}

void frame_splitter::refuse(frame_fault kind, std::int32_t length) noexcept {
    error_ = frame_error{.kind = kind, .length = length, .limit = max_frame_bytes_};
}

}  // namespace strandline::protocol
