#include "core/exchange/request_backoff.hpp"

#include <chrono>
#include <vector>

#include <gtest/gtest.h>

#include "core/exchange/shared_draw.hpp"

namespace strandline::core::exchange {
namespace {

using namespace std::chrono_literals;

// Middle of the jitter: what is random is tested where it is made.
class no_jitter final : public base::random_source {
public:
    std::uint64_t next() override { return std::uint64_t{1} << 63U; }
};

std::vector<base::duration> waits(boundary::backoff limits, int failures) {
    no_jitter random;
    request_backoff backoff(limits);
    std::vector<base::duration> all;
    base::instant now{1h};
    for (int i = 0; i < failures; ++i) {
        backoff.on_failure(now, random);
        all.push_back(backoff.allowed_at() - now);
        now = backoff.allowed_at();
    }
    return all;
}

TEST(request_backoff, doubles_up_to_its_maximum_and_stays_above_it_from_then_on) {
    EXPECT_EQ(waits({100ms, 1s}, 6), (std::vector<base::duration>{100ms, 200ms, 400ms, 800ms, 1100ms, 1100ms}));
}

TEST(request_backoff, of_zero_allows_the_first_retry_at_once_and_slows_down_what_goes_on_failing) {
    EXPECT_EQ(waits({0ms, 1s}, 9),
              (std::vector<base::duration>{base::duration(1), 10ms, 20ms, 40ms, 80ms, 160ms, 320ms, 640ms, 1100ms}));
}

TEST(request_backoff, may_try_at_once_after_a_success) {
    no_jitter random;
    request_backoff backoff({100ms, 1s});
    backoff.on_failure(base::instant(1h), random);
    EXPECT_FALSE(backoff.may_try(base::instant(1h) + 99ms));
    EXPECT_TRUE(backoff.may_try(base::instant(1h) + 100ms));
    backoff.on_success();
    EXPECT_TRUE(backoff.may_try(base::instant(1h)));
    EXPECT_EQ(backoff.attempts(), 0);
}

// A back-off each, with a jitter each, would be a wake-up each.
TEST(request_backoff, what_fails_at_one_instant_may_be_tried_again_at_one_instant) {
    base::seeded_random random(1);
    shared_draw draw(random);
    std::vector<request_backoff> all(3, request_backoff({100ms, 1s}));
    const base::instant now{1h};
    for (auto& one : all) one.on_failure(now, draw.at(now));
    EXPECT_EQ(all[0].allowed_at(), all[1].allowed_at());
    EXPECT_EQ(all[0].allowed_at(), all[2].allowed_at());
    EXPECT_NE(all[0].allowed_at(), now + 100ms);
    const auto first = all[0].allowed_at() - now;
    all[0].on_success();
    all[0].on_failure(now + 1s, draw.at(now + 1s));
    EXPECT_NE(all[0].allowed_at() - (now + 1s), first);
}

}  // namespace
}  // namespace strandline::core::exchange
