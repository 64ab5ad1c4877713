#include "access/gate.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include <gtest/gtest.h>

namespace strandline::access {
namespace {

struct plain_primitives {
    using mutex = std::mutex;
    class condition {
    public:
        void notify_all() { condition_.notify_all(); }
        void wait(std::unique_lock<std::mutex>& held) { condition_.wait(held); }
        void wait_until(std::unique_lock<std::mutex>& held, base::instant deadline) {
            if (deadline == base::never) return wait(held);
            condition_.wait_until(held, std::chrono::steady_clock::time_point(deadline.time_since_epoch()));
        }

    private:
        std::condition_variable condition_;
    };
    static base::instant now() { return base::instant(std::chrono::steady_clock::now().time_since_epoch()); }
};
using gate = basic_gate<plain_primitives>;

base::instant now() { return plain_primitives::now(); }

// Comes in as a blocking call does.
result<gate::entry> enter(gate& at, frame_id through, std::string_view operation, base::instant deadline) {
    place mine(through, operation);
    for (;;) {
        if (auto entered = at.enter(mine, now(), deadline)) return std::move(*entered);
        at.park(mine, deadline);
    }
}

// Runs a callback as a blocking call does: on this stack.
class callback {
public:
    callback(gate& at, std::string_view name) : gate_(at), frame_(at.open_callback(name, now())), here_(&at, frame_) {}
    ~callback() {
        while (!gate_.end_callback(frame_, end_)) gate_.park(end_, base::never);
    }
    callback(const callback&) = delete;
    callback& operator=(const callback&) = delete;
    frame_id frame() const { return frame_; }

private:
    gate& gate_;
    frame_id frame_;
    ambient_frame here_;
    place end_;
};

TEST(gate, admits_one_caller_after_the_other) {
    gate tested;
    {
        ASSERT_TRUE(enter(tested, root_frame, "poll", base::never).has_value());
    }
    {
        ASSERT_TRUE(enter(tested, root_frame, "commit", base::never).has_value());
    }
}

TEST(gate, refuses_a_second_caller_and_names_both) {
    gate tested;
    const auto inside = enter(tested, root_frame, "poll", base::never);
    const auto second = enter(tested, root_frame, "commit", base::never);
    ASSERT_FALSE(second.has_value());
    EXPECT_EQ(second.error(), errc::concurrent_modification);
    EXPECT_NE(second.error().message().find("commit (thread"), std::string::npos) << second.error().message();
    EXPECT_NE(second.error().message().find("poll (thread"), std::string::npos) << second.error().message();
}

TEST(gate, counts_a_plain_call_from_the_callbacks_own_stack_as_made_through_it) {
    gate tested;
    const auto outer = enter(tested, root_frame, "poll", base::never);
    const callback callback(tested, "on_revoked");
    const auto inner = enter(tested, root_frame, "commit", base::never);
    ASSERT_TRUE(inner.has_value());
    EXPECT_TRUE(inner->in_callback());
    EXPECT_FALSE(outer->in_callback());
}

TEST(gate, refuses_a_plain_call_from_another_thread_while_a_callback_runs) {
    gate tested;
    const auto outer = enter(tested, root_frame, "poll", base::never);
    const callback callback(tested, "on_revoked");
    std::thread([&] {
        EXPECT_EQ(enter(tested, root_frame, "commit", base::never).error(), errc::concurrent_modification);
    }).join();
}

TEST(gate, lets_another_thread_in_through_the_access) {
    gate tested;
    const auto outer = enter(tested, root_frame, "poll", base::never);
    const callback callback(tested, "on_revoked");
    std::thread([&] { EXPECT_TRUE(enter(tested, callback.frame(), "commit", base::never).has_value()); }).join();
}

TEST(gate, expires_an_access_with_its_callback) {
    gate tested;
    const auto outer = enter(tested, root_frame, "poll", base::never);
    frame_id kept = root_frame;
    {
        const callback callback(tested, "on_revoked");
        kept = callback.frame();
    }
    EXPECT_EQ(enter(tested, kept, "commit", base::never).error(), errc::access_expired);
}

TEST(gate, never_admits_an_access_of_another_gate) {
    gate tested;
    gate other;
    const auto outer = enter(other, root_frame, "poll", base::never);
    const callback callback(other, "on_revoked");
    EXPECT_EQ(enter(tested, callback.frame(), "commit", base::never).error(), errc::access_expired);
}

TEST(gate, a_queued_sibling_ends_at_its_deadline) {
    gate tested;
    const auto outer = enter(tested, root_frame, "poll", base::never);
    const callback callback(tested, "on_revoked");
    const auto running = enter(tested, callback.frame(), "commit", base::never);
    std::thread([&] {
        const auto late = enter(tested, callback.frame(), "position", now());
        EXPECT_EQ(late.error(), errc::timed_out);
    }).join();
}

TEST(gate, siblings_are_never_inside_together) {
    gate tested;
    const auto outer = enter(tested, root_frame, "poll", base::never);
    std::atomic<int> inside{0};
    std::atomic<int> most{0};
    {
        const callback callback(tested, "on_revoked");
        std::vector<std::thread> threads;
        for (int t = 0; t < 4; ++t) {
            threads.emplace_back([&] {
                for (int i = 0; i < 500; ++i) {
                    const auto entry = enter(tested, callback.frame(), "commit", base::never);
                    ASSERT_TRUE(entry.has_value());
                    most = std::max(most.load(), ++inside);
                    --inside;
                }
            });
        }
        for (auto& thread : threads) thread.join();
    }
    EXPECT_EQ(most.load(), 1);
}

TEST(gate, the_end_of_a_callback_awaits_the_running_call_and_fails_the_queued_ones) {
    gate tested;
    auto outer = enter(tested, root_frame, "poll", base::never);
    std::atomic<bool> running{false};
    std::atomic<bool> release{false};
    std::atomic<bool> left{false};
    std::thread inside;
    std::thread queued;
    {
        const callback callback(tested, "on_revoked");
        const auto frame = callback.frame();
        inside = std::thread([&, frame] {
            const auto entry = enter(tested, frame, "commit", base::never);
            running = true;
            while (!release) std::this_thread::yield();
            left = true;
        });
        while (!running) std::this_thread::yield();
        queued = std::thread([&, frame] {
            const auto refused = enter(tested, frame, "position", base::never);
            EXPECT_EQ(refused.error(), errc::access_expired);
            release = true;
        });
    }
    EXPECT_TRUE(left.load());
    inside.join();
    queued.join();
}

// Waits without a thread.
struct noted {
    static void on_resume(void* whom) noexcept { ++static_cast<noted*>(whom)->resumed; }
    int resumed = 0;
};

TEST(gate, resumes_who_queues_without_a_thread_in_the_order_they_came) {
    gate tested;
    const auto outer = enter(tested, root_frame, "poll", base::never);
    const callback running(tested, "on_revoked");
    auto first = enter(tested, running.frame(), "commit", base::never);
    place second(running.frame(), "seek");
    place third(running.frame(), "position");
    ASSERT_FALSE(tested.enter(second, now(), base::never).has_value());
    ASSERT_FALSE(tested.enter(third, now(), base::never).has_value());
    noted heard_second;
    noted heard_third;
    ASSERT_TRUE(tested.try_register(second, noted::on_resume, &heard_second));
    ASSERT_TRUE(tested.try_register(third, noted::on_resume, &heard_third));
    {
        const auto leaves = std::move(*first);
    }
    EXPECT_EQ(heard_second.resumed, 1);
    EXPECT_EQ(heard_third.resumed, 0);
    EXPECT_FALSE(tested.try_register(second, noted::on_resume, &heard_second)) << "it is in";
    {
        const auto entered = tested.enter(second, now(), base::never);
    }
    EXPECT_EQ(heard_third.resumed, 1);
    EXPECT_TRUE(tested.enter(third, now(), base::never)->has_value());
}

TEST(gate, passes_on_the_turn_of_who_goes_away) {
    gate tested;
    const auto outer = enter(tested, root_frame, "poll", base::never);
    const callback running(tested, "on_revoked");
    auto first = enter(tested, running.frame(), "commit", base::never);
    place second(running.frame(), "seek");
    place third(running.frame(), "position");
    place fourth(running.frame(), "pause");
    for (auto* each : {&second, &third, &fourth}) ASSERT_FALSE(tested.enter(*each, now(), base::never).has_value());
    tested.leave_queue(third);
    {
        const auto leaves = std::move(*first);
    }
    tested.leave_queue(second);
    const auto entered = tested.enter(fourth, now(), base::never);
    ASSERT_TRUE(entered.has_value());
    EXPECT_TRUE(entered->has_value());
}

TEST(gate, the_end_of_a_callback_resumes_when_the_call_in_it_has_left) {
    gate tested;
    const auto outer = enter(tested, root_frame, "poll", base::never);
    const auto frame = tested.open_callback("on_revoked", now());
    auto inner = enter(tested, frame, "commit", base::never);
    place end;
    noted heard;
    ASSERT_FALSE(tested.end_callback(frame, end));
    ASSERT_TRUE(tested.try_register(end, noted::on_resume, &heard));
    {
        const auto leaves = std::move(*inner);
    }
    EXPECT_EQ(heard.resumed, 1);
    EXPECT_TRUE(tested.end_callback(frame, end));
}

TEST(gate, who_queues_hears_of_the_end_of_the_callback_and_is_refused) {
    gate tested;
    const auto outer = enter(tested, root_frame, "poll", base::never);
    const auto frame = tested.open_callback("on_revoked", now());
    auto inner = enter(tested, frame, "commit", base::never);
    place queued(frame, "seek");
    noted heard;
    ASSERT_FALSE(tested.enter(queued, now(), base::never).has_value());
    ASSERT_TRUE(tested.try_register(queued, noted::on_resume, &heard));
    place end;
    ASSERT_FALSE(tested.end_callback(frame, end));
    ASSERT_FALSE(tested.end_callback(frame, end)) << "asked again for no reason";
    EXPECT_EQ(heard.resumed, 1);
    EXPECT_EQ(tested.enter(queued, now(), base::never)->error(), errc::access_expired);
    {
        const auto leaves = std::move(*inner);
    }
    EXPECT_TRUE(tested.end_callback(frame, end));
}

TEST(gate, a_callback_that_has_ended_cannot_be_given_up_any_more) {
    gate tested;
    const auto outer = enter(tested, root_frame, "poll", base::never);
    const auto frame = tested.open_callback("on_revoked", now());
    place end;
    ASSERT_TRUE(tested.end_callback(frame, end));
    tested.abandon_callback(frame, end);
    EXPECT_EQ(tested.inside().size(), 1U) << "the poll that ran it is still inside";
}

TEST(gate, who_withdraws_is_not_resumed_and_keeps_the_place) {
    gate tested;
    const auto outer = enter(tested, root_frame, "poll", base::never);
    const callback running(tested, "on_revoked");
    auto first = enter(tested, running.frame(), "commit", base::never);
    place second(running.frame(), "seek");
    noted heard;
    ASSERT_FALSE(tested.enter(second, now(), base::never).has_value());
    ASSERT_TRUE(tested.try_register(second, noted::on_resume, &heard));
    tested.withdraw(second);
    {
        const auto leaves = std::move(*first);
    }
    EXPECT_EQ(heard.resumed, 0);
    EXPECT_TRUE(tested.enter(second, now(), base::never)->has_value());
}

TEST(gate, nobody_parks_for_what_has_been_settled) {
    gate tested;
    place nothing_to_wait_for;
    tested.park(nothing_to_wait_for, base::never);
    EXPECT_FALSE(tested.try_register(nothing_to_wait_for, noted::on_resume, nullptr));
}

TEST(gate, a_plain_call_belongs_to_the_innermost_callback_of_its_own_gate) {
    gate tested;
    gate other;
    const auto outer = enter(tested, root_frame, "poll", base::never);
    const callback running(tested, "on_revoked");
    const auto inner = enter(other, root_frame, "poll", base::never);
    const callback within(other, "on_assigned");
    EXPECT_TRUE(enter(tested, root_frame, "commit", base::never)->in_callback());
}

TEST(gate, a_call_that_is_given_up_stays_inside_until_what_runs_through_its_callback_has_left) {
    gate tested;
    auto outer = enter(tested, root_frame, "poll", base::never);
    const auto frame = tested.open_callback("on_revoked", now());
    auto inner = enter(tested, frame, "commit", base::never);
    place end;
    tested.abandon_callback(frame, end);
    {
        const auto leaves = std::move(*outer);
    }
    EXPECT_EQ(enter(tested, root_frame, "poll", base::never).error(), errc::concurrent_modification);
    EXPECT_EQ(enter(tested, frame, "seek", base::never).error(), errc::access_expired);
    {
        const auto leaves = std::move(*inner);
    }
    EXPECT_TRUE(enter(tested, root_frame, "poll", base::never).has_value());
}

}  // namespace
}  // namespace strandline::access
