// Waiting at the meeting: parked, or registered by who has no thread.
#include <memory>
#include <thread>
#include <variant>

#include <gtest/gtest.h>

#include "handoff/handoff_testsupport.hpp"

namespace strandline::handoff::testsupport {
namespace {

TEST_F(handoff_test, a_call_that_runs_callbacks_while_it_waits_sees_them) {
    operation leaving(base::never);
    meeting.submit(leaving, command::unsubscribe{});
    const auto offer = meeting.next_callback();
    EXPECT_EQ(offer.what, poll_offer::kind::nothing);
    meeting.notify(boundary::callback_wanted{boundary::callback_id(1), boundary::callback_wanted::kind::revoked, {}});
    meeting.wake_application();
    EXPECT_TRUE(meeting.park(offer.version, base::never));
    EXPECT_FALSE(meeting.has_ended(leaving));
    EXPECT_EQ(meeting.next_callback().what, poll_offer::kind::notice);
    meeting.complete({leaving.token(), boundary::done{}});
    EXPECT_TRUE(meeting.park(offer.version, base::never));
    EXPECT_TRUE(meeting.has_ended(leaving));
}

TEST_F(handoff_test, a_call_ends_at_its_own_deadline_without_the_reactor_and_tells_it) {
    operation call(primitives::now());
    meeting.submit(call, command::list_topics{});
    EXPECT_FALSE(ends(meeting, call));
    const auto commands = turn().commands;
    ASSERT_EQ(commands.size(), 2U);
    EXPECT_EQ(std::get<command::cancel>(commands[1].what).which, call.token());
    meeting.complete({call.token(), boundary::done{}});
}

TEST_F(handoff_test, a_call_that_gives_up_wakes_a_reactor_that_knows_of_it) {
    operation call(primitives::now());
    meeting.submit(call, command::list_topics{});
    turn();
    waker.signals = 0;
    EXPECT_FALSE(ends(meeting, call));
    EXPECT_EQ(waker.signals, 1);
}

TEST_F(handoff_test, the_completion_of_a_call_that_gave_up_ends_no_later_one) {
    operation gone(primitives::now());
    meeting.submit(gone, command::list_topics{});
    EXPECT_FALSE(ends(meeting, gone));
    operation later(primitives::now());
    meeting.submit(later, command::list_topics{});
    meeting.complete({gone.token(), boundary::done{}});
    EXPECT_FALSE(ends(meeting, later));
}

// Waits without a thread.
struct noting_waiter : waiter {
    explicit noting_waiter(const operation* what = nullptr) : waiter(&noting_waiter::on_resume, what) {}
    static void on_resume(waiter& self) noexcept { ++static_cast<noting_waiter&>(self).resumed; }
    int resumed = 0;
};

TEST_F(handoff_test, a_foreign_waiter_resumes_once_with_what_becomes_visible) {
    noting_waiter poll;
    ASSERT_TRUE(meeting.try_register(poll, next().version));
    meeting.notify(boundary::error_raised{error(errc::max_poll_exceeded, "late")});
    EXPECT_EQ(poll.resumed, 0) << "the reactor wakes last";
    meeting.wake_application();
    EXPECT_EQ(poll.resumed, 1);
    meeting.wakeup();
    EXPECT_EQ(poll.resumed, 1);
}

TEST_F(handoff_test, data_of_a_paused_partition_wakes_nobody_until_it_is_resumed) {
    auto paused = assigned();
    paused.paused = true;
    meeting.update(paused);
    meeting.wake_application();
    noting_waiter poll;
    ASSERT_TRUE(meeting.try_register(poll, next().version));
    meeting.deliver(fetched(0, 5));
    meeting.wake_application();
    EXPECT_EQ(poll.resumed, 0);
    meeting.update(assigned());
    meeting.wake_application();
    EXPECT_EQ(poll.resumed, 1);
    take_data();
}

TEST_F(handoff_test, what_was_buffered_is_let_go_of_when_everything_ends) {
    meeting.update(assigned());
    auto big = fetched(0, 5);
    big.batches = base::shared_bytes::copy_of(base::as_bytes("batches"), meeting.memory());
    meeting.deliver(std::move(big));
    ASSERT_GT(meeting.bytes_in_use(), 0U);
    meeting.fail_all({errc::consumer_closed, "over"});
    EXPECT_EQ(meeting.bytes_in_use(), 0U);
    EXPECT_EQ(meeting.bytes_queued(), 0U);
}

TEST_F(handoff_test, a_foreign_waiter_is_not_registered_once_what_it_looked_at_is_old) {
    noting_waiter poll;
    const auto seen = next().version;
    meeting.wakeup();
    EXPECT_FALSE(meeting.try_register(poll, seen));
    meeting.wakeup();
    EXPECT_EQ(poll.resumed, 0);
}

TEST_F(handoff_test, a_foreign_waiter_of_a_call_resumes_with_its_end_alone) {
    operation call(base::never);
    meeting.submit(call, command::list_topics{});
    noting_waiter caller(&call);
    meeting.wakeup();
    ASSERT_TRUE(meeting.try_register(caller, 0)) << "whatever else has become visible";
    meeting.wakeup();
    EXPECT_EQ(caller.resumed, 0);
    EXPECT_FALSE(meeting.has_ended(call));
    meeting.complete({call.token(), boundary::done{}});
    EXPECT_EQ(caller.resumed, 1);
    EXPECT_TRUE(meeting.has_ended(call));
    EXPECT_FALSE(meeting.try_register(caller, 0)) << "there is nothing left to wait for";
}

TEST_F(handoff_test, a_foreign_waiter_that_withdraws_does_not_resume) {
    operation call(base::never);
    meeting.submit(call, command::list_topics{});
    noting_waiter caller(&call);
    noting_waiter poll;
    ASSERT_TRUE(meeting.try_register(caller, 0));
    ASSERT_TRUE(meeting.try_register(poll, next().version));
    meeting.withdraw(caller);
    meeting.withdraw(poll);
    meeting.withdraw(poll);
    meeting.fail_all({errc::consumer_closed, "over"});
    EXPECT_EQ(caller.resumed + poll.resumed, 0);
    EXPECT_EQ(call.take_outcome().error(), errc::consumer_closed);
}

TEST_F(handoff_test, a_call_that_is_forgotten_is_cancelled_once_and_its_end_finds_nobody) {
    operation call(base::never);
    meeting.submit(call, command::list_topics{});
    static_cast<void>(turn());
    EXPECT_TRUE(meeting.forget(call));
    EXPECT_TRUE(meeting.forget(call));
    const auto commands = turn().commands;
    ASSERT_EQ(commands.size(), 1U);
    EXPECT_EQ(std::get<command::cancel>(commands.front().what).which, call.token());
    meeting.complete({call.token(), boundary::done{}});
    EXPECT_FALSE(meeting.has_ended(call));
}

TEST_F(handoff_test, a_call_that_has_ended_cannot_be_forgotten) {
    operation call(base::never);
    meeting.submit(call, command::list_topics{});
    meeting.complete({call.token(), boundary::done{}});
    EXPECT_FALSE(meeting.forget(call));
    EXPECT_TRUE(call.take_outcome().has_value());
}

TEST_F(handoff_test, a_thread_parked_on_a_call_returns_at_its_end_or_at_the_deadline) {
    operation call(base::never);
    meeting.submit(call, command::list_topics{});
    EXPECT_FALSE(meeting.park(call, primitives::now()));
    EXPECT_FALSE(meeting.has_ended(call)) << "still the caller's to give up";
    std::thread reactor([&] { meeting.complete({call.token(), boundary::done{}}); });
    EXPECT_TRUE(meeting.park(call, base::never));
    reactor.join();
    EXPECT_TRUE(call.take_outcome().has_value());
}

}  // namespace
}  // namespace strandline::handoff::testsupport
