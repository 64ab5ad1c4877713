#include "base/sorted_chunks.hpp"

#include <cstdint>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/random_source.hpp"

namespace strandline::base {
namespace {

int by_number(int value, int key) { return value - key; }

using small_chunks = sorted_chunks<int, 8>;

std::vector<int> all_of(const small_chunks& chunks) { return {chunks.begin(), chunks.end()}; }

}  // namespace

TEST(sorted_chunks, nothing_is_found_in_an_empty_one) {
    small_chunks none;
    EXPECT_TRUE(none.empty());
    EXPECT_EQ(none.find(1, by_number), nullptr);
    EXPECT_FALSE(none.erase(1, by_number));
    EXPECT_EQ(none.begin(), none.end());
}

TEST(sorted_chunks, what_is_there_already_stays) {
    small_chunks some;
    EXPECT_TRUE(some.insert(1, 1, by_number));
    EXPECT_FALSE(some.insert(1, 1, by_number));
    EXPECT_EQ(some.size(), 1U);
}

TEST(sorted_chunks, what_is_there_already_makes_way_if_that_is_asked_for) {
    const auto by_first = [](const std::pair<int, int>& value, int key) { return value.first - key; };
    sorted_chunks<std::pair<int, int>, 8> some;
    some.insert_or_assign(1, {1, 10}, by_first);
    some.insert_or_assign(1, {1, 20}, by_first);
    EXPECT_EQ(some.size(), 1U);
    EXPECT_EQ(some.find(1, by_first)->second, 20);
}

TEST(sorted_chunks, values_come_in_order_whatever_the_order_of_their_arrival) {
    for (const bool backwards : {false, true}) {
        small_chunks some;
        for (int i = 0; i < 100; ++i) {
            const int value = backwards ? 99 - i : i;
            EXPECT_TRUE(some.insert(value, value, by_number));
        }
        int expected = 0;
        for (const int value : some) EXPECT_EQ(value, expected++);
        EXPECT_EQ(expected, 100);
    }
}

TEST(sorted_chunks, values_that_can_only_be_moved_are_kept_and_given_up) {
    const auto compare = [](const std::unique_ptr<int>& value, int key) { return *value - key; };
    sorted_chunks<std::unique_ptr<int>, 4> some;
    for (const int value : {5, 1, 4, 2, 3, 9, 8, 7, 6}) some.insert(value, std::make_unique<int>(value), compare);
    EXPECT_TRUE(some.erase(4, compare));
    ASSERT_NE(some.find(6, compare), nullptr);
    EXPECT_EQ(**some.find(6, compare), 6);
    EXPECT_EQ(some.size(), 8U);
}

TEST(sorted_chunks, it_agrees_with_a_set_under_any_changes) {
    seeded_random random(17);
    small_chunks some;
    std::set<int> expected;
    for (int step = 0; step < 20'000; ++step) {
        const int value = static_cast<int>(random.below(200));
        // It fills, empties and fills again.
        const bool grows = (step / 2000) % 2 == 0;
        const bool inserts = (random.below(4) != 0) == grows;
        if (inserts) {
            ASSERT_EQ(some.insert(value, value, by_number), expected.insert(value).second);
        } else {
            ASSERT_EQ(some.erase(value, by_number), expected.erase(value) > 0);
        }
        ASSERT_EQ(some.size(), expected.size());
        ASSERT_EQ(some.find(value, by_number) != nullptr, expected.contains(value));
        if (step % 100 == 0) {
            ASSERT_EQ(all_of(some), std::vector<int>(expected.begin(), expected.end()));
        }
    }
}

}  // namespace strandline::base
