// A coroutine and a scheduler made by hand, as an application may have its own; and a consumer on them.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <coroutine>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <strandline/coroutine.hpp>

#include "client/coroutine_parts.hpp"
#include "client/scripted_runtime_testsupport.hpp"

namespace strandline::client::testsupport {

using namespace std::chrono_literals;

// Stands until it is set, for the client and for the scheduler alike.
class standing_clock final : public reactor::clock {
public:
    base::instant now() const override { return now_; }
    base::wall_time wall() const override { return base::wall_time(std::chrono::milliseconds(1'700'000'000'000)); }
    void set(base::instant now) { now_ = now; }
    void advance(base::duration by) { now_ += by; }

private:
    base::instant now_{1h};
};

// One queue and the times that were asked for; run by the test, on its thread.
class hand_scheduler final : public coroutine_scheduler {
public:
    explicit hand_scheduler(standing_clock& clock) : clock_(clock) {}

    void post(std::shared_ptr<work> what) noexcept override {
        const std::lock_guard held(mutex_);
        ready_.push_back(std::move(what));
        condition_.notify_all();
    }
    void run_at(std::chrono::steady_clock::time_point when, std::shared_ptr<work> what) override {
        const std::lock_guard held(mutex_);
        timers_.push_back({base::instant(when.time_since_epoch()), std::move(what)});
    }
    void cancel(const work& what) noexcept override {
        const std::lock_guard held(mutex_);
        std::erase_if(timers_, [&](const timer& each) { return each.what.get() == &what; });
    }

    // Until `condition` holds: runs what is posted, awaiting it from the reactor's thread; time stands.
    template <class Condition>
    void run_until(Condition&& reached) {
        while (!reached()) take_one()->run();
    }
    // What is posted now, and what that posts.
    void run_ready() {
        while (const auto what = try_take()) what->run();
    }
    // Time goes on to the next that was asked for.
    void run_next_timer() {
        std::shared_ptr<work> what;
        {
            const std::lock_guard held(mutex_);
            ASSERT_FALSE(timers_.empty());
            const auto first = std::ranges::min_element(timers_, {}, &timer::when);
            clock_.set(std::max(clock_.now(), first->when));
            what = std::move(first->what);
            timers_.erase(first);
        }
        what->run();
    }
    std::size_t timers() const {
        const std::lock_guard held(mutex_);
        return timers_.size();
    }
    std::vector<base::instant> times() const {
        const std::lock_guard held(mutex_);
        std::vector<base::instant> all;
        for (const auto& each : timers_) all.push_back(each.when);
        return all;
    }

private:
    struct timer {
        base::instant when;
        std::shared_ptr<work> what;
    };
    std::shared_ptr<work> take_one() {
        std::unique_lock held(mutex_);
        condition_.wait(held, [&] { return !ready_.empty(); });
        auto what = std::move(ready_.front());
        ready_.pop_front();
        return what;
    }
    std::shared_ptr<work> try_take() {
        const std::lock_guard held(mutex_);
        if (ready_.empty()) return nullptr;
        auto what = std::move(ready_.front());
        ready_.pop_front();
        return what;
    }

    standing_clock& clock_;
    mutable std::mutex mutex_;
    std::condition_variable condition_;
    std::deque<std::shared_ptr<work>> ready_;
    std::vector<timer> timers_;
};

// Begins at once; destroying it destroys the coroutine where it is suspended.
class task {
public:
    struct promise_type {
        task get_return_object() { return task(std::coroutine_handle<promise_type>::from_promise(*this)); }
        std::suspend_never initial_suspend() const noexcept { return {}; }
        std::suspend_always final_suspend() const noexcept { return {}; }
        void return_void() const noexcept {}
        void unhandled_exception() { failure = std::current_exception(); }
        std::exception_ptr failure;
    };
    task(task&& other) noexcept : frame_(std::exchange(other.frame_, nullptr)) {}
    task& operator=(task&&) = delete;
    ~task() {
        if (frame_) frame_.destroy();
    }
    bool has_ended() const { return frame_.done(); }
    void rethrow() const {
        if (frame_.promise().failure) std::rethrow_exception(frame_.promise().failure);
    }

private:
    explicit task(std::coroutine_handle<promise_type> frame) : frame_(frame) {}
    std::coroutine_handle<promise_type> frame_;
};

// Made by functions: g++ 12 refuses braces inside an expression that has co_await.
inline partitions only(const topic_partition& one) { return {one}; }
inline offsets at(const topic_partition& partition, std::int64_t offset) {
    offsets made;
    made.emplace(partition, offset_and_metadata(offset));
    return made;
}

class coroutine_test : public testing::Test {
public:
    // Runs it to its end, without time passing.
    void finish(task what) {
        scheduler.run_until([&] { return what.has_ended(); });
        what.rethrow();
    }
    void subscribed(coroutine_listener_handle listener = {}) {
        finish([](coroutine_test& self, coroutine_listener_handle told) -> task {
            co_await self.consumer.subscribe("orders", std::move(told));
        }(*this, std::move(listener)));
        reactor->assign(0, orders_0);
    }
    consumer_state& state() { return coroutine_parts::state_of(consumer); }

    const topic_partition orders_0{"orders", 0};
    standing_clock clock;
    hand_scheduler scheduler{clock};
    scripted_runtime* reactor = nullptr;
    const runtime_factory make_runtime = [this](const core::boundary::core_config&, handoff::handoff& meeting) {
        auto made = std::make_unique<scripted_runtime>(meeting);
        reactor = made.get();
        return made;
    };
    coroutine_consumer consumer = *coroutine_parts{make_runtime, clock, scheduler}.make(
        {.bootstrap_servers = "localhost:9092", .group_id = "billing"});
};

}  // namespace strandline::client::testsupport
