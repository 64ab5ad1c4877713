#include "records/compression/gzip.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>
#include <isa-l/igzip_lib.h>
#include <zlib.h>

namespace strandline::records::compression {

namespace {

constexpr std::size_t smallest_member = 18;  // header 10, checksum and size 8

bool begins_member(base::bytes_view bytes) noexcept {
    return bytes.size() >= smallest_member && bytes[0] == std::byte{0x1f} && bytes[1] == std::byte{0x8b};
}

class gzip_decompressor final : public decompressor {
public:
    std::size_t announced_size(base::bytes_view compressed) const noexcept override {
        if (!begins_member(compressed)) return 0;
        // The last four bytes hold the size of the last member, and there is rarely more than one.
        std::uint32_t size = 0;
        for (std::size_t byte = 1; byte <= 4; ++byte) {
            size = (size << 8U) | std::to_integer<std::uint32_t>(compressed[compressed.size() - byte]);
        }
        return size;
    }

    result<void> decompress(base::bytes_view compressed, std::int8_t, bounded_output& output) override {
        if (!begins_member(compressed)) return undecompressable("no gzip header");
        do {
            const auto used = decompress_member(compressed, output);
            if (!used) return tl::unexpected(used.error());
            compressed = compressed.subspan(*used);
        } while (begins_member(compressed));
        return {};
    }

private:
    // Gives the bytes used.
    result<std::size_t> decompress_member(base::bytes_view compressed, bounded_output& output) {
        isal_inflate_init(&state_);
        state_.crc_flag = ISAL_GZIP;
        state_.next_in = reinterpret_cast<std::uint8_t*>(const_cast<std::byte*>(compressed.data()));
        state_.avail_in = static_cast<std::uint32_t>(compressed.size());
        for (;;) {
            const auto space = output.free_space();
            const auto room = static_cast<std::uint32_t>(std::min<std::size_t>(space.size(), 1U << 30U));
            const auto left_before = state_.avail_in;
            state_.next_out = reinterpret_cast<std::uint8_t*>(space.data());
            state_.avail_out = room;
            const int code = isal_inflate(&state_);
            const std::size_t written = room - state_.avail_out;
            output.wrote(written);
            if (output.exceeded()) return too_large(compression_codec::gzip, output);
            if (code < 0) return undecompressable(fmt::format("inflate failed with {}", code));
            if (state_.block_state == ISAL_BLOCK_FINISH) return compressed.size() - state_.avail_in;
            if (written == 0 && state_.avail_in == left_before) return undecompressable("gzip member ends too early");
        }
    }

    inflate_state state_;  // about 90 KiB
};

}  // namespace

std::unique_ptr<decompressor> make_gzip_decompressor() { return std::make_unique<gzip_decompressor>(); }

std::vector<std::byte> compress_gzip(base::bytes_view plain) {
    z_stream stream{};
    constexpr int gzip_window = 15 + 16;
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip_window, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
        throw std::bad_alloc();
    }
    std::vector<std::byte> compressed(deflateBound(&stream, static_cast<uLong>(plain.size())));
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(plain.data()));
    stream.avail_in = static_cast<uInt>(plain.size());
    stream.next_out = reinterpret_cast<Bytef*>(compressed.data());
    stream.avail_out = static_cast<uInt>(compressed.size());
    deflate(&stream, Z_FINISH);
    compressed.resize(stream.total_out);
    deflateEnd(&stream);
    return compressed;
}

}  // namespace strandline::records::compression
