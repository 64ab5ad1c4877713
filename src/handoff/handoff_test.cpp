#include <chrono>
#include <memory>
#include <thread>
#include <variant>

#include <gtest/gtest.h>

#include "core/boundary/asynchronous_commits.hpp"
#include "handoff/handoff_testsupport.hpp"

namespace strandline::handoff::testsupport {
namespace {

// tickets: (B9)
TEST_F(handoff_test, a_command_asks_for_one_turn_however_many_there_are) {
    operation first(base::never);
    operation second(base::never);
    meeting.submit(first, command::pause{});
    meeting.submit(second, command::resume{});
    EXPECT_EQ(waker.signals, 1);
    EXPECT_EQ(turn().commands.size(), 2U);
    meeting.complete({first.token(), boundary::done{}});
    meeting.complete({second.token(), boundary::done{}});
}

// tickets: (B9)
TEST_F(handoff_test, what_was_submitted_before_there_is_a_reactor_is_signalled_when_there_is_one) {
    handoff early;
    operation call(base::never);
    early.submit(call, command::list_topics{});
    early.set_reactor_waker(&waker);
    EXPECT_EQ(waker.signals, 1);
    early.fail_all({errc::consumer_closed, "over"});
    early.set_reactor_waker(nullptr);
}

TEST_F(handoff_test, a_call_ends_with_the_outcome_of_its_own_token) {
    operation call(base::never);
    meeting.submit(call, command::position{{"orders", 0}});
    std::thread reactor([&] { meeting.complete({call.token(), boundary::position_value{42, 1}}); });
    ASSERT_TRUE(ends(meeting, call));
    reactor.join();
    EXPECT_EQ(std::get<boundary::position_value>(*call.take_outcome()).offset, 42);
}

TEST_F(handoff_test, every_call_ends_when_the_reactor_does_and_so_do_later_ones) {
    operation before(base::never);
    meeting.submit(before, command::list_topics{});
    meeting.fail_all({errc::consumer_closed, "over"});
    meeting.fail_all({errc::timed_out, "a later reason changes nothing"});
    ASSERT_TRUE(ends(meeting, before));
    EXPECT_EQ(before.take_outcome().error(), errc::consumer_closed);
    operation after(base::never);
    meeting.submit(after, command::list_topics{});
    ASSERT_TRUE(ends(meeting, after));
    EXPECT_EQ(after.take_outcome().error(), errc::consumer_closed);
    EXPECT_EQ(next().what, poll_offer::kind::failed);
}

TEST_F(handoff_test, an_ended_asynchronous_call_comes_back_in_a_poll) {
    auto call = std::make_unique<operation>(base::never);
    auto* const known = call.get();
    meeting.submit_detached(std::move(call), command::commit{});
    EXPECT_EQ(next().what, poll_offer::kind::nothing);
    meeting.complete({known->token(), boundary::done{}});
    auto offer = next();
    ASSERT_EQ(offer.what, poll_offer::kind::ended);
    EXPECT_EQ(offer.call.get(), known);
    EXPECT_EQ(next().what, poll_offer::kind::nothing);
}

// tickets: KAFKA-18376 (A9) B86
TEST_F(handoff_test, progress_wakes_the_reactor_only_if_it_wants_to_know) {
    meeting.fold(poll_entry());
    EXPECT_EQ(waker.signals, 0);
    EXPECT_TRUE(turn(true).checkpoint->inside_poll);
    meeting.fold(poll_entry());
    EXPECT_EQ(waker.signals, 1);
}

TEST_F(handoff_test, a_poll_without_progress_does_not_wake_who_waits_for_progress) {
    auto wanting = std::make_shared<boundary::snapshot>();
    wanting->progress_wanted = true;
    reactor_inputs inputs;
    meeting.collect(inputs);
    meeting.publish(wanting);
    meeting.fold(poll_entry());
    EXPECT_EQ(waker.signals, 0);
    auto progress = poll_entry();
    progress.changed.push_back({slot, era, 10});
    meeting.fold(progress);
    EXPECT_EQ(waker.signals, 1);
}

TEST_F(handoff_test, a_poll_that_entered_before_the_decision_that_wants_to_know_is_not_missed) {
    reactor_inputs inputs;
    meeting.collect(inputs);
    meeting.fold(poll_entry());
    EXPECT_EQ(waker.signals, 0);
    meeting.publish(decision(true));
    EXPECT_EQ(waker.signals, 1);
}

// tickets: KAFKA-20535 (A9) B86
TEST_F(handoff_test, data_is_taken_once_and_its_end_told_without_a_wake) {
    meeting.update(assigned());
    meeting.deliver(fetched(0, 10));
    ASSERT_EQ(next().what, poll_offer::kind::data);
    EXPECT_EQ(data.front().to, 10);
    EXPECT_EQ(next().what, poll_offer::kind::nothing);
    EXPECT_EQ(waker.signals, 0);
    const auto drained = turn().drained;
    ASSERT_EQ(drained.size(), 1U);
    EXPECT_EQ(drained.front().next_offset, 10);
}

TEST_F(handoff_test, taking_data_wakes_a_reactor_that_awaits_space) {
    meeting.update(assigned());
    meeting.deliver(fetched(0, 10));
    turn(false, boundary::awaited_space::queue);
    take_data();
    EXPECT_EQ(waker.signals, 1);
}

TEST_F(handoff_test, data_taken_before_the_decision_that_awaits_space_is_not_missed) {
    meeting.update(assigned());
    meeting.deliver(fetched(0, 10));
    reactor_inputs inputs;
    meeting.collect(inputs);
    take_data();
    meeting.publish(decision(), boundary::awaited_space::memory);
    EXPECT_EQ(waker.signals, 1);
}

// tickets: (F11)
TEST_F(handoff_test, freed_bytes_wake_a_reactor_that_awaits_space_once) {
    auto held = std::make_unique<base::buffer>(100, meeting.memory());
    auto more = std::make_unique<base::buffer>(100, meeting.memory());
    EXPECT_EQ(turn(false, boundary::awaited_space::memory).bytes_in_use, 200U);
    held.reset();
    more.reset();
    EXPECT_EQ(waker.signals, 1);
    turn();
    std::make_unique<base::buffer>(100, meeting.memory()).reset();
    EXPECT_EQ(waker.signals, 1);
}

// An answer that is read and found empty frees its own frame: that must not cost a turn.
TEST_F(handoff_test, freed_bytes_do_not_wake_a_reactor_that_awaits_space_in_the_queue_only) {
    auto frame = std::make_unique<base::buffer>(100, meeting.memory());
    reactor_inputs inputs;
    meeting.collect(inputs);
    frame.reset();
    meeting.publish(decision(), boundary::awaited_space::queue);
    std::make_unique<base::buffer>(100, meeting.memory()).reset();
    EXPECT_EQ(waker.signals, 0);
}

TEST_F(handoff_test, bytes_freed_before_the_decision_that_awaits_space_are_not_missed) {
    auto held = std::make_unique<base::buffer>(100, meeting.memory());
    reactor_inputs inputs;
    meeting.collect(inputs);
    held.reset();
    meeting.publish(decision(), boundary::awaited_space::memory);
    EXPECT_EQ(waker.signals, 1);
}

TEST_F(handoff_test, buffers_may_outlive_the_meeting) {
    base::buffer held;
    {
        handoff short_lived;
        short_lived.set_reactor_waker(&waker);
        held = base::buffer(100, short_lived.memory());
        short_lived.publish(decision(), boundary::awaited_space::memory);
    }
    held = base::buffer();
    EXPECT_EQ(waker.signals, 0);
}

TEST_F(handoff_test, spare_buffers_are_let_go_when_little_is_in_use_turn_after_turn) {
    if (!base::detail::spare_blocks::keeps_any) GTEST_SKIP() << "every access is watched";
    meeting.limit_memory(1'000'000);
    const auto& spares = meeting.memory()->spares();
    {
        const base::buffer answer(100'000, meeting.memory());
    }
    turn();
    turn();
    EXPECT_GE(spares.bytes(), 100'000U) << "between two answers of a flood";
    {
        const base::buffer next(100'000, meeting.memory());
        turn();
    }
    turn();
    turn();
    EXPECT_GE(spares.bytes(), 100'000U);
    turn();
    EXPECT_EQ(spares.bytes(), 0U);
}

TEST_F(handoff_test, limits_cut_a_fetch_and_the_rest_comes_next) {
    meeting.update(assigned());
    meeting.deliver(fetched(5, 20));
    ASSERT_EQ(meeting.next({1024, 10}, data).what, poll_offer::kind::data);
    EXPECT_EQ(data.front().from, 5);
    EXPECT_EQ(data.front().to, 15);
    EXPECT_FALSE(data.front().last);
    EXPECT_TRUE(turn().drained.empty());
    take_data();
    EXPECT_EQ(data.front().from, 15);
    EXPECT_EQ(data.front().to, 20);
    EXPECT_TRUE(data.front().last);
    EXPECT_EQ(meeting.position({"orders", 0})->offset, 20);
}

TEST_F(handoff_test, recalled_data_is_dropped_from_where_it_was_not_taken_and_what_was_taken_stays) {
    meeting.update(assigned());
    meeting.deliver(fetched(5, 20));
    meeting.deliver(fetched(20, 30));
    ASSERT_EQ(meeting.next({1024, 10}, data).what, poll_offer::kind::data);
    EXPECT_EQ(data.front().to, 15);
    auto paused = assigned();
    paused.paused = true;
    meeting.update(paused);
    turn(false, boundary::awaited_space::memory);
    meeting.recall({slot, era});
    EXPECT_EQ(waker.signals, 1);
    EXPECT_EQ(meeting.bytes_queued(), 0U);
    EXPECT_TRUE(meeting.is_current(slot, era));
    const auto drained = turn().drained;
    ASSERT_EQ(drained.size(), 1U);
    EXPECT_EQ(drained[0].given_back_from, 15);
    EXPECT_EQ(drained[0].next_offset, 30);

    meeting.deliver(fetched(15, 30));
    meeting.update(assigned());
    take_data();
    EXPECT_EQ(data.front().from, 15);
    EXPECT_EQ(data.front().to, 30);
}

TEST_F(handoff_test, what_was_made_of_a_fetch_goes_with_what_is_left_of_it) {
    const auto made_of_first_stretch = [&](std::int64_t from, std::int64_t next) {
        meeting.deliver(fetched(from, next));
        EXPECT_EQ(meeting.next({1024, 10}, data).what, poll_offer::kind::data);
        auto made = std::make_shared<int>(1);
        data.front().place->made = made;
        data.clear();
        return std::weak_ptr<int>(made);
    };
    meeting.update(assigned());
    auto made = made_of_first_stretch(0, 20);
    ASSERT_EQ(meeting.next({1024, 5}, data).what, poll_offer::kind::data);
    EXPECT_EQ(data.front().place->made, made.lock()) << "for the stretch that follows";
    data.clear();
    auto paused = assigned();
    paused.paused = true;
    meeting.update(paused);
    EXPECT_FALSE(made.expired());
    meeting.recall({slot, era});
    EXPECT_TRUE(made.expired());

    meeting.update(assigned());
    made = made_of_first_stretch(15, 40);
    take_data();
    EXPECT_TRUE(data.front().last);
    data.clear();
    EXPECT_TRUE(made.expired());
}

TEST_F(handoff_test, what_was_put_aside_is_recalled_as_well) {
    meeting.update(assigned());
    meeting.deliver(fetched(0, 10));
    auto paused = assigned();
    paused.paused = true;
    meeting.update(paused);
    EXPECT_EQ(next().what, poll_offer::kind::nothing);
    meeting.recall({slot, era});
    const auto drained = turn().drained;
    ASSERT_EQ(drained.size(), 1U);
    EXPECT_EQ(drained[0].given_back_from, 0);
    meeting.update(assigned());
    EXPECT_EQ(next().what, poll_offer::kind::nothing);
}

TEST_F(handoff_test, data_that_may_be_taken_is_not_recalled) {
    meeting.update(assigned());
    meeting.deliver(fetched(0, 10));
    meeting.recall({slot, era});
    EXPECT_TRUE(turn().drained.empty());
    take_data();
}

// tickets: KAFKA-21084 (B2) B19
TEST_F(handoff_test, paused_data_comes_back_in_order_when_resumed) {
    auto paused = assigned();
    paused.paused = true;
    meeting.update(paused);
    meeting.deliver(fetched(0, 10));
    meeting.deliver(fetched(10, 20));
    EXPECT_EQ(next().what, poll_offer::kind::nothing);
    meeting.deliver(fetched(20, 30));
    meeting.update(assigned());
    take_data();
    ASSERT_EQ(data.size(), 3U);
    EXPECT_EQ(data[0].from, 0);
    EXPECT_EQ(data[1].from, 10);
    EXPECT_EQ(data[2].from, 20);
}

// tickets: KAFKA-17448 (C7)
TEST_F(handoff_test, seek_closes_the_gate_at_once_and_drops_what_was_fetched_before) {
    meeting.update(assigned());
    meeting.deliver(fetched(0, 10));
    operation seeking(base::never);
    meeting.submit(seeking, command::seek{{"orders", 0}, 100, {}});
    EXPECT_EQ(next().what, poll_offer::kind::nothing);

    auto sought = assigned();
    sought.era = boundary::incarnation(2);
    meeting.update(sought);
    meeting.deliver(fetched(100, 110, boundary::incarnation(2)));
    EXPECT_EQ(next().what, poll_offer::kind::nothing) << "the gate is still closed";
    meeting.complete({seeking.token(), boundary::done{}});
    take_data();
    ASSERT_EQ(data.size(), 1U);
    EXPECT_EQ(data.front().from, 100);
}

TEST_F(handoff_test, the_gate_stays_closed_when_a_seek_gives_up_before_the_reactor_has_applied_it) {
    meeting.update(assigned());
    meeting.deliver(fetched(0, 10));
    operation seeking(primitives::now());
    meeting.submit(seeking, command::seek{{"orders", 0}, 100, {}});
    EXPECT_FALSE(ends(meeting, seeking));
    EXPECT_EQ(next().what, poll_offer::kind::nothing);
    meeting.complete({seeking.token(), tl::unexpected(error(errc::timed_out, "cancelled"))});
    take_data();
}

TEST_F(handoff_test, a_fence_is_acknowledged_at_once_when_nothing_is_handed_out) {
    meeting.update(assigned());
    meeting.deliver(fetched(0, 10));
    fence();
    EXPECT_EQ(waker.signals, 1);
    EXPECT_EQ(turn().fences.size(), 1U);
    EXPECT_EQ(next().what, poll_offer::kind::nothing);
}

TEST_F(handoff_test, a_fence_of_records_handed_out_is_met_by_the_next_poll_after_its_progress) {
    meeting.update(assigned());
    meeting.deliver(fetched(0, 10));
    take_data();
    fence();
    EXPECT_TRUE(turn().fences.empty());
    auto entry = poll_entry();
    entry.changed.push_back({slot, era, 7, 0});
    meeting.fold(entry);
    EXPECT_GE(waker.signals, 1);
    const auto inputs = turn();
    EXPECT_EQ(inputs.fences.size(), 1U);
    EXPECT_EQ(inputs.checkpoint->changed.front().processed_offset, 7);
}

TEST_F(handoff_test, a_poll_that_waits_is_resumed_by_a_fence_and_meets_it_at_once) {
    meeting.update(assigned());
    meeting.deliver(fetched(0, 10));
    take_data();
    const auto version = next().version;
    fence();
    meeting.wake_application();
    EXPECT_TRUE(meeting.park(version, base::never));
    EXPECT_EQ(next().what, poll_offer::kind::nothing);
    EXPECT_EQ(turn().fences.size(), 1U);
}

// tickets: KAFKA-20332 (C4) M2 B36
TEST_F(handoff_test, the_last_step_of_a_poll_takes_back_what_was_fenced_meanwhile) {
    meeting.update(assigned());
    meeting.deliver(fetched(0, 10));
    meeting.deliver(fetched(10, 20));
    ASSERT_EQ(meeting.next({1024, 15}, data).what, poll_offer::kind::data);
    ASSERT_EQ(data.size(), 2U);
    fence();
    meeting.confirm(data);
    EXPECT_TRUE(data.empty());
    EXPECT_EQ(turn().fences.size(), 1U);
    EXPECT_EQ(meeting.position({"orders", 0})->offset, 0);

    meeting.update(assigned());
    take_data();
    ASSERT_EQ(data.size(), 2U);
    EXPECT_EQ(data[0].from, 0);
    EXPECT_EQ(data[1].from, 10);
    EXPECT_EQ(data[1].to, 20);
}

// tickets: KAFKA-15555 (E4) (E3)
TEST_F(handoff_test, several_wakeups_before_one_poll_are_one_and_take_no_data) {
    meeting.update(assigned());
    meeting.deliver(fetched(0, 10));
    meeting.wakeup();
    meeting.wakeup();
    EXPECT_EQ(next().what, poll_offer::kind::woken);
    EXPECT_TRUE(data.empty());
    EXPECT_EQ(next().what, poll_offer::kind::data);
}

// tickets: KAFKA-20397 (B5) KAFKA-15890 (B7)
TEST_F(handoff_test, effects_become_visible_to_a_parked_poll_with_the_wake_at_their_end) {
    const auto version = next().version;
    std::thread reactor([&] {
        meeting.update(assigned());
        meeting.deliver(fetched(0, 10));
        meeting.wake_application();
    });
    EXPECT_TRUE(meeting.park(version, base::never));
    reactor.join();
    take_data();
}

TEST_F(handoff_test, a_parked_poll_ends_at_its_deadline) {
    EXPECT_FALSE(meeting.park(next().version, primitives::now() + 1ms));
}

TEST_F(handoff_test, notices_come_before_data_and_in_their_order) {
    meeting.update(assigned());
    meeting.deliver(fetched(0, 10));
    meeting.notify(boundary::callback_wanted{boundary::callback_id(1), boundary::callback_wanted::kind::assigned, {}});
    meeting.notify(boundary::error_raised{{errc::max_poll_exceeded, "late"}});
    auto offer = next();
    ASSERT_EQ(offer.what, poll_offer::kind::notice);
    EXPECT_TRUE(std::holds_alternative<boundary::callback_wanted>(*offer.notice));
    offer = next();
    EXPECT_TRUE(std::holds_alternative<boundary::error_raised>(*offer.notice));
    EXPECT_EQ(next().what, poll_offer::kind::data);
}

TEST_F(handoff_test, a_loss_takes_the_place_of_a_revocation_that_has_not_begun) {
    using kind = boundary::callback_wanted::kind;
    const topic_partition one{"orders", 1}, two{"orders", 2};
    meeting.notify(boundary::callback_wanted{boundary::callback_id(1), kind::revoked, {one}});
    meeting.notify(boundary::callback_wanted{boundary::callback_id(2), kind::lost, {two}, boundary::callback_id(1)});
    const auto lost = std::get<boundary::callback_wanted>(*next().notice);
    EXPECT_EQ(lost.id, boundary::callback_id(2));
    EXPECT_EQ(lost.which, (partitions{one, two}));
    EXPECT_EQ(next().what, poll_offer::kind::nothing);
}

TEST_F(handoff_test, a_revocation_that_has_begun_is_not_told_again_as_a_loss) {
    using kind = boundary::callback_wanted::kind;
    const topic_partition one{"orders", 1};
    meeting.notify(boundary::callback_wanted{boundary::callback_id(1), kind::revoked, {one}});
    EXPECT_EQ(std::get<boundary::callback_wanted>(*next().notice).what, kind::revoked);
    meeting.notify(boundary::callback_wanted{boundary::callback_id(2), kind::lost, {}, boundary::callback_id(1)});
    EXPECT_TRUE(std::get<boundary::callback_wanted>(*next().notice).which.empty());
}

TEST_F(handoff_test, folded_asynchronous_commits_end_as_superseded) {
    for (std::size_t i = 0; i <= boundary::asynchronous_commit_limit; ++i) {
        meeting.submit_detached(std::make_unique<operation>(base::never),
                                command::commit{command::commit::source::processed, {}, false});
    }
    auto offer = next();
    ASSERT_EQ(offer.what, poll_offer::kind::ended);
    EXPECT_EQ(offer.call->take_outcome().error(), errc::commit_superseded);
}

TEST_F(handoff_test, a_snapshot_stays_whole_while_newer_ones_are_published) {
    const auto seen = meeting.snapshot();
    turn();
    EXPECT_NE(meeting.snapshot(), seen);
    EXPECT_NE(seen->subscription, nullptr);
}

}  // namespace
}  // namespace strandline::handoff::testsupport
