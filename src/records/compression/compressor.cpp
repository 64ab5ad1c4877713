#include "records/compression/compressor.hpp"

#include "records/compression/gzip.hpp"
#include "records/compression/lz4.hpp"
#include "records/compression/snappy.hpp"
#include "records/compression/zstd.hpp"

namespace strandline::records::compression {

std::vector<std::byte> compress(compression_codec codec, base::bytes_view plain, std::int8_t magic) {
    switch (codec) {
        case compression_codec::none: break;
        case compression_codec::gzip: return compress_gzip(plain);
        case compression_codec::snappy: return compress_snappy(plain);
        case compression_codec::lz4: return compress_lz4(plain, magic);
        case compression_codec::zstd: return compress_zstd(plain);
    }
    return {plain.begin(), plain.end()};
}

}  // namespace strandline::records::compression
