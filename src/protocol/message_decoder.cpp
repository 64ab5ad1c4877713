#include "protocol/message_decoder.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "protocol/limits.hpp"

namespace strandline::protocol {

void body_reader::read(base::uuid& value) noexcept {
    const auto octets = in_.raw(value.octets.size());
    if (!in_.failed()) std::memcpy(value.octets.data(), octets.data(), octets.size());
}

// -1 is null.
std::optional<std::size_t> body_reader::length(std::int64_t encoded, std::size_t limit) noexcept {
    if (in_.failed() || encoded == -1) return std::nullopt;
    if (encoded < 0 || static_cast<std::uint64_t>(encoded) > limit) {
        in_.fail(codec_fault::bad_length);
        return std::nullopt;
    }
    return static_cast<std::size_t>(encoded);
}

// One more than the length, so that 0 is null.
std::optional<std::size_t> body_reader::compact_length(std::size_t limit) noexcept {
    return length(std::int64_t{in_.unsigned_varint()} - 1, limit);
}

std::optional<std::size_t> body_reader::string_length() noexcept {
    return format_.flexible ? compact_length(limits::string_bytes) : length(in_.int16(), limits::string_bytes);
}

std::optional<std::size_t> body_reader::bytes_length() noexcept {
    constexpr auto limit = std::size_t{std::numeric_limits<std::int32_t>::max()};
    return format_.flexible ? compact_length(limit) : length(in_.int32(), limit);
}

std::optional<std::size_t> body_reader::array_length(std::size_t smallest_element) noexcept {
    const auto count =
        format_.flexible ? compact_length(limits::array_elements) : length(in_.int32(), limits::array_elements);
    if (count && *count > in_.remaining() / smallest_element) {
        in_.fail(codec_fault::truncated);
        return std::nullopt;
    }
    return count;
}

bool body_reader::presence() noexcept { return in_.int8() >= 0 && !in_.failed(); }

std::string body_reader::string(std::size_t length) { return std::string(base::as_text(in_.raw(length))); }

base::shared_bytes body_reader::bytes(std::size_t length) {
    const auto start = in_.offset();
    in_.raw(length);
    return in_.failed() ? base::shared_bytes{} : body_.slice(start, length);
}

std::uint32_t body_reader::tagged_field_count() noexcept {
    const auto count = in_.unsigned_varint();
    if (count > limits::tagged_fields) in_.fail(codec_fault::bad_length);
    return count;
}

body_reader::tag_header body_reader::next_tag() noexcept {
    const auto tag = in_.unsigned_varint();
    const auto size = in_.unsigned_varint();
    return {tag, size};
}

void body_reader::widen(std::size_t outer_end) noexcept {
    if (in_.remaining() != 0) in_.fail(codec_fault::bad_tagged_field);
    in_.widen(outer_end);
}

codec_error body_reader::error(std::string_view message) && {
    return {.kind = *in_.fault(),
            .message = message,
            .field = std::move(path_).take(),
            .offset = in_.offset(),
            .version = format_.version};
}

void body_reader::expect_end() noexcept {
    if (!in_.failed() && in_.remaining() != 0) in_.fail(codec_fault::trailing_bytes);
}

namespace detail {

// In the order of the tags, as they will be written.
void keep_unknown(tagged_fields& kept, tagged_field field) {
    const auto place = std::upper_bound(kept.begin(), kept.end(), field.tag,
                                        [](std::uint32_t tag, const tagged_field& other) { return tag < other.tag; });
    kept.insert(place, std::move(field));
}

}  // namespace detail

}  // namespace strandline::protocol
