// Record bytes, decoded fast and with every byte checked: both must agree, and every view must be readable.
#include <cstdint>
#include <cstdlib>
#include <optional>

#include "base/bytes.hpp"
#include "records/record_decoder.hpp"

using namespace strandline;

namespace {

void require(bool holds) {
    if (!holds) std::abort();
}

unsigned touch(const std::optional<base::bytes_view>& bytes) {
    unsigned sum = 0;
    if (bytes) {
        for (const auto byte : *bytes) sum += std::to_integer<unsigned>(byte);
    }
    return sum;
}

void require_same(const records::record_view& a, const records::record_view& b) {
    require(a.offset == b.offset && a.timestamp == b.timestamp);
    require(a.key_size == b.key_size && a.value_size == b.value_size);
    require(a.key_size <= 0 || a.key_data == b.key_data);
    require(a.value_size <= 0 || a.value_data == b.value_data);
    require(a.header_count == b.header_count && a.header_bytes == b.header_bytes);
    require(a.header_count == 0 || a.header_data == b.header_data);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto bytes = base::shared_bytes::copy_of({reinterpret_cast<const std::byte*>(data), size});
    const std::byte* cursor = bytes.data();
    const std::byte* const end = cursor + bytes.size();
    const records::record_scope scope{.base_offset = 10, .last_offset_delta = 1000, .base_timestamp = 1};
    volatile unsigned sink = 0;
    while (cursor != end) {
        records::record_view fast;
        records::record_view checked;
        const std::byte* fast_cursor = cursor;
        const std::byte* checked_cursor = cursor;
        const bool accepted = records::decode_record_fast(fast_cursor, end, scope, fast);
        const auto fault = records::decode_record_checked(checked_cursor, end, scope, checked);
        require(accepted || fast_cursor == cursor);
        if (fault) {
            require(!accepted && checked_cursor == cursor);
            break;
        }
        require(checked_cursor > cursor && checked_cursor <= end);
        if (accepted) {
            require(fast_cursor == checked_cursor);
            require_same(fast, checked);
        }
        sink = sink + touch(checked.key()) + touch(checked.value());
        std::size_t headers = 0;
        for (const auto& header : checked.headers()) {
            sink = sink + touch(base::as_bytes(header.name)) + touch(header.value);
            ++headers;
        }
        require(headers == static_cast<std::size_t>(checked.header_count));
        cursor = checked_cursor;
    }
    return 0;
}
