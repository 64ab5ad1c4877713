#include "protocol/codec_error.hpp"

#include <fmt/format.h>

namespace strandline::protocol {

std::string_view to_string(codec_fault fault) noexcept {
    switch (fault) {
        case codec_fault::truncated: return "truncated";
        case codec_fault::trailing_bytes: return "bytes left over";
        case codec_fault::bad_length: return "length out of range";
        case codec_fault::bad_varint: return "malformed varint";
        case codec_fault::unexpected_null: return "null where none may be";
        case codec_fault::bad_tagged_field: return "malformed tagged field";
        case codec_fault::unsupported_version: return "unsupported version";
        case codec_fault::not_in_version: return "value that this version cannot carry";
        case codec_fault::bad_json: return "JSON of another shape";
    }
    return "unknown fault";
}

std::string codec_error::to_string() const {
    auto text = fmt::format("{} v{}: {} at byte {}", message, version, protocol::to_string(kind), offset);
    if (!field.empty()) text += fmt::format(", in {}", field);
    return text;
}

std::ostream& operator<<(std::ostream& out, const codec_error& error) { return out << error.to_string(); }

}  // namespace strandline::protocol
