// Compressed bytes for the snappy codec.
#include "tests/fuzz/decompress_one.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    strandline::fuzz::decompress_one(strandline::records::compression_codec::snappy, data, size);
    return 0;
}
