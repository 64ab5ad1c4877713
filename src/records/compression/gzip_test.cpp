#include "records/compression/gzip.hpp"

#include <gtest/gtest.h>

#include "records/compression/codec_testsupport.hpp"

namespace strandline::records::compression {
namespace {

using namespace testsupport;

constexpr auto gzip = compression_codec::gzip;

TEST(gzip, several_members_are_one_stream) {
    const auto first = text_of(100'000);
    const auto compressed =
        compress_gzip(base::as_bytes(first)) + compress_gzip({}) + compress_gzip(base::as_bytes("tail"));
    EXPECT_EQ(decompressed(gzip, compressed), first + "tail");
}

TEST(gzip, what_follows_the_last_member_is_ignored_as_java_does) {
    for (const std::string_view rest : {"x", "twenty bytes of junk", "\x1f\x8b"}) {
        EXPECT_EQ(decompressed(gzip, compress_gzip(base::as_bytes("record")) + octets_of(rest)), "record");
    }
}

TEST(gzip, a_header_with_name_and_comment_is_read) {
    auto member = compress_gzip(base::as_bytes("record"));
    member[3] = std::byte{0x18};
    const auto named = octets_of("name") + octets(1) + octets_of("comment") + octets(1);
    member.insert(member.begin() + 10, named.begin(), named.end());
    EXPECT_EQ(decompressed(gzip, member), "record");
}

TEST(gzip, a_wrong_checksum_or_size_is_an_error) {
    for (const std::ptrdiff_t from_end : {8, 4}) {
        auto member = compress_gzip(base::as_bytes("record"));
        *(member.end() - from_end) ^= std::byte{1};
        EXPECT_EQ(failure_of(gzip, member), record_error_kind::undecompressable);
    }
}

TEST(gzip, an_announced_size_is_not_trusted) {
    auto member = compress_gzip(base::as_bytes(text_of(1000)));
    for (std::size_t i = 1; i <= 4; ++i) member[member.size() - i] = std::byte{0xff};
    EXPECT_EQ(failure_of(gzip, member), record_error_kind::undecompressable);
}

TEST(gzip, what_only_half_looks_like_a_member_is_none) {
    for (const auto wrong : {0, 1}) {
        auto member = compress_gzip(base::as_bytes("record"));
        member[static_cast<std::size_t>(wrong)] ^= std::byte{0xff};
        EXPECT_EQ(failure_of(gzip, member), record_error_kind::undecompressable);
    }
}

}  // namespace
}  // namespace strandline::records::compression
