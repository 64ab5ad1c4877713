#include "records/header_range.hpp"

#include <algorithm>

#include "records/varint.hpp"

namespace strandline::records {

bool operator==(const record_header& a, const record_header& b) noexcept {
    if (a.name != b.name || a.value.has_value() != b.value.has_value()) return false;
    return !a.value || std::ranges::equal(*a.value, *b.value);
}

void header_range::iterator::decode() noexcept {
    // The lengths were checked with the record: reading without looking for the end stays inside it.
    std::uint32_t encoded = 0;
    read_varint_unchecked(at_, encoded);
    const auto name_size = static_cast<std::size_t>(from_zig_zag(encoded));
    current_.name = base::as_text({at_, name_size});
    at_ += name_size;
    read_varint_unchecked(at_, encoded);
    const auto value_size = from_zig_zag(encoded);
    current_.value.reset();
    if (value_size < 0) return;
    current_.value = base::bytes_view{at_, static_cast<std::size_t>(value_size)};
    at_ += value_size;
}

}  // namespace strandline::records
