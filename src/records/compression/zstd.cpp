#include "records/compression/zstd.hpp"

#include <algorithm>
#include <bit>
#include <new>

#include <zstd.h>

namespace strandline::records::compression {

namespace {

// A frame may ask for a window as large as this before it has given a byte: the most that Kafka's Java client grants.
constexpr int largest_window_log = 27;
// A context that such a frame has blown up is not kept.
constexpr std::size_t largest_kept_context = std::size_t{16} << 20U;

struct free_context {
    void operator()(ZSTD_DCtx* context) const noexcept { ZSTD_freeDCtx(context); }
};

class zstd_decompressor final : public decompressor {
public:
    std::size_t announced_size(base::bytes_view compressed) const noexcept override {
        const auto size = ZSTD_getFrameContentSize(compressed.data(), compressed.size());
        return size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR ? 0 : size;
    }

    result<void> decompress(base::bytes_view compressed, std::int8_t, bounded_output& output) override {
        if (compressed.empty()) return undecompressable("no zstd frame");
        prepare();
        auto done = decompress_frames(compressed, output);
        if (ZSTD_sizeof_DCtx(context_.get()) > largest_kept_context) context_.reset();
        return done;
    }

private:
    void prepare() {
        if (!context_) {
            context_.reset(ZSTD_createDCtx());
            if (!context_) throw std::bad_alloc();
            ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, largest_window_log);
        }
        ZSTD_DCtx_reset(context_.get(), ZSTD_reset_session_only);
    }

    result<void> decompress_frames(base::bytes_view compressed, bounded_output& output) {
        ZSTD_inBuffer in{compressed.data(), compressed.size(), 0};
        for (;;) {
            const auto space = output.free_space();
            ZSTD_outBuffer out{space.data(), space.size(), 0};
            const std::size_t used_before = in.pos;
            const std::size_t code = ZSTD_decompressStream(context_.get(), &out, &in);
            output.wrote(out.pos);
            if (output.exceeded()) return too_large(compression_codec::zstd, output);
            if (ZSTD_isError(code)) return undecompressable(ZSTD_getErrorName(code));
            // 0: a frame is complete and all of it is written.
            if (code == 0 && in.pos == in.size) return {};
            if (out.pos == 0 && in.pos == used_before) return undecompressable("zstd frame ends too early");
        }
    }

    std::unique_ptr<ZSTD_DCtx, free_context> context_;
};

}  // namespace

std::unique_ptr<decompressor> make_zstd_decompressor() { return std::make_unique<zstd_decompressor>(); }

std::vector<std::byte> compress_zstd(base::bytes_view plain) {
    struct free_compression {
        void operator()(ZSTD_CCtx* context) const noexcept { ZSTD_freeCCtx(context); }
    };
    const std::unique_ptr<ZSTD_CCtx, free_compression> context(ZSTD_createCCtx());
    if (!context) throw std::bad_alloc();
    // The producer writes as a stream, so the size is not in the frame.
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, ZSTD_CLEVEL_DEFAULT);
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_contentSizeFlag, 0);
    std::vector<std::byte> compressed(ZSTD_compressBound(plain.size()));
    compressed.resize(ZSTD_compress2(context.get(), compressed.data(), compressed.size(), plain.data(), plain.size()));
    return compressed;
}

}  // namespace strandline::records::compression
