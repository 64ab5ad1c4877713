#include "records/compression/lz4.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <new>

#include <lz4frame.h>

namespace strandline::records::compression {

namespace {

constexpr std::uint32_t frame_magic = 0x184d2204;
constexpr std::size_t magic_size = 4;
constexpr std::size_t smallest_header = magic_size + 3;  // flags, block descriptor, checksum
constexpr std::size_t largest_header = smallest_header + 8 + 4;

std::uint32_t load_little_endian(const std::byte* from) noexcept {
    std::uint32_t number = 0;
    for (std::size_t byte = 0; byte < 4; ++byte) number |= std::to_integer<std::uint32_t>(from[byte]) << (8U * byte);
    return number;
}

bool begins_frame(base::bytes_view bytes) noexcept {
    return bytes.size() >= smallest_header && load_little_endian(bytes.data()) == frame_magic;
}

// Magic, flags, block descriptor, [content size], [dictionary], checksum; 0 when it is not all there.
std::size_t header_size(base::bytes_view frame) noexcept {
    if (!begins_frame(frame)) return 0;
    const auto flags = std::to_integer<unsigned>(frame[magic_size]);
    const std::size_t size = smallest_header + ((flags & 0x08U) ? 8 : 0) + ((flags & 0x01U) ? 4 : 0);
    return size <= frame.size() ? size : 0;
}

// XXH32 with seed 0 of fewer than 16 bytes, which is all a header needs.
std::uint32_t short_xxh32(base::bytes_view bytes) noexcept {
    constexpr std::uint32_t prime_1 = 0x9e3779b1U, prime_2 = 0x85ebca77U, prime_3 = 0xc2b2ae3dU;
    constexpr std::uint32_t prime_4 = 0x27d4eb2fU, prime_5 = 0x165667b1U;
    std::uint32_t hash = prime_5 + static_cast<std::uint32_t>(bytes.size());
    for (; bytes.size() >= 4; bytes = bytes.subspan(4)) {
        hash = std::rotl(hash + load_little_endian(bytes.data()) * prime_3, 17) * prime_4;
    }
    for (const auto byte : bytes) hash = std::rotl(hash + std::to_integer<std::uint32_t>(byte) * prime_5, 11) * prime_1;
    hash = (hash ^ (hash >> 15U)) * prime_2;
    hash = (hash ^ (hash >> 13U)) * prime_3;
    return hash ^ (hash >> 16U);
}

std::byte header_checksum(base::bytes_view descriptor) noexcept {
    return static_cast<std::byte>((short_xxh32(descriptor) >> 8U) & 0xffU);
}

struct free_context {
    void operator()(LZ4F_dctx* context) const noexcept { LZ4F_freeDecompressionContext(context); }
};

class lz4_decompressor final : public decompressor {
public:
    std::size_t announced_size(base::bytes_view compressed) const noexcept override {
        const std::size_t header = header_size(compressed);
        if (header == 0 || !(std::to_integer<unsigned>(compressed[magic_size]) & 0x08U)) return 0;
        const std::byte* const at = compressed.data() + magic_size + 2;
        return load_little_endian(at) | static_cast<std::size_t>(load_little_endian(at + 4)) << 32U;
    }

    result<void> decompress(base::bytes_view compressed, std::int8_t magic, bounded_output& output) override {
        if (header_size(compressed) == 0) return undecompressable("no lz4 frame");
        if (!context_) create_context();
        auto done = decompress_frames(compressed, magic, output);
        // Resetting a context does not clear all that a broken frame leaves in it: liblz4 1.9 would then refuse the
        // next good frame because of the content size that the broken one announced.
        if (!done) context_.reset();
        return done;
    }

private:
    void create_context() {
        LZ4F_dctx* context = nullptr;
        if (LZ4F_isError(LZ4F_createDecompressionContext(&context, LZ4F_VERSION))) throw std::bad_alloc();
        context_.reset(context);
    }

    result<void> decompress_frames(base::bytes_view compressed, std::int8_t magic, bounded_output& output) {
        if (magic < 2) {
            if (auto begun = feed_mended_header(compressed, output); !begun) return begun;
        }
        do {
            if (auto done = decompress_frame(compressed, output); !done) return done;
        } while (begins_frame(compressed));
        return {};
    }

    // Writers of magic 0 computed the header's checksum over the wrong bytes, so it is replaced by the right one.
    result<void> feed_mended_header(base::bytes_view& compressed, bounded_output& output) {
        const std::size_t size = header_size(compressed);
        std::array<std::byte, largest_header> header{};
        std::copy_n(compressed.begin(), size, header.begin());
        header[size - 1] = header_checksum({header.data() + magic_size, size - magic_size - 1});
        base::bytes_view mended{header.data(), size};
        while (!mended.empty()) {
            const auto code = step(mended, output);
            if (!code) return tl::unexpected(code.error());
        }
        compressed = compressed.subspan(size);
        return {};
    }

    // Moves `compressed` past the frame.
    result<void> decompress_frame(base::bytes_view& compressed, bounded_output& output) {
        for (;;) {
            const std::size_t written_before = output.size();
            const std::size_t left_before = compressed.size();
            const auto hint = step(compressed, output);
            if (!hint) return tl::unexpected(hint.error());
            if (*hint == 0) return {};
            if (output.size() == written_before && compressed.size() == left_before) {
                return undecompressable("lz4 frame ends too early");
            }
        }
    }

    // Gives 0 at the end of a frame.
    result<std::size_t> step(base::bytes_view& compressed, bounded_output& output) {
        const auto space = output.free_space();
        std::size_t written = space.size();
        std::size_t used = compressed.size();
        const std::size_t hint =
            LZ4F_decompress(context_.get(), space.data(), &written, compressed.data(), &used, nullptr);
        if (LZ4F_isError(hint)) return undecompressable(LZ4F_getErrorName(hint));
        output.wrote(written);
        compressed = compressed.subspan(used);
        if (output.exceeded()) return too_large(compression_codec::lz4, output);
        return hint;
    }

    std::unique_ptr<LZ4F_dctx, free_context> context_;
};

}  // namespace

std::unique_ptr<decompressor> make_lz4_decompressor() { return std::make_unique<lz4_decompressor>(); }

std::vector<std::byte> compress_lz4(base::bytes_view plain, std::int8_t magic) {
    LZ4F_preferences_t preferences{};
    preferences.frameInfo.blockSizeID = LZ4F_max64KB;
    preferences.frameInfo.blockMode = LZ4F_blockIndependent;
    std::vector<std::byte> compressed(LZ4F_compressFrameBound(plain.size(), &preferences));
    compressed.resize(
        LZ4F_compressFrame(compressed.data(), compressed.size(), plain.data(), plain.size(), &preferences));
    if (magic == 0) {
        const std::size_t checksum_at = header_size(compressed) - 1;
        compressed[checksum_at] = header_checksum({compressed.data(), checksum_at});
    }
    return compressed;
}

}  // namespace strandline::records::compression
