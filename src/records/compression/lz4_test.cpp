#include "records/compression/lz4.hpp"

#include <gtest/gtest.h>
#include <lz4frame.h>

#include "records/compression/codec_testsupport.hpp"

namespace strandline::records::compression {
namespace {

using namespace testsupport;

constexpr auto codec = compression_codec::lz4;

octets frame(std::string_view plain, const LZ4F_preferences_t& preferences) {
    octets compressed(LZ4F_compressFrameBound(plain.size(), &preferences));
    compressed.resize(
        LZ4F_compressFrame(compressed.data(), compressed.size(), plain.data(), plain.size(), &preferences));
    return compressed;
}

TEST(lz4, frames_of_every_shape_are_read) {
    const auto plain = text_of(300'000);
    for (const auto mode : {LZ4F_blockIndependent, LZ4F_blockLinked}) {
        for (const auto size : {LZ4F_max64KB, LZ4F_max4MB}) {
            LZ4F_preferences_t preferences{};
            preferences.frameInfo.blockMode = mode;
            preferences.frameInfo.blockSizeID = size;
            EXPECT_EQ(decompressed(codec, frame(plain, preferences)), plain);
            preferences.frameInfo.contentChecksumFlag = LZ4F_contentChecksumEnabled;
            preferences.frameInfo.blockChecksumFlag = LZ4F_blockChecksumEnabled;
            preferences.frameInfo.contentSize = plain.size();
            EXPECT_EQ(decompressed(codec, frame(plain, preferences)), plain);
        }
    }
}

TEST(lz4, several_frames_are_one_stream_and_what_follows_them_is_ignored) {
    const auto two = compress_lz4(base::as_bytes("first "), 2) + compress_lz4(base::as_bytes("second"), 2);
    EXPECT_EQ(decompressed(codec, two), "first second");
    EXPECT_EQ(decompressed(codec, two + octets_of("rest")), "first second");
}

TEST(lz4, a_wrong_header_checksum_is_an_error_except_in_old_messages) {
    const auto plain = text_of(100'000);
    for (const bool with_content_size : {false, true}) {
        LZ4F_preferences_t preferences{};
        preferences.frameInfo.contentSize = with_content_size ? plain.size() : 0;
        auto compressed = frame(plain, preferences);
        compressed[with_content_size ? 14 : 6] ^= std::byte{0x5a};
        EXPECT_EQ(failure_of(codec, compressed), record_error_kind::undecompressable);
        EXPECT_EQ(decompressed(codec, compressed, 1), plain);
        EXPECT_EQ(decompressed(codec, compressed, 0), plain);
    }
}

TEST(lz4, what_is_written_for_magic_0_has_the_traditional_wrong_checksum) {
    const auto right = compress_lz4(base::as_bytes("record"), 1);
    const auto wrong = compress_lz4(base::as_bytes("record"), 0);
    EXPECT_NE(right[6], wrong[6]);
    EXPECT_EQ(decompressed(codec, wrong, 0), "record");
}

TEST(lz4, a_frame_that_breaks_its_promise_does_not_spoil_the_next_one) {
    LZ4F_preferences_t preferences{};
    preferences.frameInfo.contentSize = 6;
    auto broken = frame("record", preferences);
    broken.resize(broken.size() - 4);
    decompression_context context;
    EXPECT_FALSE(context.decompress(codec, broken, 2, {}));
    EXPECT_TRUE(context.decompress(codec, compress_lz4(base::as_bytes("record"), 2), 2, {}));
}

TEST(lz4, an_announced_content_size_is_not_trusted) {
    LZ4F_preferences_t preferences{};
    preferences.frameInfo.contentSize = 6;
    auto compressed = frame("record", preferences);
    compressed[12] = std::byte{0x7f};
    EXPECT_EQ(failure_of(codec, compressed), record_error_kind::undecompressable);
}

TEST(lz4, a_header_that_is_cut_or_of_another_version_is_no_frame) {
    LZ4F_preferences_t preferences{};
    preferences.frameInfo.contentSize = 6;
    auto compressed = frame("record", preferences);
    EXPECT_EQ(failure_of(codec, octets(compressed.begin(), compressed.begin() + 10)),
              record_error_kind::undecompressable);
    compressed[4] ^= std::byte{0xc0};
    for (const auto magic : {std::int8_t{0}, std::int8_t{1}, std::int8_t{2}}) {
        const auto read = decompressed(codec, compressed, magic);
        ASSERT_FALSE(read);
        EXPECT_EQ(read.error().kind, record_error_kind::undecompressable);
    }
}

TEST(lz4, a_dictionary_that_is_named_is_read_over_in_the_header) {
    LZ4F_preferences_t preferences{};
    preferences.frameInfo.dictID = 7;
    EXPECT_EQ(decompressed(codec, frame("record", preferences), 1), "record");
}

}  // namespace
}  // namespace strandline::records::compression
