#include "apps/command_line/duration_text.hpp"

#include <gtest/gtest.h>

namespace strandline::apps::command_line {
namespace {

using std::chrono::milliseconds;

TEST(duration_text, has_units_and_a_bare_number_is_seconds) {
    EXPECT_EQ(read_duration("500ms"), milliseconds(500));
    EXPECT_EQ(read_duration("10s"), milliseconds(10'000));
    EXPECT_EQ(read_duration("5m"), milliseconds(300'000));
    EXPECT_EQ(read_duration("1h"), milliseconds(3'600'000));
    EXPECT_EQ(read_duration("2d"), milliseconds(172'800'000));
    EXPECT_EQ(read_duration("7"), milliseconds(7000));
    EXPECT_EQ(read_duration("0"), milliseconds(0));
    EXPECT_EQ(read_duration("1.5s"), milliseconds(1500));
}

TEST(duration_text, refuses_what_is_no_duration) {
    for (const auto* text : {"", "s", "-1", "-5s", "10 s", "10x", "1e3", "inf", "nan", "5mm", "999999999999d"}) {
        EXPECT_FALSE(read_duration(text)) << text;
    }
}

}  // namespace
}  // namespace strandline::apps::command_line
