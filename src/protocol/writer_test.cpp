#include "protocol/writer.hpp"

#include <limits>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "base/bytes.hpp"
#include "protocol/reader.hpp"
#include "protocol/varint.hpp"

namespace strandline::protocol {
namespace {

TEST(writer, what_is_written_is_read) {
    writer out;
    out.int8(-7);
    out.int16(std::numeric_limits<std::int16_t>::min());
    out.int32(0x01020304);
    out.int64(std::numeric_limits<std::int64_t>::max());
    out.varint(-300);
    out.varlong(std::numeric_limits<std::int64_t>::min());
    out.raw(base::as_bytes("tail"));
    const auto written = std::move(out).take();

    reader in(written);
    EXPECT_EQ(in.int8(), -7);
    EXPECT_EQ(in.int16(), std::numeric_limits<std::int16_t>::min());
    EXPECT_EQ(in.int32(), 0x01020304);
    EXPECT_EQ(in.int64(), std::numeric_limits<std::int64_t>::max());
    EXPECT_EQ(in.varint(), -300);
    EXPECT_EQ(in.varlong(), std::numeric_limits<std::int64_t>::min());
    EXPECT_EQ(base::as_text(in.raw(4)), "tail");
    EXPECT_EQ(in.remaining(), 0u);
}

TEST(writer, numbers_are_big_endian) {
    writer out;
    out.int32(0x01020304);
    out.unsigned_varint(300);
    EXPECT_EQ(base::as_text(std::move(out).take()), std::string_view("\x01\x02\x03\x04\xac\x02"));
}

TEST(writer, with_the_right_capacity_nothing_is_moved) {
    writer out(8);
    out.int64(1);
    EXPECT_EQ(std::move(out).take().pinned(), 8u);
}

TEST(writer, grows_past_its_capacity) {
    writer out(1);
    std::string expected;
    for (int i = 0; i < 1'000; ++i) {
        out.raw(base::as_bytes("abc"));
        expected += "abc";
    }
    EXPECT_EQ(base::as_text(std::move(out).take()), expected);
}

TEST(writer, a_length_is_patched_in_afterwards) {
    writer out;
    out.int32(0);
    out.int16(5);
    out.patch_int32(0, 2);
    EXPECT_EQ(base::as_text(std::move(out).take()), std::string_view("\0\0\0\x02\0\x05", 6));
}

TEST(writer, a_varint_takes_as_many_bytes_as_varint_size_says) {
    for (const std::uint32_t value : {0U, 127U, 128U, 16'383U, 16'384U, 2'097'152U, 268'435'456U, 4'294'967'295U}) {
        writer out;
        out.unsigned_varint(value);
        EXPECT_EQ(varint_size(value), out.size()) << value;
    }
}

}  // namespace
}  // namespace strandline::protocol
