#include "core/kernel/await_set.hpp"

#include <gtest/gtest.h>

#include "core/kernel/plan.hpp"

namespace strandline::core::kernel {

namespace {

using namespace std::chrono_literals;

constexpr base::instant t0{100s};

TEST(await_set, an_awaited_response_ends_at_its_expiry_at_the_latest) {
    EXPECT_EQ(await_set(awaited::response(7, t0 + 30s)).wake_at(), t0 + 30s);
}

TEST(await_set, the_earliest_of_what_ends_by_itself_counts_in_whatever_order) {
    const auto timer = awaited::timer(*future_instant::after(t0, t0 + 5s));
    const auto response = awaited::response(7, t0 + 30s);
    EXPECT_EQ(await_set(timer).add(response).wake_at(), t0 + 5s);
    EXPECT_EQ(await_set(response).add(timer).wake_at(), t0 + 5s);
}

TEST(await_set, what_others_bring_has_no_end_of_its_own) {
    const auto inputs = await_set(awaited::command()).add(awaited::acknowledgement(3)).add(awaited::view(1));
    EXPECT_EQ(inputs.wake_at(), base::never);
    EXPECT_FALSE(inputs.awaits_space());
    EXPECT_EQ(inputs.views(), 0b10U);
}

TEST(await_set, space_is_awaited_once_it_is_named) {
    EXPECT_TRUE(await_set(awaited::command()).add(awaited::space()).awaits_space());
    EXPECT_FALSE(await_set(awaited::queue_space()).awaits_space());
    EXPECT_TRUE(await_set(awaited::queue_space()).awaits(input_kind::queue_space));
}

TEST(await_set, beyond_the_names_that_fit_an_input_still_counts) {
    await_set inputs(awaited::command());
    for (view_index index = 0; index < 20; ++index) inputs.add(awaited::view(index));
    inputs.add(awaited::response(1, t0));
    EXPECT_LT(inputs.named().size(), 21u);
    EXPECT_EQ(inputs.views(), (std::uint32_t{1} << 20U) - 1);
    EXPECT_EQ(inputs.wake_at(), t0);
}

TEST(await_set, two_that_differ_beyond_the_names_that_fit_are_not_the_same) {
    const auto full = [](awaited last) {
        await_set made(awaited::command());
        for (std::uint64_t id = 1; id < 8; ++id) made.add(awaited::acknowledgement(id));
        return made.add(last);
    };
    const auto plain = full(awaited::command());
    EXPECT_TRUE(plain == full(awaited::acknowledgement(9)));
    EXPECT_FALSE(plain == full(awaited::view(3)));
    EXPECT_FALSE(plain == full(awaited::space()));
    EXPECT_FALSE(plain == full(awaited::response(1, base::instant(std::chrono::seconds(7)))));
    EXPECT_FALSE(await_set(awaited::command()) == plain);
}

TEST(plan, who_waits_for_a_time_only_says_why) {
    const auto answer = plan<int>::await(await_set(awaited::timer(future_instant::in(t0, 100ms))), {4, 2});
    EXPECT_FALSE(answer.is_progress());
    EXPECT_EQ(answer.wait().wake_at(), t0 + 100ms);
    EXPECT_EQ(answer.why(), (reason{4, 2}));
}

}  // namespace

}  // namespace strandline::core::kernel
