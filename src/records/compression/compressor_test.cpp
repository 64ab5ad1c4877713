#include "records/compression/compressor.hpp"

#include <gtest/gtest.h>

#include "records/compression/codec_testsupport.hpp"
#include "records/compression/decompressor.hpp"

namespace strandline::records::compression {
namespace {

using namespace testsupport;

constexpr compression_codec codecs[] = {compression_codec::gzip, compression_codec::snappy, compression_codec::lz4,
                                        compression_codec::zstd};

TEST(compressor, what_every_codec_compresses_it_decompresses) {
    for (const auto codec : codecs) {
        for (const std::size_t size : {0U, 1U, 100'000U}) {
            const auto plain = text_of(size);
            EXPECT_EQ(decompressed(codec, compress(codec, base::as_bytes(plain), 2)), plain) << to_string(codec);
        }
    }
}

TEST(compressor, without_a_codec_bytes_stay_as_they_are_and_nothing_decompresses_them) {
    EXPECT_EQ(compress(compression_codec::none, base::as_bytes("record"), 2), octets_of("record"));
    EXPECT_EQ(make_decompressor(compression_codec::none), nullptr);
    EXPECT_EQ(make_decompressor(compression_codec{7}), nullptr);
    EXPECT_EQ(failure_of(compression_codec::none, octets_of("record")), record_error_kind::unknown_codec);
    EXPECT_EQ(failure_of(compression_codec{7}, octets_of("record")), record_error_kind::unknown_codec);
}

TEST(compressor, bytes_that_begin_nothing_are_an_error_in_every_codec) {
    for (const auto codec : codecs) {
        for (const auto& bytes : {octets{}, octets(1, std::byte{0xfe}), octets_of("neither this nor that, at all")}) {
            EXPECT_EQ(failure_of(codec, bytes), record_error_kind::undecompressable)
                << to_string(codec) << ", " << bytes.size() << " bytes";
        }
    }
}

TEST(compressor, whatever_is_cut_off_is_an_error_or_less_and_never_something_else) {
    const auto plain = text_of(3000);
    for (const auto codec : codecs) {
        const auto whole = compress(codec, base::as_bytes(plain), 2);
        for (std::size_t size = 0; size < whole.size(); ++size) {
            const auto read = decompressed(codec, octets(whole.begin(), whole.begin() + static_cast<long>(size)));
            if (read) {
                EXPECT_TRUE(plain.starts_with(*read)) << to_string(codec) << " cut to " << size;
            } else {
                EXPECT_EQ(read.error().kind, record_error_kind::undecompressable);
            }
        }
    }
}

TEST(decompression_context, it_may_be_moved_with_what_it_keeps) {
    decompression_context first;
    const auto compressed = compress(compression_codec::zstd, base::as_bytes("record"), 2);
    EXPECT_TRUE(first.decompress(compression_codec::zstd, compressed, 2, {}));
    decompression_context second(std::move(first));
    EXPECT_TRUE(second.decompress(compression_codec::zstd, compressed, 2, {}));
    decompression_context third;
    third = std::move(second);
    EXPECT_TRUE(third.decompress(compression_codec::zstd, compressed, 2, {}));
}

}  // namespace
}  // namespace strandline::records::compression
