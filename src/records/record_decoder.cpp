#include "records/record_decoder.hpp"

#include "records/sized_bytes.hpp"

namespace strandline::records {

namespace {

record_fault malformed(std::string_view text) noexcept { return {record_error_kind::malformed_record, text}; }

// Moves `at` past a length and as many bytes.
bool skip_sized(const std::byte*& at, const std::byte* end, const std::byte*& data, std::int32_t& size) noexcept {
    std::uint32_t encoded = 0;
    if (!read_varint_checked(at, end, encoded)) return false;
    size = from_zig_zag(encoded);
    return take_sized(at, end, data, size);
}

}  // namespace

std::optional<record_fault> check_headers(const std::byte*& at, const std::byte* end, std::int32_t count) noexcept {
    if (count < 0) return malformed("negative number of headers");
    for (; count > 0; --count) {
        const std::byte* data = nullptr;
        std::int32_t size = 0;
        if (!skip_sized(at, end, data, size)) return malformed("a header's name runs past the record");
        if (size < 0) return malformed("a header without a name");
        if (!skip_sized(at, end, data, size)) return malformed("a header's value runs past the record");
    }
    if (at != end) return malformed("bytes are left over in the record");
    return std::nullopt;
}

std::optional<record_fault> decode_record_checked(const std::byte*& cursor, const std::byte* end,
                                                  const record_scope& scope, record_view& out) noexcept {
    const std::byte* at = cursor;
    std::uint32_t encoded_size = 0;
    if (!read_varint_checked(at, end, encoded_size)) {
        return end - cursor < longest_varint ? record_fault{record_error_kind::bytes_missing, "no length"}
                                             : malformed("length is not a number");
    }
    const std::int32_t size = from_zig_zag(encoded_size);
    if (size < 0) return malformed("negative length");
    if (size > end - at) return record_fault{record_error_kind::bytes_missing, "longer than what is left of the batch"};
    const std::byte* const record_end = at + size;

    if (at == record_end) return malformed("no attributes");
    ++at;
    std::uint64_t encoded_timestamp_delta = 0;
    std::uint32_t encoded_offset_delta = 0;
    if (!read_varint_checked(at, record_end, encoded_timestamp_delta)) return malformed("no timestamp");
    if (!read_varint_checked(at, record_end, encoded_offset_delta)) return malformed("no offset");
    const auto offset_delta = static_cast<std::uint32_t>(from_zig_zag(encoded_offset_delta));
    if (offset_delta > scope.last_offset_delta) return malformed("offset lies outside the batch");
    if (!skip_sized(at, record_end, out.key_data, out.key_size)) return malformed("key runs past the record");
    if (!skip_sized(at, record_end, out.value_data, out.value_size)) return malformed("value runs past the record");

    std::uint32_t encoded_header_count = 0;
    if (!read_varint_checked(at, record_end, encoded_header_count)) return malformed("no header count");
    out.header_count = from_zig_zag(encoded_header_count);
    out.header_data = at;
    out.header_bytes = static_cast<std::int32_t>(record_end - at);
    if (auto fault = check_headers(at, record_end, out.header_count)) return fault;

    out.offset = scope.base_offset + offset_delta;
    out.timestamp = static_cast<std::int64_t>(
        scope.base_timestamp +
        (static_cast<std::uint64_t>(from_zig_zag(encoded_timestamp_delta)) & scope.timestamp_delta_mask));
    cursor = record_end;
    return std::nullopt;
}

}  // namespace strandline::records
