// Why a message could not be read or written: what, in which message and field, and where.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

namespace strandline::protocol {

enum class codec_fault : std::uint8_t {
    truncated,            // the bytes end before the value does
    trailing_bytes,       // the value ends before the bytes do
    bad_length,           // a negative length, or one above its limit
    bad_varint,           // more than the bits that fit
    unexpected_null,      // null where this version has none
    bad_tagged_field,     // the size of a tagged field is not the size of its value, or the tag is taken
    unsupported_version,  // the message does not exist in this version
    not_in_version,       // a value that must not be lost has no place in this version
    bad_json,             // JSON of another shape than the message's
};

std::string_view to_string(codec_fault fault) noexcept;

struct codec_error {
    codec_fault kind{};
    std::string_view message{}; // "FetchResponse"
    std::string field{};        // "Responses[2].Partitions[0].Records"; empty if it is not about one
    std::size_t offset{};      // bytes from the start of the body
    std::int16_t version{};

    // "FetchResponse v16: truncated at byte 38, in Responses[2].Topic"
    std::string to_string() const;
    bool operator==(const codec_error&) const = default;
};

std::ostream& operator<<(std::ostream& out, const codec_error& error);

template <class Value>
using result = tl::expected<Value, codec_error>;

}  // namespace strandline::protocol
