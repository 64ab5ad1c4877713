#include "core/kernel/agenda.hpp"

#include <string>

#include <gtest/gtest.h>

namespace strandline::core::kernel {
namespace {

using namespace std::chrono_literals;
using text_plan = plan<std::string>;

constexpr base::instant t0{100s};
constexpr view_index lamp_view = 0;

// A toy wiring: one manager owns a lamp, the other waits for it to burn and then speaks once.
struct toy {
    view_log views;
    versioned<bool> lamp{lamp_view, views, false};
    view<bool> lamp_seen{lamp};
    agenda who{2, views};
    std::vector<std::string> said;
    base::instant light_at = t0 + 5s;
    bool spoken = false;
    bool forgets_to_await = false;
    int asked = 0;

    text_plan ask(manager_index manager, base::instant now) {
        ++asked;
        if (manager == 0) {
            if (const auto later = future_instant::after(now, light_at)) {
                return text_plan::await(await_set(awaited::timer(*later)), {1});
            }
            if (!lamp.get()) {
                lamp.change() = true;
                return text_plan::progress("lit");
            }
            return text_plan::await(await_set(awaited::command()), {2});
        }
        if (lamp_seen.read() && !spoken) {
            spoken = true;
            return text_plan::progress("I see");
        }
        await_set inputs(awaited::command());
        if (!forgets_to_await) inputs.add(lamp_seen.change());
        return text_plan::await(inputs, {3});
    }

    void turn(base::instant now) {
        who.run(
            now, [&](manager_index manager) { return ask(manager, now); },
            [&](manager_index, std::string output) { said.push_back(std::move(output)); });
    }
};

TEST(agenda, asks_everyone_once_and_then_only_those_that_something_happened_to) {
    toy wiring;
    wiring.turn(t0);
    EXPECT_EQ(wiring.asked, 2);
    EXPECT_EQ(wiring.who.bound().value(), t0 + 5s);
    wiring.turn(t0 + 1s);
    EXPECT_EQ(wiring.asked, 2);
}

TEST(agenda, a_changed_view_asks_whoever_awaits_it_in_the_same_turn) {
    toy wiring;
    wiring.turn(t0);
    wiring.turn(t0 + 5s);
    EXPECT_EQ(wiring.said, (std::vector<std::string>{"lit", "I see"}));
    EXPECT_EQ(wiring.who.bound().value(), base::never);
    EXPECT_EQ(wiring.who.missing_edges(), 0u);
}

TEST(agenda, notices_an_answer_that_read_a_view_without_awaiting_it) {
    toy wiring;
    wiring.forgets_to_await = true;
    wiring.turn(t0);
    EXPECT_EQ(wiring.who.missing_edges(), 1u);
}

TEST(agenda, cuts_off_a_manager_that_makes_progress_for_ever) {
    view_log views;
    agenda who(1, views);
    int outputs = 0;
    who.run(
        t0, [](manager_index) { return text_plan::progress("again"); },
        [&](manager_index, const std::string&) { ++outputs; });
    EXPECT_EQ(outputs, agenda::progress_limit + 1);
    EXPECT_EQ(who.runaways(), 1u);
    EXPECT_EQ(who.bound().value(), t0 + 1ms);
}

TEST(future_instant, a_time_that_has_come_is_not_one) {
    EXPECT_FALSE(future_instant::after(t0, t0));
    EXPECT_FALSE(future_instant::after(t0, t0 - 1ns));
    EXPECT_EQ(future_instant::after(t0, t0 + 1ns)->value(), t0 + 1ns);
}

// tickets: KAFKA-21049 (A6) M4
TEST(retry_time, a_back_off_of_zero_still_lies_ahead) {
    EXPECT_GT(retry_time::after(t0, 0ms).value(), t0);
    EXPECT_EQ(retry_time::after(t0, base::duration::max()).value(), base::never);
}

}  // namespace
}  // namespace strandline::core::kernel
