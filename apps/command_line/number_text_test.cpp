#include "apps/command_line/number_text.hpp"

#include <cstdint>

#include <gtest/gtest.h>

namespace strandline::apps::command_line {
namespace {

TEST(read_number, takes_whole_numbers_that_fit) {
    EXPECT_EQ(read_number<std::uint16_t>("65535"), 65535);
    EXPECT_EQ(read_number<std::int32_t>("-7"), -7);
}

TEST(read_number, refuses_everything_else) {
    for (const auto* text : {"", "x", "1x", " 1", "1 ", "+1", "1.5", "0x1", "65536", "-1"}) {
        EXPECT_EQ(read_number<std::uint16_t>(text), std::nullopt) << text;
    }
}

}  // namespace
}  // namespace strandline::apps::command_line
