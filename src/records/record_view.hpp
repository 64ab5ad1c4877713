// One record as a view into the decoded bytes of its batch: what is handed out millions of times a second.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/bytes.hpp"
#include "records/record_header.hpp"

namespace strandline::records {

// Valid as long as the bytes it was decoded from (record_reader::payload()). A size of -1 is null, which is not empty.
struct record_view {
    std::int64_t offset = 0;
    std::int64_t timestamp = 0;  // milliseconds since 1970; -1 when there is none
    const std::byte* key_data = nullptr;
    const std::byte* value_data = nullptr;
    const std::byte* header_data = nullptr;
    std::int32_t key_size = -1;
    std::int32_t value_size = -1;
    std::int32_t header_count = 0;
    std::int32_t header_bytes = 0;

    std::optional<base::bytes_view> key() const noexcept { return span_of(key_data, key_size); }
    std::optional<base::bytes_view> value() const noexcept { return span_of(value_data, value_size); }
    // All of them, decoded. The application has its own way to walk them: strandline::header_range.
    std::vector<record_header> headers() const;

private:
    static std::optional<base::bytes_view> span_of(const std::byte* data, std::int32_t size) noexcept {
        if (size < 0) return std::nullopt;
        return base::bytes_view{data, static_cast<std::size_t>(size)};
    }
};

static_assert(sizeof(record_view) <= 56, "a record must stay within a cache line");

}  // namespace strandline::records
