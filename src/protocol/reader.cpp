#include "protocol/reader.hpp"

#include <cstring>

#include <boost/endian/conversion.hpp>

#include "protocol/varint.hpp"

namespace strandline::protocol {

namespace {

// Of bytes that may be missing, if the reader has failed.
template <class Number>
Number get_big_endian(base::bytes_view bytes) noexcept {
    Number value{};
    if (bytes.size() == sizeof value) std::memcpy(&value, bytes.data(), sizeof value);
    return boost::endian::big_to_native(value);
}

}  // namespace

base::bytes_view reader::raw(std::size_t count) noexcept {
    if (failed()) return {};
    if (count > remaining()) {
        fail(codec_fault::truncated);
        return {};
    }
    const auto taken = bytes_.subspan(offset_, count);
    offset_ += count;
    return taken;
}

std::int8_t reader::int8() noexcept { return get_big_endian<std::int8_t>(raw(sizeof(std::int8_t))); }
std::int16_t reader::int16() noexcept { return get_big_endian<std::int16_t>(raw(sizeof(std::int16_t))); }
std::int32_t reader::int32() noexcept { return get_big_endian<std::int32_t>(raw(sizeof(std::int32_t))); }
std::int64_t reader::int64() noexcept { return get_big_endian<std::int64_t>(raw(sizeof(std::int64_t))); }

std::uint64_t reader::varint_of(std::size_t longest, unsigned bits) noexcept {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < longest; ++i) {
        const auto byte = static_cast<std::uint8_t>(int8());
        if (failed()) return 0;
        const auto shift = static_cast<unsigned>(7 * i);
        const std::uint64_t group = byte & 0x7fU;
        // The last group may not carry bits that the number has no place for.
        if (shift + 7 > bits && (group >> (bits - shift)) != 0) break;
        value |= group << shift;
        if ((byte & 0x80U) == 0) return value;
    }
    fail(codec_fault::bad_varint);
    return 0;
}

std::uint32_t reader::unsigned_varint() noexcept { return static_cast<std::uint32_t>(varint_of(longest_varint, 32)); }
std::int32_t reader::varint() noexcept { return unzigzag(unsigned_varint()); }
std::int64_t reader::varlong() noexcept { return unzigzag(varint_of(longest_varlong, 64)); }

std::size_t reader::narrow(std::size_t count) noexcept {
    const auto outer = end_;
    if (count > remaining()) {
        fail(codec_fault::truncated);
    } else {
        end_ = offset_ + count;
    }
    return outer;
}

void reader::widen(std::size_t outer_end) noexcept { end_ = outer_end; }

void reader::fail(codec_fault fault) noexcept {
    if (!fault_) fault_ = fault;
}

}  // namespace strandline::protocol
