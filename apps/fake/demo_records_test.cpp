#include "apps/fake/demo_records.hpp"

#include <gtest/gtest.h>

#include "apps/command_line/fake_options.hpp"

namespace strandline::apps {
namespace {

TEST(demo_records, of_one_customer_lie_in_one_partition) {
    for (std::uint64_t i = 0; i < 50; ++i) {
        EXPECT_EQ(fake::demo_record(i).key, fake::demo_record(i + 7).key);
        EXPECT_EQ(fake::demo_partition(i, 3), fake::demo_partition(i + 7, 3));
        EXPECT_LT(fake::demo_partition(i, 3), 3);
    }
    EXPECT_EQ(fake::demo_record(0).value, R"({"order":0,"customer":"ada","item":"lantern","quantity":1})");
}

TEST(fake_topic, has_a_name_and_perhaps_a_number_of_partitions) {
    EXPECT_EQ(command_line::read_topic("orders")->partitions, 1);
    EXPECT_EQ(command_line::read_topic("orders:12")->partitions, 12);
    for (const auto* text : {"", ":1", "a b", "orders:", "orders:0", "orders:-1", "orders:x", ".", "a/b"}) {
        EXPECT_FALSE(command_line::read_topic(text)) << text;
    }
}

}  // namespace
}  // namespace strandline::apps
