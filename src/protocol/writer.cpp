#include "protocol/writer.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include <boost/endian/conversion.hpp>

#include "protocol/varint.hpp"

namespace strandline::protocol {

namespace {

constexpr std::size_t smallest_growth = 256;

template <class Number>
void put_big_endian(std::byte* to, Number value) noexcept {
    boost::endian::native_to_big_inplace(value);
    std::memcpy(to, &value, sizeof value);
}

}  // namespace

writer::writer(std::size_t capacity) {
    if (capacity > 0) buffer_ = base::buffer(capacity);
}

std::byte* writer::extend(std::size_t count) {
    if (count > buffer_.capacity() - size_) {
        base::buffer larger(std::max({size_ + count, 2 * buffer_.capacity(), smallest_growth}));
        if (size_ > 0) std::memcpy(larger.writable().data(), buffer_.writable().data(), size_);
        buffer_ = std::move(larger);
    }
    auto* const place = buffer_.writable().data() + size_;
    size_ += count;
    return place;
}

void writer::int8(std::int8_t value) { *extend(1) = static_cast<std::byte>(value); }
void writer::int16(std::int16_t value) { put_big_endian(extend(sizeof value), value); }
void writer::int32(std::int32_t value) { put_big_endian(extend(sizeof value), value); }
void writer::int64(std::int64_t value) { put_big_endian(extend(sizeof value), value); }

void writer::unsigned_varint(std::uint32_t value) { put_varint(extend(varint_size(value)), value); }
void writer::varint(std::int32_t value) { unsigned_varint(zigzag(value)); }
void writer::varlong(std::int64_t value) {
    const auto mapped = zigzag(value);
    put_varint(extend(varint_size(mapped)), mapped);
}

void writer::raw(base::bytes_view bytes) {
    if (!bytes.empty()) std::memcpy(extend(bytes.size()), bytes.data(), bytes.size());
}

void writer::patch_int32(std::size_t at, std::int32_t value) noexcept {
    put_big_endian(buffer_.writable().data() + at, value);
}

base::shared_bytes writer::take() && {
    const auto length = std::exchange(size_, 0);
    return std::move(buffer_).freeze(length);
}

}  // namespace strandline::protocol
