#include "records/record_error.hpp"

#include <fmt/format.h>

namespace strandline::records {

std::string_view to_string(record_error_kind kind) noexcept {
    switch (kind) {
        case record_error_kind::bad_size: return "bad size";
        case record_error_kind::unknown_magic: return "unknown magic";
        case record_error_kind::unknown_codec: return "unknown codec";
        case record_error_kind::bad_checksum: return "bad checksum";
        case record_error_kind::implausible_header: return "implausible header";
        case record_error_kind::offset_out_of_order: return "offset out of order";
        case record_error_kind::beyond_high_watermark: return "beyond the high watermark";
        case record_error_kind::malformed_record: return "malformed record";
        case record_error_kind::bytes_missing: return "bytes missing";
        case record_error_kind::bytes_left_over: return "bytes left over";
        case record_error_kind::undecompressable: return "cannot be decompressed";
        case record_error_kind::decompressed_too_large: return "too large when decompressed";
    }
    return "unknown error";
}

std::string to_string(const record_error& error) {
    std::string text = fmt::format("{} at offset {}", to_string(error.kind), error.offset);
    if (error.codec != compression_codec::none) text += fmt::format(" ({})", to_string(error.codec));
    if (!error.text.empty()) text += ": " + error.text;
    return text;
}

}  // namespace strandline::records
