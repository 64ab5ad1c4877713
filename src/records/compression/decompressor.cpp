#include "records/compression/decompressor.hpp"

#include <utility>

#include <fmt/format.h>

#include "records/compression/gzip.hpp"
#include "records/compression/lz4.hpp"
#include "records/compression/snappy.hpp"
#include "records/compression/zstd.hpp"

namespace strandline::records::compression {

std::unique_ptr<decompressor> make_decompressor(compression_codec codec) {
    switch (codec) {
        case compression_codec::none: return nullptr;
        case compression_codec::gzip: return make_gzip_decompressor();
        case compression_codec::snappy: return make_snappy_decompressor();
        case compression_codec::lz4: return make_lz4_decompressor();
        case compression_codec::zstd: return make_zstd_decompressor();
    }
    return nullptr;
}

tl::unexpected<record_error> undecompressable(std::string text) {
    return tl::unexpected(
        record_error{record_error_kind::undecompressable, compression_codec::none, -1, std::move(text)});
}

tl::unexpected<record_error> too_large(compression_codec codec, const bounded_output& output) {
    return tl::unexpected(record_error{
        record_error_kind::decompressed_too_large, codec, -1,
        fmt::format("{} output exceeds max_decompressed_batch_bytes = {}", to_string(codec), output.limit())});
}

}  // namespace strandline::records::compression
