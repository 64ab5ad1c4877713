// A reactor on one thread and an application on others, hitting the same meeting as hard as they can.
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "handoff/handoff_testsupport.hpp"

namespace strandline::handoff {
namespace {

namespace boundary = core::boundary;
namespace command = core::boundary::command;

constexpr std::int64_t fetches = 20'000;
constexpr std::int64_t records_per_fetch = 10;
constexpr int calls_per_thread = 3'000;

// Turns when it is signalled, and only then: a wake-up that is lost hangs the test.
class test_reactor final : reactor_waker {
public:
    explicit test_reactor(handoff& meeting) : meeting_(meeting), thread_([this] { run(); }) {}
    ~test_reactor() { join(); }

    void signal() noexcept override {
        const std::lock_guard held(mutex_);
        signalled_ = true;
        condition_.notify_one();
    }
    void join() {
        if (!thread_.joinable()) return;
        {
            const std::lock_guard held(mutex_);
            stop_ = true;
            condition_.notify_one();
        }
        thread_.join();
    }
    std::int64_t drained() const { return drained_; }
    std::int64_t processed() const { return processed_; }

private:
    void run() {
        meeting_.set_reactor_waker(this);
        boundary::slot_update open;
        open.slot = boundary::slot_id(0);
        open.era = boundary::incarnation(1);
        open.partition =
            std::make_shared<const boundary::partition_identity>(boundary::partition_identity{{"orders", 0}, {}});
        meeting_.update(open);
        for (bool more = true; more;) {
            turn(open.partition);
            std::unique_lock held(mutex_);
            condition_.wait(held, [&] { return signalled_ || stop_; });
            more = signalled_ || !stop_;
            signalled_ = false;
        }
        meeting_.set_reactor_waker(nullptr);
    }

    // Keeps at most four fetches undrained, so that space is awaited most of the time.
    void turn(const boundary::partition_ref& partition) {
        meeting_.collect(inputs_);
        for (const auto& one : inputs_.drained) drained_ = one.next_offset;
        if (inputs_.checkpoint) {
            for (const auto& one : inputs_.checkpoint->changed) {
                EXPECT_GE(one.processed_offset, processed_);
                processed_ = one.processed_offset;
            }
        }
        std::vector<std::int64_t> offered;
        while (delivered_ < fetches * records_per_fetch && delivered_ - drained_ < 4 * records_per_fetch) {
            offered.push_back(delivered_);
            delivered_ += records_per_fetch;
        }
        auto made = std::make_shared<boundary::snapshot>(*meeting_.snapshot());
        ++made->version;
        meeting_.publish(made, delivered_ < fetches * records_per_fetch ? boundary::awaited_space::memory
                                                                        : boundary::awaited_space::none);
        for (const auto from : offered) {
            boundary::completed_fetch data;
            data.slot = boundary::slot_id(0);
            data.era = boundary::incarnation(1);
            data.partition = partition;
            data.from_offset = from;
            data.next_offset = from + records_per_fetch;
            meeting_.deliver(std::move(data));
        }
        for (const auto& submitted : inputs_.commands) {
            if (submitted.token == boundary::no_operation) continue;
            meeting_.complete({submitted.token, boundary::done{}});
        }
        meeting_.wake_application();
    }

    handoff& meeting_;
    reactor_inputs inputs_;
    std::int64_t delivered_ = 0;
    std::int64_t drained_ = 0;
    std::int64_t processed_ = 0;
    std::mutex mutex_;
    std::condition_variable condition_;
    bool signalled_ = false;
    bool stop_ = false;
    std::thread thread_;
};

void make_calls(handoff& meeting) {
    for (int i = 0; i < calls_per_thread; ++i) {
        operation call(base::never);
        meeting.submit(call, command::list_topics{});
        ASSERT_TRUE(testsupport::ends(meeting, call));
        ASSERT_TRUE(call.take_outcome().has_value());
    }
}

TEST(handoff_stress, nothing_is_lost_repeated_or_reordered_between_the_threads) {
    handoff meeting;
    test_reactor reactor(meeting);
    std::vector<std::thread> callers;
    for (int t = 0; t < 2; ++t) callers.emplace_back([&] { make_calls(meeting); });

    std::int64_t expected = 0;
    std::vector<fetched_piece> data;
    while (expected < fetches * records_per_fetch) {
        application_progress entry;
        if (expected > 0) entry.changed.push_back({boundary::slot_id(0), boundary::incarnation(1), expected, 0});
        entry.polled = primitives::now();
        entry.inside_poll = true;
        meeting.fold(entry);
        data.clear();
        const auto offer = meeting.next({1, 7}, data);
        if (offer.what == poll_offer::kind::nothing) {
            ASSERT_TRUE(meeting.park(offer.version, base::never));
            continue;
        }
        ASSERT_EQ(offer.what, poll_offer::kind::data);
        for (const auto& piece : data) {
            ASSERT_EQ(piece.from, expected);
            ASSERT_GT(piece.to, piece.from);
            expected = piece.to;
        }
    }
    for (auto& caller : callers) caller.join();
    operation last(base::never);
    meeting.submit(last, command::list_topics{});
    ASSERT_TRUE(testsupport::ends(meeting, last));
    reactor.join();
    EXPECT_EQ(reactor.drained(), fetches * records_per_fetch);
    EXPECT_LE(reactor.processed(), fetches * records_per_fetch);
}

// tickets: (E3)
TEST(handoff_stress, a_wakeup_from_another_thread_interrupts_exactly_one_poll) {
    handoff meeting;
    constexpr int rounds = 2'000;
    std::atomic<int> seen{0};
    std::thread other([&] {
        for (int i = 0; i < rounds; ++i) {
            meeting.wakeup();
            while (seen.load() <= i) std::this_thread::yield();
        }
    });
    std::vector<fetched_piece> data;
    while (seen < rounds) {
        const auto offer = meeting.next({1, 0}, data);
        if (offer.what == poll_offer::kind::woken) {
            ++seen;
        } else {
            ASSERT_TRUE(meeting.park(offer.version, base::never));
        }
    }
    other.join();
    EXPECT_EQ(meeting.next({1, 0}, data).what, poll_offer::kind::nothing);
}

}  // namespace
}  // namespace strandline::handoff
