#include "records/compression_codec.hpp"

namespace strandline::records {

std::string_view to_string(compression_codec codec) noexcept {
    switch (codec) {
        case compression_codec::none: return "none";
        case compression_codec::gzip: return "gzip";
        case compression_codec::snappy: return "snappy";
        case compression_codec::lz4: return "lz4";
        case compression_codec::zstd: return "zstd";
    }
    return "unknown codec";
}

}  // namespace strandline::records
