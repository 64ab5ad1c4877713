// What the application asks of the meeting itself, and what it does without waiting.
#include <memory>

#include "handoff/handoff_testsupport.hpp"

namespace strandline::handoff::testsupport {
namespace {

TEST_F(handoff_test, a_seek_of_everything_closes_every_gate_until_it_is_applied) {
    meeting.update(assigned());
    meeting.deliver(fetched(0, 10));
    operation call(base::never);
    meeting.submit(call, command::seek_to{});
    EXPECT_EQ(next().what, poll_offer::kind::nothing);
    auto sought = assigned();
    sought.era = boundary::incarnation{2};
    meeting.update(sought);
    meeting.complete({call.token(), boundary::done()});
    meeting.deliver(fetched(0, 10, boundary::incarnation{2}));
    take_data();
    ASSERT_EQ(data.size(), 1U);
    EXPECT_EQ(data[0].source->era, boundary::incarnation{2});
}

TEST_F(handoff_test, a_pause_keeps_its_partitions_back_at_once_and_one_of_nothing_keeps_back_nothing) {
    meeting.update(assigned());
    meeting.deliver(fetched(0, 10));
    operation all(base::never);
    meeting.submit(all, command::pause{{{"orders", 0}}});
    EXPECT_EQ(next().what, poll_offer::kind::nothing);
    meeting.complete({all.token(), boundary::done()});  // it was paused and resumed meanwhile
    operation none(base::never);
    meeting.submit(none, command::pause{});
    take_data();
    meeting.complete({none.token(), boundary::done()});
}

TEST_F(handoff_test, data_of_an_earlier_incarnation_is_let_go_of_where_it_is_met) {
    meeting.update(assigned());
    turn(false, boundary::awaited_space::memory);
    meeting.deliver(fetched(0, 10));
    auto sought = assigned();
    sought.era = boundary::incarnation{2};
    meeting.update(sought);
    EXPECT_EQ(next().what, poll_offer::kind::nothing);
    EXPECT_EQ(meeting.bytes_queued(), 0U);
}

TEST_F(handoff_test, nothing_more_is_handed_out_of_a_slot_that_proved_bad) {
    meeting.update(assigned());
    meeting.deliver(fetched(0, 10));
    meeting.stop_delivery(slot, era);
    EXPECT_EQ(next().what, poll_offer::kind::nothing);
}

TEST_F(handoff_test, says_where_the_application_stands_and_what_it_holds) {
    EXPECT_FALSE(meeting.slot({"orders", 0}).has_value());
    EXPECT_FALSE(meeting.position({"orders", 0}).has_value());
    EXPECT_FALSE(meeting.is_current(slot, era));
    EXPECT_TRUE(meeting.handed_out().empty());
    meeting.update(assigned());
    meeting.deliver(fetched(5, 10));
    EXPECT_EQ(meeting.slot({"orders", 0}), slot);
    EXPECT_FALSE(meeting.slot({"orders", 1}).has_value());
    EXPECT_TRUE(meeting.is_current(slot, era));
    EXPECT_FALSE(meeting.is_current(slot, boundary::incarnation{2}));
    EXPECT_GT(meeting.bytes_queued(), 0U);
    take_data();
    EXPECT_EQ(meeting.bytes_queued(), 0U);
    EXPECT_EQ(meeting.position({"orders", 0})->offset, 10);
    EXPECT_EQ(meeting.handed_out(), (partitions{{"orders", 0}}));
    auto progress = poll_entry();
    progress.changed.push_back({slot, era, 10, 0});
    progress.settled.push_back({slot, era});
    meeting.fold(progress);
    EXPECT_TRUE(meeting.handed_out().empty());
}

TEST_F(handoff_test, a_fence_that_waits_is_met_with_the_end_of_what_was_handed_out) {
    meeting.update(assigned());
    meeting.deliver(fetched(0, 10));
    take_data();
    fence();
    application_progress settled;  // a commit: it meets no fence by itself
    meeting.fold(settled);
    EXPECT_TRUE(turn().fences.empty());
    settled.settled.push_back({slot, era});
    meeting.fold(settled);
    EXPECT_EQ(turn().fences.size(), 1U);
}

TEST_F(handoff_test, what_was_fenced_while_a_poll_gathered_goes_back_and_the_rest_is_kept) {
    const boundary::slot_id other{1};
    const auto audit =
        std::make_shared<const boundary::partition_identity>(boundary::partition_identity{{"audit", 0}, {}});
    auto second = assigned();
    second.slot = other;
    second.partition = audit;
    auto of_second = fetched(0, 10);
    of_second.slot = other;
    of_second.partition = audit;
    meeting.update(assigned());
    meeting.update(second);
    meeting.deliver(fetched(0, 10));
    meeting.deliver(std::move(of_second));
    take_data();
    ASSERT_EQ(data.size(), 2U);
    meeting.confirm(data);
    EXPECT_EQ(data.size(), 2U) << "nothing was fenced";
    fence();
    meeting.tell(command::resume{});
    waker.signals = 0;
    meeting.confirm(data);
    ASSERT_EQ(data.size(), 1U);
    EXPECT_EQ(data[0].source->slot, other);
    EXPECT_EQ(waker.signals, 0) << "a turn is asked for already";
    EXPECT_EQ(turn().fences.size(), 1U);
}

TEST_F(handoff_test, the_last_step_of_a_poll_drops_what_was_lost_meanwhile) {
    meeting.update(assigned());
    meeting.deliver(fetched(0, 10));
    take_data();
    auto lost = assigned();
    lost.assigned = false;
    lost.partition.reset();
    meeting.update(lost);
    meeting.confirm(data);
    EXPECT_TRUE(data.empty());
    EXPECT_EQ(meeting.bytes_queued(), 0U) << "what nobody will be handed is not kept";
}

TEST_F(handoff_test, the_last_step_of_a_poll_drops_what_is_of_an_earlier_incarnation) {
    const boundary::incarnation newer(2);
    meeting.update(assigned());
    meeting.deliver(fetched(0, 10));
    take_data();
    auto moved = assigned();
    moved.era = newer;
    meeting.update(moved);
    meeting.deliver(fetched(500, 510, newer));
    meeting.confirm(data);
    EXPECT_TRUE(data.empty());
    EXPECT_EQ(meeting.position({"orders", 0})->offset, 500) << "the new one stays where it is";
    take_data();
    EXPECT_EQ(data.at(0).from, 500);
}

TEST_F(handoff_test, a_call_that_runs_callbacks_meets_the_fences_too) {
    meeting.update(assigned());
    meeting.deliver(fetched(0, 10));
    take_data();
    fence();
    EXPECT_EQ(meeting.next_callback().what, poll_offer::kind::nothing);
    EXPECT_EQ(turn().fences.size(), 1U);
}

TEST_F(handoff_test, what_is_told_reaches_the_reactor_without_a_call) {
    meeting.tell(command::callback_finished{boundary::callback_id(4), {}});
    EXPECT_EQ(waker.signals, 1);
    meeting.tell(command::resume{});
    EXPECT_EQ(waker.signals, 1) << "a turn is asked for already";
    const auto inputs = turn();
    ASSERT_EQ(inputs.commands.size(), 2U);
    EXPECT_EQ(inputs.commands[0].token, boundary::no_operation);
    EXPECT_TRUE(std::holds_alternative<command::callback_finished>(inputs.commands[0].what));
}

TEST_F(handoff_test, an_asynchronous_call_after_the_end_comes_back_with_the_reason) {
    EXPECT_FALSE(meeting.failure().has_value());
    meeting.fail_all({errc::consumer_closed, "over"});
    meeting.fail_all({errc::invalid_state, "a later reason"});
    ASSERT_TRUE(meeting.failure().has_value());
    EXPECT_EQ(*meeting.failure(), errc::consumer_closed);
    meeting.submit_detached(std::make_unique<operation>(base::never), command::commit{});
    auto offer = meeting.next_callback();
    ASSERT_EQ(offer.what, poll_offer::kind::ended);
    EXPECT_EQ(offer.call->take_outcome().error(), errc::consumer_closed);
}

TEST_F(handoff_test, a_loss_whose_revocation_is_behind_other_notices_takes_its_place) {
    const auto wanted = [](std::uint64_t id, partitions which) {
        return boundary::callback_wanted{
            boundary::callback_id(id), boundary::callback_wanted::kind::revoked, std::move(which), {}};
    };
    meeting.notify(boundary::error_raised{{errc::topic_not_found, "orders"}});
    meeting.notify(wanted(1, {{"orders", 1}}));
    meeting.notify(wanted(2, {{"orders", 0}}));
    auto lost = wanted(3, {{"orders", 2}});
    lost.what = boundary::callback_wanted::kind::lost;
    lost.supersedes = boundary::callback_id(2);
    meeting.notify(lost);
    meeting.wake_application();
    EXPECT_TRUE(std::holds_alternative<boundary::error_raised>(*next().notice));
    EXPECT_EQ(std::get<boundary::callback_wanted>(*next().notice).id, boundary::callback_id(1));
    const auto third = next();
    EXPECT_EQ(std::get<boundary::callback_wanted>(*third.notice).id, boundary::callback_id(3));
    EXPECT_EQ(std::get<boundary::callback_wanted>(*third.notice).which.size(), 2U);
}

TEST_F(handoff_test, keeps_the_newest_turns_for_explanations) {
    for (std::uint64_t number = 0; number < turn_trace::capacity + 5; ++number) {
        auto made = std::make_shared<boundary::snapshot>(*decision());
        made->turn.number = number;  // the first, 0, is none
        meeting.publish(made);
    }
    const auto turns = meeting.trace();
    ASSERT_EQ(turns.size(), turn_trace::capacity);
    EXPECT_EQ(turns.front().number, 5U);
    EXPECT_EQ(turns.back().number, turn_trace::capacity + 4);
}

}  // namespace
}  // namespace strandline::handoff::testsupport
