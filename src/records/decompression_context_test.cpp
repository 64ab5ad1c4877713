#include "records/decompression_context.hpp"

#include <gtest/gtest.h>
#include <lz4frame.h>
#include <zstd.h>

#include "records/compression/codec_testsupport.hpp"
#include "records/compression/compressor.hpp"

namespace strandline::records {
namespace {

using compression::compress;
using namespace compression::testsupport;

constexpr compression_codec codecs[] = {compression_codec::gzip, compression_codec::snappy, compression_codec::lz4,
                                        compression_codec::zstd};

struct peak_account final : base::memory_account {
    void on_allocated(std::size_t bytes) noexcept override { peak = std::max(peak, held += bytes); }
    void on_released(std::size_t bytes) noexcept override { held -= bytes; }
    std::size_t held = 0;
    std::size_t peak = 0;
};

TEST(decompression_context, every_codec_survives_a_round_trip_of_every_size) {
    decompression_context context;
    for (const auto codec : codecs) {
        for (const std::size_t size : {0U, 1U, 100U, 4096U, 32'768U, 32'769U, 65'536U, 65'537U, 1'000'000U}) {
            const auto plain = text_of(size);
            const auto round = context.decompress(codec, compress(codec, base::as_bytes(plain), 2), 2, {});
            ASSERT_TRUE(round) << to_string(codec) << ' ' << size << ' ' << round.error().text;
            EXPECT_EQ(base::as_text(*round), plain);
        }
    }
}

TEST(decompression_context, compressed_bytes_cut_anywhere_are_an_error) {
    const auto plain = text_of(3000);
    for (const auto codec : codecs) {
        const auto whole = compress(codec, base::as_bytes(plain), 2);
        for (std::size_t size = 0; size < whole.size(); ++size) {
            const auto cut = decompressed(codec, {whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)});
            // A framed snappy stream may end after its header: it is an empty one then.
            if (codec == compression_codec::snappy && size == 16) continue;
            ASSERT_FALSE(cut) << to_string(codec) << ' ' << size;
            EXPECT_EQ(cut.error().kind, record_error_kind::undecompressable);
            EXPECT_EQ(cut.error().codec, codec);
        }
    }
}

TEST(decompression_context, output_up_to_the_limit_passes_and_one_byte_more_does_not) {
    for (const auto codec : codecs) {
        const auto plain = text_of(100'000);
        const auto compressed = compress(codec, base::as_bytes(plain), 2);
        EXPECT_EQ(decompressed(codec, compressed, 2, 100'000), plain) << to_string(codec);
        EXPECT_EQ(failure_of(codec, compressed, 99'999), record_error_kind::decompressed_too_large) << to_string(codec);
    }
}

TEST(decompression_context, a_bomb_is_an_error_that_names_codec_and_limit_and_never_holds_more_than_twice_the_limit) {
    const std::string zeros(16U << 20U, '\0');
    constexpr std::size_t limit = 4U << 20U;
    for (const auto codec : codecs) {
        const auto bomb = compress(codec, base::as_bytes(zeros), 2);
        const auto account = std::make_shared<peak_account>();
        decompression_context context;
        const auto plain =
            context.decompress(codec, bomb, 2, {.max_decompressed_batch_bytes = limit, .account = account});
        ASSERT_FALSE(plain) << to_string(codec);
        EXPECT_EQ(plain.error().kind, record_error_kind::decompressed_too_large);
        EXPECT_NE(plain.error().text.find(to_string(codec)), std::string::npos);
        EXPECT_NE(plain.error().text.find("max_decompressed_batch_bytes = 4194304"), std::string::npos);
        EXPECT_LE(account->peak, 2 * limit + 2);
        EXPECT_EQ(account->held, 0U);
    }
}

TEST(decompression_context, announced_sizes_reserve_nothing_that_the_bytes_do_not_support) {
    // Both announce 100 MiB in their header and hold six bytes.
    octets zstd(ZSTD_compressBound(6));
    zstd.resize(ZSTD_compress(zstd.data(), zstd.size(), "record", 6, 1));
    ASSERT_EQ(zstd[4], std::byte{0x20});  // one segment, size in one byte: make that four
    zstd[4] = std::byte{0xa0};
    zstd[5] = std::byte{0};
    const octets more{std::byte{0}, std::byte{0x40}, std::byte{0x06}};
    zstd.insert(zstd.begin() + 6, more.begin(), more.end());
    LZ4F_preferences_t preferences{};
    preferences.frameInfo.contentSize = 100U << 20U;
    octets lz4(64);
    LZ4F_cctx* context = nullptr;
    LZ4F_createCompressionContext(&context, LZ4F_VERSION);
    lz4.resize(LZ4F_compressBegin(context, lz4.data(), lz4.size(), &preferences));
    LZ4F_freeCompressionContext(context);
    lz4.resize(lz4.size() + 4);
    for (const auto& [codec, compressed] :
         {std::pair{compression_codec::zstd, zstd}, std::pair{compression_codec::lz4, lz4}}) {
        const auto account = std::make_shared<peak_account>();
        decompression_context fresh;
        EXPECT_FALSE(fresh.decompress(codec, compressed, 2, {.account = account}));
        EXPECT_LE(account->peak, 4096U) << to_string(codec);
    }
}

TEST(decompression_context, learns_how_much_a_codec_expands) {
    const auto plain = text_of(1'000'000);
    for (const auto codec : codecs) {
        const auto compressed = compress(codec, base::as_bytes(plain), 2);
        const auto account = std::make_shared<peak_account>();
        decompression_context context;
        ASSERT_TRUE(context.decompress(codec, compressed, 2, {}));
        const auto again = context.decompress(codec, compressed, 2, {.account = account});
        ASSERT_TRUE(again);
        EXPECT_EQ(account->peak, again->pinned()) << "one allocation suffices the second time";
        EXPECT_LT(again->pinned(), plain.size() * 5 / 4);
    }
}

TEST(decompression_context, a_codec_nobody_defined_is_an_error) {
    decompression_context context;
    for (const int codec : {0, 5, 200}) {
        const auto plain = context.decompress(static_cast<compression_codec>(codec), {}, 2, {});
        ASSERT_FALSE(plain);
        EXPECT_EQ(plain.error().kind, record_error_kind::unknown_codec);
    }
}

}  // namespace
}  // namespace strandline::records
