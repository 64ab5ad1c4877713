// A cursor that appends the wire's primitive types to a buffer it grows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/bytes.hpp"

namespace strandline::protocol {

class writer {
public:
    // With the right capacity there is one allocation and no copy.
    explicit writer(std::size_t capacity = 0);

    void int8(std::int8_t value);
    void int16(std::int16_t value);
    void int32(std::int32_t value);
    void int64(std::int64_t value);
    void unsigned_varint(std::uint32_t value);
    void varint(std::int32_t value);   // zigzag
    void varlong(std::int64_t value);  // zigzag
    void raw(base::bytes_view bytes);

    // Writes over four bytes that were written before: a length that is known only at the end.
    void patch_int32(std::size_t at, std::int32_t value) noexcept;

    std::size_t size() const noexcept { return size_; }
    // What was written. The writer is empty afterwards.
    base::shared_bytes take() &&;

private:
    std::byte* extend(std::size_t count);

    base::buffer buffer_;
    std::size_t size_ = 0;
};

}  // namespace strandline::protocol
