#include "records/varint.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace strandline::records {
namespace {

template <class Number>
std::vector<std::byte> bytes_of(std::initializer_list<Number> octets) {
    std::vector<std::byte> bytes;
    for (const auto octet : octets) bytes.push_back(static_cast<std::byte>(octet));
    return bytes;
}

TEST(varint, survives_a_round_trip_both_checked_and_unchecked) {
    for (const std::int64_t value :
         {std::int64_t{0}, std::int64_t{-1}, std::int64_t{63}, std::int64_t{64}, std::int64_t{-64}, std::int64_t{-65},
          std::int64_t{8191}, std::int64_t{8192}, std::int64_t{std::numeric_limits<std::int32_t>::max()},
          std::int64_t{std::numeric_limits<std::int32_t>::min()}, std::numeric_limits<std::int64_t>::max(),
          std::numeric_limits<std::int64_t>::min()}) {
        std::vector<std::byte> bytes;
        append_varint(bytes, value);
        EXPECT_EQ(bytes.size(), varint_size(value));
        const std::byte* const end = bytes.data() + bytes.size();
        std::uint64_t encoded = 0;
        const std::byte* at = bytes.data();
        EXPECT_TRUE(read_varint_checked(at, end, encoded));
        EXPECT_EQ(from_zig_zag(encoded), value);
        EXPECT_EQ(at, end);
        at = bytes.data();
        EXPECT_TRUE(read_varint_unchecked(at, encoded));
        EXPECT_EQ(from_zig_zag(encoded), value);
        EXPECT_EQ(at, end);
    }
}

TEST(varint, cut_at_any_byte_is_refused) {
    std::vector<std::byte> bytes;
    append_varint(bytes, std::numeric_limits<std::int64_t>::min());
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        std::uint64_t encoded = 0;
        const std::byte* at = bytes.data();
        EXPECT_FALSE(read_varint_checked(at, bytes.data() + size, encoded)) << size;
    }
}

TEST(varint, longer_than_its_type_allows_is_refused) {
    const auto endless = std::vector<std::byte>(16, std::byte{0x80});
    std::uint32_t narrow = 0;
    std::uint64_t wide = 0;
    const std::byte* at = endless.data();
    EXPECT_FALSE(read_varint_checked(at, endless.data() + endless.size(), narrow));
    EXPECT_EQ(at - endless.data(), longest_varint);
    at = endless.data();
    EXPECT_FALSE(read_varint_unchecked(at, narrow));
    EXPECT_EQ(at - endless.data(), longest_varint);
    at = endless.data();
    EXPECT_FALSE(read_varint_checked(at, endless.data() + endless.size(), wide));
    at = endless.data();
    EXPECT_FALSE(read_varint_unchecked(at, wide));
    EXPECT_EQ(at - endless.data(), longest_varlong);
}

TEST(varint, bits_that_do_not_fit_are_dropped_as_kafka_drops_them) {
    const auto bytes = bytes_of({0xff, 0xff, 0xff, 0xff, 0x7f});
    std::uint32_t encoded = 0;
    const std::byte* at = bytes.data();
    EXPECT_TRUE(read_varint_checked(at, bytes.data() + bytes.size(), encoded));
    EXPECT_EQ(encoded, 0xffffffffU);
    at = bytes.data();
    EXPECT_TRUE(read_varint_unchecked(at, encoded));
    EXPECT_EQ(encoded, 0xffffffffU);
}

}  // namespace
}  // namespace strandline::records
