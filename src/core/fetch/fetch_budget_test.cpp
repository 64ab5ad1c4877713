#include "core/fetch/fetch_budget.hpp"

#include <gtest/gtest.h>

namespace strandline::core::fetch {

namespace {

constexpr std::size_t mebibyte = std::size_t{1024} * 1024;

}  // namespace

TEST(fetch_budget, what_is_in_use_and_what_is_reserved_is_not_free) {
    fetch_budget budget(10 * mebibyte);
    budget.set_in_use(4 * mebibyte);
    budget.reserve(mebibyte);
    EXPECT_EQ(budget.free(), 5 * mebibyte);
    budget.set_in_use(20 * mebibyte);
    EXPECT_EQ(budget.free(), 0U);
    budget.release(mebibyte);
    budget.set_in_use(0);
    EXPECT_EQ(budget.free(), 10 * mebibyte);
}

TEST(fetch_budget, few_partitions_have_large_shares_and_many_have_at_least_the_smallest) {
    const fetch_budget budget(64 * mebibyte);
    EXPECT_EQ(budget.share(1, 4 * mebibyte), 4 * mebibyte);
    EXPECT_EQ(budget.share(8, 4 * mebibyte), mebibyte / 2);
    EXPECT_EQ(budget.share(300, 4 * mebibyte), fetch_budget::smallest_share);
    EXPECT_EQ(budget.share(0, 4 * mebibyte), 4 * mebibyte);
    EXPECT_EQ(budget.share(1, 500 * mebibyte), 32 * mebibyte);
}

TEST(fetch_budget, a_small_limit_makes_small_requests) {
    const fetch_budget budget(80'000);
    EXPECT_EQ(budget.smallest_request(), 10'000U);
    EXPECT_EQ(budget.largest_request(), 10'000U);
    EXPECT_EQ(budget.share(1, 4 * mebibyte), 40'000U);
}

}  // namespace strandline::core::fetch
