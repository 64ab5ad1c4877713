// gzip members, one after another; what follows the last one is ignored, as Java ignores it.
#pragma once

#include <memory>
#include <vector>

#include "base/bytes.hpp"
#include "records/compression/decompressor.hpp"

namespace strandline::records::compression {

std::unique_ptr<decompressor> make_gzip_decompressor();

// As Kafka's Java producer writes it.
std::vector<std::byte> compress_gzip(base::bytes_view plain);

}  // namespace strandline::records::compression
