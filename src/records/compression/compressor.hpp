// The other direction, for whoever writes batches: the fake cluster and tests.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bytes.hpp"
#include "records/compression_codec.hpp"

namespace strandline::records::compression {

// As Kafka's Java producer compresses the records of a batch of this magic. `codec` is not none.
std::vector<std::byte> compress(compression_codec codec, base::bytes_view plain, std::int8_t magic);

}  // namespace strandline::records::compression
