// For tests of the codecs: payloads, and decompression with a fresh context and a limit.
#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "records/decompression_context.hpp"

namespace strandline::records::compression::testsupport {

using octets = std::vector<std::byte>;

inline octets operator+(octets first, const octets& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

inline octets octets_of(std::string_view text) {
    const auto bytes = base::as_bytes(text);
    return {bytes.begin(), bytes.end()};
}

// Compressible, but not into nothing.
inline std::string text_of(std::size_t size) {
    std::string text;
    for (unsigned seed = 1; text.size() < size; seed = seed * 1664525U + 1013904223U) {
        text += "record " + std::to_string(seed % 1000) + "; ";
    }
    text.resize(size);
    return text;
}

inline result<std::string> decompressed(compression_codec codec, const octets& compressed, std::int8_t magic = 2,
                                        std::size_t limit = std::size_t{128} << 20U) {
    decompression_context context;
    const auto plain = context.decompress(codec, compressed, magic, {.max_decompressed_batch_bytes = limit});
    if (!plain) return tl::unexpected(plain.error());
    return std::string(base::as_text(*plain));
}

inline record_error_kind failure_of(compression_codec codec, const octets& compressed,
                                    std::size_t limit = std::size_t{128} << 20U) {
    const auto plain = decompressed(codec, compressed, 2, limit);
    return plain ? record_error_kind{} : plain.error().kind;
}

}  // namespace strandline::records::compression::testsupport
