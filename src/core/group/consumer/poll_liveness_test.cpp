#include "core/group/consumer/poll_liveness.hpp"

#include <gtest/gtest.h>

namespace strandline::core::group::consumer {
namespace {

using namespace std::chrono_literals;
constexpr base::instant t0{100s};

boundary::checkpoint polled(base::instant when, bool inside) {
    return {.changed = {}, .last_poll = when, .inside_poll = inside};
}

TEST(poll_liveness, expires_when_no_poll_came_for_the_interval) {
    poll_liveness liveness(10s);
    liveness.on_checkpoint(polled(t0, false));
    EXPECT_EQ(liveness.deadline(), t0 + 10s);
    EXPECT_FALSE(liveness.expired(t0 + 10s - 1ns));
    EXPECT_TRUE(liveness.expired(t0 + 10s));
}

TEST(poll_liveness, never_expires_while_a_thread_is_inside_poll) {
    poll_liveness liveness(10s);
    liveness.on_checkpoint(polled(t0, true));
    liveness.on_turn(t0 + 1h);
    EXPECT_FALSE(liveness.expired(t0 + 1h));
    EXPECT_EQ(liveness.deadline(), t0 + 1h + 10s);
}

TEST(poll_liveness, counts_from_the_exit_of_a_poll_and_not_from_when_it_was_told) {
    poll_liveness liveness(10s);
    liveness.on_checkpoint(polled(t0, true));
    liveness.on_turn(t0 + 5s);
    liveness.on_checkpoint(polled(t0 + 7s, false));
    EXPECT_EQ(liveness.deadline(), t0 + 17s);
}

TEST(poll_liveness, time_in_a_callback_is_not_time_inside_poll) {
    poll_liveness liveness(10s);
    liveness.on_checkpoint(polled(t0, true));
    // The callback began: the poll was entered at t0, and the thread is in the application's code since.
    liveness.on_checkpoint(polled(t0 + 1s, false));
    liveness.on_turn(t0 + 11s);
    EXPECT_TRUE(liveness.expired(t0 + 11s));
}

}  // namespace
}  // namespace strandline::core::group::consumer
