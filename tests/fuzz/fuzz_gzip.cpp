// Compressed bytes for the gzip codec.
#include "tests/fuzz/decompress_one.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    strandline::fuzz::decompress_one(strandline::records::compression_codec::gzip, data, size);
    return 0;
}
