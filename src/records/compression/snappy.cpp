#include "records/compression/snappy.hpp"

#include <algorithm>
#include <array>

#include <snappy.h>

#include "records/big_endian.hpp"

namespace strandline::records::compression {

namespace {

// Magic, version, compatible version.
constexpr std::array<std::uint8_t, 16> xerial_header = {0x82, 'S', 'N', 'A', 'P', 'P', 'Y', 0, 0, 0, 0, 1, 0, 0, 0, 1};
constexpr std::size_t xerial_magic_size = 8;
constexpr std::size_t xerial_block_size = std::size_t{32} << 10U;

// The densest element makes 64 bytes of 3: what announces more than that lies.
constexpr std::size_t largest_expansion = 22;

bool begins_xerial(base::bytes_view bytes) noexcept {
    return bytes.size() >= xerial_header.size() &&
           std::equal(xerial_header.begin(), xerial_header.begin() + xerial_magic_size, bytes.begin(),
                      [](std::uint8_t a, std::byte b) { return a == std::to_integer<std::uint8_t>(b); });
}

std::size_t uncompressed_size(base::bytes_view block) noexcept {
    std::size_t size = 0;
    return snappy::GetUncompressedLength(reinterpret_cast<const char*>(block.data()), block.size(), &size) ? size : 0;
}

result<void> decompress_block(base::bytes_view block, bounded_output& output) {
    const auto* const compressed = reinterpret_cast<const char*>(block.data());
    std::size_t size = 0;
    if (!snappy::GetUncompressedLength(compressed, block.size(), &size)) return undecompressable("no length in block");
    if (size > block.size() * largest_expansion) return undecompressable("block announces more than it can hold");
    if (size == 0) return block.size() == 1 ? result<void>{} : undecompressable("bytes follow an empty block");
    if (!output.reserve(size)) return too_large(compression_codec::snappy, output);
    if (!snappy::RawUncompress(compressed, block.size(), reinterpret_cast<char*>(output.free_space().data()))) {
        return undecompressable("corrupt snappy block");
    }
    output.wrote(size);
    return {};
}

result<void> decompress_xerial(base::bytes_view rest, bounded_output& output) {
    while (!rest.empty()) {
        // Streams may be joined, so the header may come again.
        if (begins_xerial(rest)) {
            rest = rest.subspan(xerial_header.size());
            continue;
        }
        if (rest.size() < sizeof(std::int32_t)) return undecompressable("snappy stream ends within a block's length");
        const auto length = load_big_endian<std::int32_t>(rest.data());
        rest = rest.subspan(sizeof length);
        if (length <= 0 || static_cast<std::size_t>(length) > rest.size()) {
            return undecompressable("a snappy block's length does not fit the stream");
        }
        const auto block = rest.first(static_cast<std::size_t>(length));
        if (auto done = decompress_block(block, output); !done) return done;
        rest = rest.subspan(block.size());
    }
    return {};
}

class snappy_decompressor final : public decompressor {
public:
    std::size_t announced_size(base::bytes_view compressed) const noexcept override {
        return begins_xerial(compressed) ? 0 : uncompressed_size(compressed);
    }

    result<void> decompress(base::bytes_view compressed, std::int8_t, bounded_output& output) override {
        return begins_xerial(compressed) ? decompress_xerial(compressed, output) : decompress_block(compressed, output);
    }
};

}  // namespace

std::unique_ptr<decompressor> make_snappy_decompressor() { return std::make_unique<snappy_decompressor>(); }

std::vector<std::byte> compress_snappy(base::bytes_view plain) {
    std::vector<std::byte> compressed(xerial_header.size());
    std::ranges::transform(xerial_header, compressed.begin(), [](std::uint8_t octet) { return std::byte{octet}; });
    while (!plain.empty()) {
        const auto block = plain.first(std::min(plain.size(), xerial_block_size));
        const std::size_t length_at = compressed.size();
        compressed.resize(length_at + sizeof(std::int32_t) + snappy::MaxCompressedLength(block.size()));
        std::size_t length = 0;
        snappy::RawCompress(reinterpret_cast<const char*>(block.data()), block.size(),
                            reinterpret_cast<char*>(compressed.data() + length_at + sizeof(std::int32_t)), &length);
        store_big_endian(compressed.data() + length_at, static_cast<std::int32_t>(length));
        compressed.resize(length_at + sizeof(std::int32_t) + length);
        plain = plain.subspan(block.size());
    }
    return compressed;
}

}  // namespace strandline::records::compression
