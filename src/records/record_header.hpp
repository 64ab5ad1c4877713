// One header of a record.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/bytes.hpp"
#include "records/varint.hpp"

namespace strandline::records {

// Names may repeat and their order counts. A null value is not an empty one.
struct record_header {
    std::string_view name;
    std::optional<base::bytes_view> value;
};
bool operator==(const record_header& a, const record_header& b) noexcept;

// Moves past the header at `at`. Its extent was checked when its record was decoded, so that nothing here looks where
// the bytes end, and reading cannot fail.
inline record_header read_header(const std::byte*& at) noexcept {
    record_header read;
    std::uint32_t encoded = 0;
    read_varint_unchecked(at, encoded);
    const auto name_size = static_cast<std::size_t>(from_zig_zag(encoded));
    read.name = base::as_text({at, name_size});
    at += name_size;
    read_varint_unchecked(at, encoded);
    const auto value_size = from_zig_zag(encoded);
    if (value_size < 0) return read;
    read.value = base::bytes_view{at, static_cast<std::size_t>(value_size)};
    at += value_size;
    return read;
}

}  // namespace strandline::records
