// Takes what a writer takes and only counts it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/bytes.hpp"
#include "protocol/varint.hpp"

namespace strandline::protocol {

class byte_counter {
public:
    void int8(std::int8_t) noexcept { size_ += sizeof(std::int8_t); }
    void int16(std::int16_t) noexcept { size_ += sizeof(std::int16_t); }
    void int32(std::int32_t) noexcept { size_ += sizeof(std::int32_t); }
    void int64(std::int64_t) noexcept { size_ += sizeof(std::int64_t); }
    void unsigned_varint(std::uint32_t value) noexcept { size_ += varint_size(value); }
    void raw(base::bytes_view bytes) noexcept { size_ += bytes.size(); }

    std::size_t size() const noexcept { return size_; }

private:
    std::size_t size_ = 0;
};

}  // namespace strandline::protocol
