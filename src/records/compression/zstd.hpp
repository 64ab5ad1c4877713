// zstd frames, with or without their content's size.
#pragma once

#include <memory>
#include <vector>

#include "base/bytes.hpp"
#include "records/compression/decompressor.hpp"

namespace strandline::records::compression {

std::unique_ptr<decompressor> make_zstd_decompressor();

// As Kafka's Java producer writes it.
std::vector<std::byte> compress_zstd(base::bytes_view plain);

}  // namespace strandline::records::compression
