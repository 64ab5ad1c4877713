#include "records/compression/zstd.hpp"

#include <gtest/gtest.h>
#include <zstd.h>

#include "records/compression/codec_testsupport.hpp"

namespace strandline::records::compression {
namespace {

using namespace testsupport;

constexpr auto codec = compression_codec::zstd;

octets frame(std::string_view plain, int level, bool with_size) {
    ZSTD_CCtx* const context = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level);
    ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, with_size ? 1 : 0);
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
    octets compressed(ZSTD_compressBound(plain.size()));
    compressed.resize(ZSTD_compress2(context, compressed.data(), compressed.size(), plain.data(), plain.size()));
    ZSTD_freeCCtx(context);
    return compressed;
}

TEST(zstd, frames_are_read_with_and_without_their_content_size) {
    for (const std::size_t size : {0U, 1U, 1000U, 3'000'000U}) {
        const auto plain = text_of(size);
        for (const int level : {1, 3, 9}) {
            EXPECT_EQ(decompressed(codec, frame(plain, level, true)), plain);
            EXPECT_EQ(decompressed(codec, frame(plain, level, false)), plain);
        }
    }
}

TEST(zstd, several_frames_are_one_stream) {
    const auto large = text_of(500'000);
    EXPECT_EQ(decompressed(codec, frame(large, 3, true) + frame("", 3, true) + frame("tail", 3, false)),
              large + "tail");
}

TEST(zstd, a_skippable_frame_is_skipped) {
    const auto skippable =
        octets_of(std::string_view("\x50\x2a\x4d\x18\x03\x00\x00\x00"
                                   "abc",
                                   11));
    EXPECT_EQ(decompressed(codec, skippable + frame("record", 3, true)), "record");
}

TEST(zstd, what_follows_the_last_frame_must_be_a_frame) {
    EXPECT_EQ(failure_of(codec, frame("record", 3, true) + octets_of("junk")), record_error_kind::undecompressable);
}

TEST(zstd, a_window_larger_than_kafkas_client_grants_is_refused) {
    // Magic, a descriptor without sizes, the window (2^(10 + five high bits)), one raw last block of one byte.
    const auto with_window_log = [](unsigned log) {
        return octets_of("\x28\xb5\x2f\xfd") + octets(1) + octets(1, static_cast<std::byte>((log - 10) << 3U)) +
               octets_of(std::string_view("\x09\x00\x00r", 4));
    };
    EXPECT_EQ(decompressed(codec, with_window_log(27)), "r");
    EXPECT_EQ(failure_of(codec, with_window_log(28)), record_error_kind::undecompressable);
}

}  // namespace
}  // namespace strandline::records::compression
