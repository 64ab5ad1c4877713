#include "apps/command_line/offset_spec.hpp"

#include <gtest/gtest.h>

namespace strandline::apps::command_line {
namespace {

using kind = offset_spec::kind;
using std::chrono::milliseconds;

constexpr std::chrono::sys_time<milliseconds> noon{milliseconds(1'700'000'000'000)};

TEST(offset_spec, has_names_numbers_and_distances_from_the_end) {
    EXPECT_EQ(read_offset_spec("beginning", noon), (offset_spec{kind::beginning}));
    EXPECT_EQ(read_offset_spec("end", noon), (offset_spec{kind::end}));
    EXPECT_EQ(read_offset_spec("0", noon), (offset_spec{kind::absolute, 0}));
    EXPECT_EQ(read_offset_spec("4711", noon), (offset_spec{kind::absolute, 4711}));
    EXPECT_EQ(read_offset_spec("-10", noon), (offset_spec{kind::before_end, 10}));
}

TEST(offset_spec, has_times_in_milliseconds_by_the_calendar_and_before_now) {
    EXPECT_EQ(read_offset_spec("@1700000000123", noon), (offset_spec{kind::time, 1'700'000'000'123}));
    EXPECT_EQ(read_offset_spec("@2023-11-14T22:13:20Z", noon), (offset_spec{kind::time, 1'700'000'000'000}));
    EXPECT_EQ(read_offset_spec("@2023-11-14T23:13:20.25+01:00", noon), (offset_spec{kind::time, 1'700'000'000'250}));
    EXPECT_EQ(read_offset_spec("@2023-11-14 22:13:20.123456z", noon), (offset_spec{kind::time, 1'700'000'000'123}));
    EXPECT_EQ(read_offset_spec("@-1h", noon), (offset_spec{kind::time, 1'700'000'000'000 - 3'600'000}));
    EXPECT_EQ(read_offset_spec("@-30", noon), (offset_spec{kind::time, 1'700'000'000'000 - 30'000}));
}

TEST(offset_spec, refuses_what_is_no_place) {
    for (const auto* text :
         {"", "start", "1.5", "--5", "@", "@noon", "@2023-11-14", "@2023-11-14T22:13:20", "@2023-02-30T00:00:00Z",
          "@2023-11-14T25:00:00Z", "@2023-11-14T22:13:20Zx", "@-1x", "99999999999999999999"}) {
        EXPECT_FALSE(read_offset_spec(text, noon)) << text;
    }
}

}  // namespace
}  // namespace strandline::apps::command_line
