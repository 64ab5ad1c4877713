// What every codec does: turn compressed bytes into plain ones without running past a limit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/bytes.hpp"
#include "records/compression/bounded_output.hpp"
#include "records/compression_codec.hpp"
#include "records/record_error.hpp"

namespace strandline::records::compression {

// Keeps its library's state between calls.
class decompressor {
public:
    virtual ~decompressor() = default;
    // What the compressed bytes say about their size when plain, 0 when they say nothing. Only a hint: they may lie.
    virtual std::size_t announced_size(base::bytes_view compressed) const noexcept = 0;
    // `magic` is that of the batch or message around. Of an error only kind and text are set.
    virtual result<void> decompress(base::bytes_view compressed, std::int8_t magic, bounded_output& output) = 0;
};

// Null for compression_codec::none.
std::unique_ptr<decompressor> make_decompressor(compression_codec codec);

// The errors a codec can end in.
tl::unexpected<record_error> undecompressable(std::string text);
tl::unexpected<record_error> too_large(compression_codec codec, const bounded_output& output);

}  // namespace strandline::records::compression
