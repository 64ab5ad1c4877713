// snappy, as one raw block or in the framing of Java's library ("xerial"): a header, then blocks with their length.
#pragma once

#include <memory>
#include <vector>

#include "base/bytes.hpp"
#include "records/compression/decompressor.hpp"

namespace strandline::records::compression {

std::unique_ptr<decompressor> make_snappy_decompressor();

// As Kafka's Java producer writes it.
std::vector<std::byte> compress_snappy(base::bytes_view plain);

}  // namespace strandline::records::compression
