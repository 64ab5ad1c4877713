// Turns compressed bytes into plain ones within a limit. Keep one per reader of batches: codecs keep their state in it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/bytes.hpp"
#include "records/compression_codec.hpp"
#include "records/record_error.hpp"

namespace strandline::records {

namespace compression {
class decompressor;
}

struct decompression_limits {
    // Hard: the output of one batch never grows past it, whatever the compressed bytes announce.
    std::size_t max_decompressed_batch_bytes = std::size_t{128} << 20U;
    // Hears of the output buffers.
    std::shared_ptr<base::memory_account> account = {};
};

// Not to be shared between callers that run at the same time.
class decompression_context {
public:
    decompression_context();
    ~decompression_context();
    decompression_context(decompression_context&&) noexcept;
    decompression_context& operator=(decompression_context&&) noexcept;

    // `magic` is that of the batch: older ones tolerate what their writers got wrong. The error's offset is left to the
    // caller.
    result<base::shared_bytes> decompress(compression_codec codec, base::bytes_view compressed, std::int8_t magic,
                                          const decompression_limits& limits);

private:
    struct slot {
        std::unique_ptr<compression::decompressor> decompressor;
        // Plain bytes per 16 compressed ones, as seen in the batch before: the first guess of the next output's size.
        std::size_t expansion_per_16 = 64;
    };
    std::array<slot, compression_codec_count> slots_;
};

}  // namespace strandline::records
