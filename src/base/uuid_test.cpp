#include "base/uuid.hpp"

#include <gtest/gtest.h>

namespace strandline::base {
namespace {

TEST(uuid, prints_and_parses_as_kafka_does) {
    uuid id;
    for (std::size_t i = 0; i < 16; ++i) id.octets[i] = static_cast<std::uint8_t>(i * 17);
    EXPECT_EQ(id.to_string(), "ABEiM0RVZneImaq7zN3u_w");
    EXPECT_EQ(uuid::parse("ABEiM0RVZneImaq7zN3u_w"), id);
    EXPECT_EQ(uuid{}.to_string(), "AAAAAAAAAAAAAAAAAAAAAA");
}

TEST(uuid, refuses_text_of_another_length_or_alphabet) {
    EXPECT_FALSE(uuid::parse(""));
    EXPECT_FALSE(uuid::parse("ABEiM0RVZneImaq7zN3u_"));
    EXPECT_FALSE(uuid::parse("ABEiM0RVZneImaq7zN3u+w"));
}

TEST(uuid, random_ones_differ_and_are_never_zero) {
    seeded_random random(1);
    const auto first = uuid::random(random);
    EXPECT_NE(first, uuid::random(random));
    EXPECT_FALSE(first.is_zero());
}

}  // namespace
}  // namespace strandline::base
