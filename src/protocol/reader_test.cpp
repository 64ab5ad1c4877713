#include "protocol/reader.hpp"

#include <initializer_list>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace strandline::protocol {
namespace {

std::vector<std::byte> bytes(std::initializer_list<int> values) {
    std::vector<std::byte> made;
    for (const int value : values) made.push_back(static_cast<std::byte>(value));
    return made;
}

TEST(reader, numbers_are_big_endian) {
    const auto input = bytes({0xff, 0x01, 0x02, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1});
    reader in(input);
    EXPECT_EQ(in.int8(), -1);
    EXPECT_EQ(in.int16(), 0x0102);
    EXPECT_EQ(in.int32(), std::numeric_limits<std::int32_t>::min());
    EXPECT_EQ(in.int64(), 1);
    EXPECT_EQ(in.remaining(), 0u);
    EXPECT_FALSE(in.failed());
}

TEST(reader, the_first_failure_stays_and_nothing_is_read_after_it) {
    const auto input = bytes({1, 2, 3});
    reader in(input);
    EXPECT_EQ(in.int16(), 0x0102);
    EXPECT_EQ(in.int32(), 0);
    EXPECT_EQ(in.fault(), codec_fault::truncated);
    EXPECT_EQ(in.offset(), 2u);
    in.fail(codec_fault::bad_length);
    EXPECT_EQ(in.int8(), 0);
    EXPECT_EQ(in.fault(), codec_fault::truncated);
    EXPECT_EQ(in.offset(), 2u);
}

TEST(reader, varints_take_as_many_bytes_as_they_need) {
    const auto input = bytes({0x00, 0x7f, 0x80, 0x01, 0xff, 0xff, 0xff, 0xff, 0x0f});
    reader in(input);
    EXPECT_EQ(in.unsigned_varint(), 0u);
    EXPECT_EQ(in.unsigned_varint(), 127u);
    EXPECT_EQ(in.unsigned_varint(), 128u);
    EXPECT_EQ(in.unsigned_varint(), std::numeric_limits<std::uint32_t>::max());
    EXPECT_FALSE(in.failed());
}

TEST(reader, a_varint_with_more_bits_than_its_type_is_malformed) {
    for (const auto& input : {bytes({0x80, 0x80, 0x80, 0x80, 0x10}), bytes({0xff, 0xff, 0xff, 0xff, 0xff, 0x00})}) {
        reader in(input);
        in.unsigned_varint();
        EXPECT_EQ(in.fault(), codec_fault::bad_varint);
    }
    const auto longest = bytes({0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02});
    reader in(longest);
    in.varlong();
    EXPECT_EQ(in.fault(), codec_fault::bad_varint);
}

TEST(reader, a_varint_that_is_cut_short_is_truncated) {
    const auto input = bytes({0x80, 0x80});
    reader in(input);
    in.unsigned_varint();
    EXPECT_EQ(in.fault(), codec_fault::truncated);
}

TEST(reader, zigzag_numbers_alternate_in_sign) {
    const auto input = bytes({0, 1, 2, 3, 0xff, 0xff, 0xff, 0xff, 0x0f});
    reader in(input);
    EXPECT_EQ(in.varint(), 0);
    EXPECT_EQ(in.varint(), -1);
    EXPECT_EQ(in.varlong(), 1);
    EXPECT_EQ(in.varlong(), -2);
    EXPECT_EQ(in.varint(), std::numeric_limits<std::int32_t>::min());
}

TEST(reader, a_narrowed_reader_does_not_see_beyond) {
    const auto input = bytes({1, 2, 3, 4});
    reader in(input);
    const auto outer_end = in.narrow(1);
    EXPECT_EQ(in.remaining(), 1u);
    EXPECT_EQ(in.int8(), 1);
    in.widen(outer_end);
    EXPECT_EQ(in.remaining(), 3u);
    in.narrow(4);
    EXPECT_EQ(in.fault(), codec_fault::truncated);
}

}  // namespace
}  // namespace strandline::protocol
