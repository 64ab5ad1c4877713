#include "records/legacy_message.hpp"

#include "records/batch_layout.hpp"
#include "records/big_endian.hpp"
#include "records/sized_bytes.hpp"

namespace strandline::records {

namespace {

// Moves `at` past a length and as many bytes.
bool skip_sized(const std::byte*& at, const std::byte* end, const std::byte*& data, std::int32_t& size) noexcept {
    if (end - at < std::ptrdiff_t{sizeof size}) return false;
    size = load_big_endian<std::int32_t>(at);
    at += sizeof size;
    return take_sized(at, end, data, size);
}

}  // namespace

std::optional<record_fault> decode_message(const std::byte*& cursor, const std::byte* end,
                                           legacy_message& out) noexcept {
    using namespace batch_layout;
    const auto left = static_cast<std::size_t>(end - cursor);
    if (left < message::smallest(0)) return record_fault{record_error_kind::bytes_missing, "no whole message"};
    out.magic = load_big_endian<std::int8_t>(cursor + magic);
    if (out.magic != 0 && out.magic != 1) {
        return record_fault{record_error_kind::unknown_magic, "message of another format"};
    }
    const auto announced = load_big_endian<std::int32_t>(cursor + length);
    if (announced < 0 || log_overhead + static_cast<std::size_t>(announced) < message::smallest(out.magic)) {
        return record_fault{record_error_kind::bad_size, "message too short for its format"};
    }
    const std::size_t size = log_overhead + static_cast<std::size_t>(announced);
    if (size > left) return record_fault{record_error_kind::bytes_missing, "message longer than what is left"};

    const std::byte* const message_end = cursor + size;
    out.offset = load_big_endian<std::int64_t>(cursor + base_offset);
    out.stored_checksum = load_big_endian<std::uint32_t>(cursor + message::crc);
    out.sealed = {cursor + magic, message_end};
    out.attributes = load_big_endian<std::int8_t>(cursor + message::attributes);
    out.timestamp = out.magic == 0 ? -1 : load_big_endian<std::int64_t>(cursor + message::timestamp);
    const std::byte* at = cursor + message::key(out.magic);
    if (!skip_sized(at, message_end, out.key_data, out.key_size)) {
        return record_fault{record_error_kind::malformed_record, "key runs past the message"};
    }
    if (!skip_sized(at, message_end, out.value_data, out.value_size)) {
        return record_fault{record_error_kind::malformed_record, "value runs past the message"};
    }
    if (at != message_end) {
        return record_fault{record_error_kind::malformed_record, "bytes are left over in the message"};
    }
    cursor = message_end;
    return std::nullopt;
}

}  // namespace strandline::records
