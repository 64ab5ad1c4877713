// What the codecs' fuzz targets share: the first byte says how old the message is, the rest is decompressed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "base/bytes.hpp"
#include "records/decompression_context.hpp"

namespace strandline::fuzz {

inline void decompress_one(records::compression_codec codec, const std::uint8_t* data, std::size_t size) {
    if (size == 0) return;
    constexpr std::size_t limit = 1U << 20U;
    // Kept from one input to the next, as a consumer keeps it: a bad batch must not spoil the one after it.
    static records::decompression_context context;
    const auto compressed = base::shared_bytes::copy_of({reinterpret_cast<const std::byte*>(data + 1), size - 1});
    const auto magic = static_cast<std::int8_t>(data[0] % 3);
    const auto plain = context.decompress(codec, compressed, magic, {.max_decompressed_batch_bytes = limit});
    if (plain && plain->size() > limit) std::abort();

    // The same bytes give the same result whatever came before them.
    records::decompression_context fresh;
    const auto again = fresh.decompress(codec, compressed, magic, {.max_decompressed_batch_bytes = limit});
    if (plain.has_value() != again.has_value()) std::abort();
    if (plain && !(*plain == *again)) std::abort();
}

}  // namespace strandline::fuzz
