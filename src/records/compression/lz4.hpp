// lz4 frames.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/bytes.hpp"
#include "records/compression/decompressor.hpp"

namespace strandline::records::compression {

std::unique_ptr<decompressor> make_lz4_decompressor();

// As Kafka's Java producer writes it: independent blocks of 64 KiB. In a magic 0 message that includes a header
// checksum which is wrong by tradition, because the first writers computed it over the wrong bytes.
std::vector<std::byte> compress_lz4(base::bytes_view plain, std::int8_t magic);

}  // namespace strandline::records::compression
