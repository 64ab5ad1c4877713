// A cursor over bytes that reads the wire's primitive types.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/bytes.hpp"
#include "protocol/codec_error.hpp"

namespace strandline::protocol {

// Failure is sticky: after the first one every read gives zero or nothing, so that decoders stay linear and check once.
// It never reads past the end and never allocates.
class reader {
public:
    explicit reader(base::bytes_view bytes) noexcept : bytes_(bytes), end_(bytes.size()) {}

    std::int8_t int8() noexcept;
    std::int16_t int16() noexcept;
    std::int32_t int32() noexcept;
    std::int64_t int64() noexcept;
    std::uint32_t unsigned_varint() noexcept;
    std::int32_t varint() noexcept;  // zigzag
    std::int64_t varlong() noexcept;  // zigzag
    base::bytes_view raw(std::size_t count) noexcept;

    std::size_t offset() const noexcept { return offset_; }
    std::size_t remaining() const noexcept { return end_ - offset_; }

    // From here on only `count` bytes are there. Gives the end to widen to again.
    std::size_t narrow(std::size_t count) noexcept;
    void widen(std::size_t outer_end) noexcept;

    void fail(codec_fault fault) noexcept;
    bool failed() const noexcept { return fault_.has_value(); }
    // Set once failed; where it failed is offset().
    std::optional<codec_fault> fault() const noexcept { return fault_; }

private:
    std::uint64_t varint_of(std::size_t longest, unsigned bits) noexcept;

    base::bytes_view bytes_;
    std::size_t offset_ = 0;
    std::size_t end_;
    std::optional<codec_fault> fault_;
};

}  // namespace strandline::protocol
