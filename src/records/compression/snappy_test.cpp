#include "records/compression/snappy.hpp"

#include <array>

#include <gtest/gtest.h>
#include <snappy.h>

#include "records/big_endian.hpp"
#include "records/compression/codec_testsupport.hpp"

namespace strandline::records::compression {
namespace {

using namespace testsupport;

constexpr auto codec = compression_codec::snappy;

octets raw(std::string_view plain) {
    std::string compressed;
    snappy::Compress(plain.data(), plain.size(), &compressed);
    return octets_of(compressed);
}

octets xerial_header() { return compress_snappy({}); }

octets block(const octets& compressed) {
    octets sized(4);
    store_big_endian(sized.data(), static_cast<std::int32_t>(compressed.size()));
    return sized + compressed;
}

// Only raw blocks were understood.
// tickets: B07
TEST(snappy, raw_and_framed_give_the_same_bytes) {
    const auto small = text_of(300);
    EXPECT_EQ(decompressed(codec, raw(small)), small);
    EXPECT_EQ(decompressed(codec, xerial_header() + block(raw(small))), small);
    EXPECT_EQ(decompressed(codec, compress_snappy(base::as_bytes(small))), small);

    const auto large = text_of(200'000);
    const auto framed = compress_snappy(base::as_bytes(large));
    EXPECT_EQ(decompressed(codec, raw(large)), large);
    EXPECT_EQ(decompressed(codec, framed), large);
}

TEST(snappy, an_empty_payload_may_be_raw_framed_or_a_frame_without_blocks) {
    EXPECT_EQ(decompressed(codec, raw("")), "");
    EXPECT_EQ(decompressed(codec, xerial_header()), "");
    EXPECT_EQ(decompressed(codec, xerial_header() + block(raw(""))), "");
}

TEST(snappy, joined_streams_repeat_the_header) {
    const auto stream = compress_snappy(base::as_bytes("first ")) + compress_snappy(base::as_bytes("second"));
    EXPECT_EQ(decompressed(codec, stream), "first second");
}

TEST(snappy, a_wrong_frame_magic_is_an_error) {
    auto framed = compress_snappy(base::as_bytes(text_of(300)));
    framed[3] ^= std::byte{0x20};
    EXPECT_EQ(failure_of(codec, framed), record_error_kind::undecompressable);
}

TEST(snappy, block_lengths_that_do_not_fit_are_errors) {
    for (const std::int32_t length : {-1, 0, 0x7fffffff, 1000}) {
        auto framed = compress_snappy(base::as_bytes("record"));
        store_big_endian(framed.data() + 16, length);
        EXPECT_EQ(failure_of(codec, framed), record_error_kind::undecompressable) << length;
    }
    EXPECT_EQ(failure_of(codec, xerial_header() + octets(3)), record_error_kind::undecompressable);
}

TEST(snappy, a_block_that_announces_more_than_it_can_hold_gets_no_memory) {
    const octets lies = octets_of("\xff\xff\xff\xff\x0f") + octets(10);
    EXPECT_EQ(failure_of(codec, lies), record_error_kind::undecompressable);
    EXPECT_EQ(failure_of(codec, xerial_header() + block(lies)), record_error_kind::undecompressable);
}

TEST(snappy, a_block_without_a_length_or_with_the_wrong_one_is_an_error) {
    for (const auto& bytes :
         {octets(6, std::byte{0xff}), octets{std::byte{0}, std::byte{1}}, octets_of("\x06\x14wrong")}) {
        EXPECT_EQ(failure_of(codec, bytes), record_error_kind::undecompressable);
        EXPECT_EQ(failure_of(codec, xerial_header() + block(bytes)), record_error_kind::undecompressable);
    }
}

}  // namespace
}  // namespace strandline::records::compression
