#include "apps/command_line/partition_list.hpp"

#include <gtest/gtest.h>

namespace strandline::apps::command_line {
namespace {

using numbers = std::vector<std::int32_t>;

TEST(partition_list, has_numbers_and_ranges) {
    EXPECT_EQ(read_partition_list("0"), numbers({0}));
    EXPECT_EQ(read_partition_list("0,2,5-7"), numbers({0, 2, 5, 6, 7}));
    EXPECT_EQ(read_partition_list("7,3-3,7"), numbers({3, 7}));
    EXPECT_EQ(read_partition_list("2147483647"), numbers({2147483647}));
}

TEST(partition_list, refuses_what_is_no_list) {
    for (const auto* text : {"", ",", "1,", "-1", "3-1", "1-", "a", "1 2", "0-2147483647", "2147483648"}) {
        EXPECT_FALSE(read_partition_list(text)) << text;
    }
}

}  // namespace
}  // namespace strandline::apps::command_line
