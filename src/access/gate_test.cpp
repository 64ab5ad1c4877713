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

TEST(gate, admits_one_caller_after_the_other) {
    gate tested;
    {
        ASSERT_TRUE(tested.enter(root_frame, "poll", base::never).has_value());
    }
    {
        ASSERT_TRUE(tested.enter(root_frame, "commit", base::never).has_value());
    }
}

TEST(gate, refuses_a_second_caller_and_names_both) {
    gate tested;
    const auto inside = tested.enter(root_frame, "poll", base::never);
    const auto second = tested.enter(root_frame, "commit", base::never);
    ASSERT_FALSE(second.has_value());
    EXPECT_EQ(second.error(), errc::concurrent_modification);
    EXPECT_NE(second.error().message().find("commit (thread"), std::string::npos) << second.error().message();
    EXPECT_NE(second.error().message().find("poll (thread"), std::string::npos) << second.error().message();
}

TEST(gate, counts_a_plain_call_from_the_callbacks_own_stack_as_made_through_it) {
    gate tested;
    const auto outer = tested.enter(root_frame, "poll", base::never);
    const gate::callback callback(tested, "on_revoked");
    const auto inner = tested.enter(root_frame, "commit", base::never);
    ASSERT_TRUE(inner.has_value());
    EXPECT_TRUE(inner->in_callback());
    EXPECT_FALSE(outer->in_callback());
}

TEST(gate, refuses_a_plain_call_from_another_thread_while_a_callback_runs) {
    gate tested;
    const auto outer = tested.enter(root_frame, "poll", base::never);
    const gate::callback callback(tested, "on_revoked");
    std::thread([&] {
        EXPECT_EQ(tested.enter(root_frame, "commit", base::never).error(), errc::concurrent_modification);
    }).join();
}

TEST(gate, lets_another_thread_in_through_the_access) {
    gate tested;
    const auto outer = tested.enter(root_frame, "poll", base::never);
    const gate::callback callback(tested, "on_revoked");
    std::thread([&] { EXPECT_TRUE(tested.enter(callback.frame(), "commit", base::never).has_value()); }).join();
}

TEST(gate, expires_an_access_with_its_callback) {
    gate tested;
    const auto outer = tested.enter(root_frame, "poll", base::never);
    frame_id kept = root_frame;
    {
        const gate::callback callback(tested, "on_revoked");
        kept = callback.frame();
    }
    EXPECT_EQ(tested.enter(kept, "commit", base::never).error(), errc::access_expired);
}

TEST(gate, never_admits_an_access_of_another_gate) {
    gate tested;
    gate other;
    const auto outer = other.enter(root_frame, "poll", base::never);
    const gate::callback callback(other, "on_revoked");
    EXPECT_EQ(tested.enter(callback.frame(), "commit", base::never).error(), errc::access_expired);
}

TEST(gate, a_queued_sibling_ends_at_its_deadline) {
    gate tested;
    const auto outer = tested.enter(root_frame, "poll", base::never);
    const gate::callback callback(tested, "on_revoked");
    const auto running = tested.enter(callback.frame(), "commit", base::never);
    std::thread([&] {
        const auto late = tested.enter(callback.frame(), "position", plain_primitives::now());
        EXPECT_EQ(late.error(), errc::timed_out);
    }).join();
}

TEST(gate, siblings_are_never_inside_together) {
    gate tested;
    const auto outer = tested.enter(root_frame, "poll", base::never);
    std::atomic<int> inside{0};
    std::atomic<int> most{0};
    {
        const gate::callback callback(tested, "on_revoked");
        std::vector<std::thread> threads;
        for (int t = 0; t < 4; ++t) {
            threads.emplace_back([&] {
                for (int i = 0; i < 500; ++i) {
                    const auto entry = tested.enter(callback.frame(), "commit", base::never);
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
    auto outer = tested.enter(root_frame, "poll", base::never);
    std::atomic<bool> running{false};
    std::atomic<bool> release{false};
    std::atomic<bool> left{false};
    std::thread inside;
    std::thread queued;
    {
        const gate::callback callback(tested, "on_revoked");
        const auto frame = callback.frame();
        inside = std::thread([&, frame] {
            const auto entry = tested.enter(frame, "commit", base::never);
            running = true;
            while (!release) std::this_thread::yield();
            left = true;
        });
        while (!running) std::this_thread::yield();
        queued = std::thread([&, frame] {
            const auto refused = tested.enter(frame, "position", base::never);
            EXPECT_EQ(refused.error(), errc::access_expired);
            release = true;
        });
    }
    EXPECT_TRUE(left.load());
    inside.join();
    queued.join();
}

}  // namespace
}  // namespace strandline::access
