// Decodes one magic 2 record, twice: fast where enough bytes follow to read ahead of the checks, and with every byte
// checked. What the fast one accepts the checked one accepts with the same result; what it refuses, the checked one
// judges.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "records/record_error.hpp"
#include "records/record_view.hpp"
#include "records/varint.hpp"

namespace strandline::records {

// What a record inherits from its batch.
struct record_scope {
    std::int64_t base_offset = 0;
    std::uint32_t last_offset_delta = 0;
    // Log append time: every record has the batch's, and its own delta counts for nothing (mask 0 instead of all ones).
    std::uint64_t base_timestamp = 0;
    std::uint64_t timestamp_delta_mask = ~std::uint64_t{0};
};

struct record_fault {
    record_error_kind kind{};
    std::string_view text;
};

// Moves `at` past `count` headers that must end at `end` exactly.
std::optional<record_fault> check_headers(const std::byte*& at, const std::byte* end, std::int32_t count) noexcept;

// Moves `cursor` past the record on success only.
std::optional<record_fault> decode_record_checked(const std::byte*& cursor, const std::byte* end,
                                                  const record_scope& scope, record_view& out) noexcept;

// False: nothing was decided, ask decode_record_checked(). `out` may then be half written; `cursor` has not moved.
[[gnu::always_inline]] inline bool decode_record_fast(const std::byte*& cursor, const std::byte* end,
                                                      const record_scope& scope, record_view& out) noexcept {
    // Every field up to the key's length in its longest form, with room to spare.
    constexpr std::ptrdiff_t read_ahead = 32;
    static_assert(longest_varint + 1 + longest_varlong + longest_varint + longest_varint <= read_ahead);
    if (end - cursor < read_ahead) return false;

    const std::byte* at = cursor;
    std::uint32_t encoded_size;
    if (!read_varint_unchecked(at, encoded_size)) return false;
    const std::int32_t size = from_zig_zag(encoded_size);
    if (size < 0 || size > end - at) return false;
    const std::byte* const record_end = at + size;

    ++at;  // attributes, which mean nothing yet
    std::uint64_t encoded_timestamp_delta;
    std::uint32_t encoded_offset_delta;
    std::uint32_t encoded_key_size;
    if (!read_varint_unchecked(at, encoded_timestamp_delta)) return false;
    if (!read_varint_unchecked(at, encoded_offset_delta)) return false;
    if (!read_varint_unchecked(at, encoded_key_size)) return false;
    const auto offset_delta = static_cast<std::uint32_t>(from_zig_zag(encoded_offset_delta));
    if (offset_delta > scope.last_offset_delta) return false;

    const std::int32_t key_size = from_zig_zag(encoded_key_size);
    out.key_data = at;
    if (key_size > 0) {
        if (key_size > record_end - at) return false;
        at += key_size;
    }
    if (end - at < longest_varint) return false;
    std::uint32_t encoded_value_size;
    if (!read_varint_unchecked(at, encoded_value_size)) return false;
    const std::int32_t value_size = from_zig_zag(encoded_value_size);
    out.value_data = at;
    if (value_size > 0) {
        if (value_size > record_end - at) return false;
        at += value_size;
    }

    if (record_end - at == 1 && *at == std::byte{0}) [[likely]] {
        out.header_count = 0;
        out.header_data = record_end;
        out.header_bytes = 0;
    } else {
        std::uint32_t encoded_header_count;
        if (at >= record_end || !read_varint_checked(at, record_end, encoded_header_count)) return false;
        out.header_count = from_zig_zag(encoded_header_count);
        out.header_data = at;
        out.header_bytes = static_cast<std::int32_t>(record_end - at);
        if (check_headers(at, record_end, out.header_count)) return false;
    }

    out.key_size = key_size < 0 ? -1 : key_size;
    out.value_size = value_size < 0 ? -1 : value_size;
    out.offset = scope.base_offset + offset_delta;
    out.timestamp = static_cast<std::int64_t>(
        scope.base_timestamp +
        (static_cast<std::uint64_t>(from_zig_zag(encoded_timestamp_delta)) & scope.timestamp_delta_mask));
    cursor = record_end;
    return true;
}

}  // namespace strandline::records
