#include "protocol/base64.hpp"

#include <string>

#include <gtest/gtest.h>

namespace strandline::protocol {
namespace {

TEST(base64, pads_to_groups_of_four) {
    EXPECT_EQ(to_base64(base::as_bytes("")), "");
    EXPECT_EQ(to_base64(base::as_bytes("f")), "Zg==");
    EXPECT_EQ(to_base64(base::as_bytes("fo")), "Zm8=");
    EXPECT_EQ(to_base64(base::as_bytes("foo")), "Zm9v");
    EXPECT_EQ(to_base64(base::as_bytes("\xff\xfe\xfd\xfc")), "//79/A==");
}

TEST(base64, what_is_written_is_read) {
    for (const std::string_view text : {"", "f", "fo", "foo", "foob", "\xff\xfe\xfd\xfc"}) {
        const auto bytes = from_base64(to_base64(base::as_bytes(text)));
        ASSERT_TRUE(bytes);
        EXPECT_EQ(base::as_text(*bytes), text);
    }
}

TEST(base64, refuses_other_characters_and_lengths) {
    EXPECT_FALSE(from_base64("Zg="));
    EXPECT_FALSE(from_base64("Zg-="));
}

}  // namespace
}  // namespace strandline::protocol
