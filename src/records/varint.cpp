#include "records/varint.hpp"

namespace strandline::records {

namespace {

constexpr std::uint64_t to_zig_zag(std::int64_t value) noexcept {
    return (static_cast<std::uint64_t>(value) << 1U) ^ static_cast<std::uint64_t>(value >> 63);
}

}  // namespace

void append_varint(std::vector<std::byte>& to, std::int64_t value) {
    auto encoded = to_zig_zag(value);
    for (; encoded >= 0x80U; encoded >>= 7U) to.push_back(static_cast<std::byte>((encoded & 0x7fU) | 0x80U));
    to.push_back(static_cast<std::byte>(encoded));
}

std::size_t varint_size(std::int64_t value) noexcept {
    std::size_t size = 1;
    for (auto encoded = to_zig_zag(value); encoded >= 0x80U; encoded >>= 7U) ++size;
    return size;
}

}  // namespace strandline::records
