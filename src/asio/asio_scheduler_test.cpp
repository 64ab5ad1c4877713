#include "asio/asio_scheduler.hpp"

#include <thread>

#include <boost/asio/post.hpp>
#include <gtest/gtest.h>

namespace strandline::asio {
namespace {

namespace net = boost::asio;

// Instants of long ago and of never: what is due is due at once, and nobody waits for a clock.
constexpr base::instant past{std::chrono::nanoseconds(1)};
constexpr auto far_ahead = base::instant(std::chrono::hours(24 * 365 * 100));

struct a_scheduler : testing::Test {
    net::io_context context;
    asio_scheduler scheduler{context};
    std::vector<std::string> happened;

    a_scheduler() {
        scheduler.on_turn([this] { happened.emplace_back("turn"); });
    }
    std::vector<std::string> everything() {
        context.restart();
        while (context.poll() > 0) context.restart();
        return std::exchange(happened, {});
    }
    using list = std::vector<std::string>;
};

TEST_F(a_scheduler, turns_once_however_often_it_is_asked_and_never_inside_the_question) {
    scheduler.turn_soon();
    scheduler.turn_soon();
    EXPECT_TRUE(happened.empty());
    EXPECT_EQ(everything(), list{"turn"});
    scheduler.turn_soon();
    EXPECT_EQ(everything(), list{"turn"});
}

TEST_F(a_scheduler, turns_after_the_inputs_that_are_ready) {
    scheduler.wake();
    net::post(context, [this] { happened.emplace_back("input"); });
    EXPECT_EQ(everything(), (list{"input", "turn"}));
}

TEST_F(a_scheduler, turns_at_an_instant_and_again_when_that_is_set_again) {
    scheduler.turn_at(past);
    scheduler.turn_at(past);
    EXPECT_EQ(everything(), list{"turn"});
    scheduler.turn_at(past);
    EXPECT_EQ(everything(), list{"turn"});
}

TEST_F(a_scheduler, forgets_an_instant_that_was_replaced) {
    scheduler.turn_at(past);
    scheduler.turn_at(base::never);
    EXPECT_TRUE(everything().empty());
    scheduler.turn_at(past);
    scheduler.turn_at(far_ahead);
    EXPECT_TRUE(everything().empty());
}

TEST_F(a_scheduler, does_not_turn_for_a_question_that_another_turn_has_answered) {
    scheduler.turn_at(past);
    // The timer has been seen by then, and comes next.
    net::post(context, [this] { scheduler.turn_soon(); });
    EXPECT_EQ(everything(), list{"turn"});
}

TEST_F(a_scheduler, turns_when_another_thread_asks) {
    std::thread([this] { scheduler.wake(); }).join();
    EXPECT_EQ(everything(), list{"turn"});
}

TEST_F(a_scheduler, does_not_turn_any_more_once_it_is_shut) {
    scheduler.turn_soon();
    scheduler.turn_at(past);
    scheduler.shut();
    EXPECT_TRUE(everything().empty());
    scheduler.turn_soon();
    scheduler.turn_at(far_ahead);
    scheduler.turn_at(past);
    scheduler.wake();
    EXPECT_TRUE(everything().empty());
}

}  // namespace
}  // namespace strandline::asio
