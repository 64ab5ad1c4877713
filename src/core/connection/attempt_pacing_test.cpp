#include "core/connection/attempt_pacing.hpp"

#include <gtest/gtest.h>

namespace strandline::core::connection {
namespace {

using namespace std::chrono_literals;

constexpr base::instant t0{1000s};

TEST(attempt_pacing, pauses_grow_to_the_maximum_and_are_only_lengthened) {
    base::seeded_random random(1);
    attempt_pacing pacing({50ms, 10s});
    EXPECT_TRUE(pacing.is_open(t0));
    for (const base::duration least : {50ms, 50ms, 400ms, 800ms, 1600ms, 3200ms, 6400ms, 10000ms, 10000ms}) {
        pacing.on_failure(t0, 1, random);
        EXPECT_GE(pacing.opens_at(), t0 + least);
        EXPECT_LE(pacing.opens_at(), t0 + least + least * 4 / 10);
        EXPECT_FALSE(pacing.is_open(t0));
        EXPECT_TRUE(pacing.is_open(pacing.opens_at()));
    }
    EXPECT_EQ(pacing.failures(), 9);
    pacing.on_reachable();
    EXPECT_TRUE(pacing.is_open(t0));
    EXPECT_EQ(pacing.failures(), 0);
}

TEST(attempt_pacing, an_attempt_that_woke_the_reactor_often_is_followed_by_a_longer_pause) {
    base::seeded_random random(1);
    attempt_pacing pacing({10s, 10s});
    pacing.on_failure(t0, 3, random);
    EXPECT_GE(pacing.opens_at(), t0 + 20s);
}

TEST(attempt_pacing, an_attempt_under_way_lets_the_next_start_after_a_moment) {
    base::seeded_random random(1);
    attempt_pacing pacing({50ms, 10s});
    pacing.on_started(t0);
    EXPECT_EQ(pacing.opens_at(), t0 + attempt_pacing::stagger);
    for (int i = 0; i < 20; ++i) pacing.on_failure(t0, 1, random);
    pacing.on_started(t0);
    EXPECT_EQ(pacing.opens_at(), t0 + 10s) << "where nobody answers, neither do parallel attempts come quickly";
}

// tickets: KAFKA-21049 (A6)
TEST(attempt_pacing, a_back_off_of_zero_still_spaces_attempts_out) {
    base::seeded_random random(1);
    attempt_pacing pacing({0ms, 0ms});
    pacing.on_failure(t0, 1, random);
    EXPECT_GT(pacing.opens_at(), t0);
}

}  // namespace
}  // namespace strandline::core::connection
