// What checkers of calls, requests, time and memory say.
#include <gtest/gtest.h>

#include "testkit/simulator/checkers/history_testsupport.hpp"

namespace strandline::testkit::sim {
namespace {

TEST(every_call_has_one_result, is_content_when_each_call_ends_by_its_deadline) {
    history told(checkers::every_call_has_one_result());
    told.call(call_kind::commit, 1, told.now() + 5s).at(5s).ends(call_kind::commit, 1).call(call_kind::close, 2);
    told.ends(call_kind::close, 2).by(ann, consumer_gone{});
    EXPECT_EQ(told.complaints(), 0u) << told.first_words();
}

TEST(every_call_has_one_result, complains_of_none_of_two_and_of_a_late_one) {
    history none(checkers::every_call_has_one_result());
    none.call(call_kind::commit, 1).by(ann, consumer_gone{});
    EXPECT_EQ(none.complaints(), 1u);

    history two(checkers::every_call_has_one_result());
    two.call(call_kind::commit, 1).ends(call_kind::commit, 1).ends(call_kind::commit, 1);
    EXPECT_EQ(two.complaints(), 1u);
    const core::boundary::operation_token token(8);
    two.by(ann, completion_given{token, {}}).by(ann, completion_given{token, {}});
    EXPECT_EQ(two.complaints(), 2u);

    history late(checkers::every_call_has_one_result());
    late.call(call_kind::commit, 1, late.now() + 5s).at(6s).end();
    EXPECT_EQ(late.complaints(), 1u);
}

TEST(wakeups_end_one_poll, is_content_when_each_wakeup_ends_a_poll) {
    history told(checkers::wakeups_end_one_poll());
    const error woken(errc::woken_up, "woken");
    told.call(call_kind::poll, 1).by(ann, wakeup_called{}).by(ann, wakeup_called{}).ends(call_kind::poll, 1, woken);
    told.call(call_kind::poll, 2).ends(call_kind::poll, 2);
    EXPECT_EQ(told.complaints(), 0u) << told.first_words();
}

TEST(wakeups_end_one_poll, complains_of_a_second_delivery_of_another_call_and_of_a_lost_one) {
    const error woken(errc::woken_up, "woken");
    history told(checkers::wakeups_end_one_poll());
    told.by(ann, wakeup_called{}).call(call_kind::poll, 1).ends(call_kind::poll, 1, woken);
    told.call(call_kind::poll, 2).ends(call_kind::poll, 2, woken);
    EXPECT_EQ(told.complaints(), 1u);
    told.by(ann, wakeup_called{}).call(call_kind::commit, 3).ends(call_kind::commit, 3, woken);
    EXPECT_EQ(told.complaints(), 2u);
    told.by(ann, wakeup_called{}).call(call_kind::poll, 4).ends(call_kind::poll, 4);
    EXPECT_EQ(told.complaints(), 3u);
}

TEST(wakeups_end_one_poll, complains_of_records_that_a_wakeup_takes_away) {
    history told(checkers::wakeups_end_one_poll());
    told.by(ann, wakeup_called{}).call(call_kind::poll, 1).polled(0, 4);
    told.ends(call_kind::poll, 1, error(errc::woken_up, "woken"));
    EXPECT_EQ(told.complaints(), 1u);
}

TEST(errors_are_told_once, complains_of_an_error_that_is_told_twice_or_to_the_wrong_call) {
    const error denied(errc::topic_not_found, "there is no such topic");
    history told(checkers::errors_are_told_once());
    told.by(ann, notice_given{notice_given::kind::error, core::boundary::callback_id(0), {}, {}, denied});
    told.ends(call_kind::poll, 1, denied);
    EXPECT_EQ(told.complaints(), 0u) << told.first_words();
    told.ends(call_kind::poll, 2, denied);
    EXPECT_EQ(told.complaints(), 1u);
    told.ends(call_kind::commit, 3, denied);
    EXPECT_EQ(told.complaints(), 2u);
}

history& paused(history& told, call_kind what, std::uint64_t id) {
    return told.by(ann, call_begun{call_id(id), what, base::never, {log0}, {}, false, false}).ends(what, id);
}

TEST(intents_stay, complains_of_a_pause_that_is_dropped) {
    history told(checkers::intents_stay());
    paused(told.assigned(), call_kind::pause, 1);
    told.decided(history::showing(told.decision(1), {{log0, slot0, era1, 0, true, false, false}}));
    EXPECT_EQ(told.complaints(), 0u) << told.first_words();
    told.decided(history::showing(told.decision(2), {{log0, slot0, era2, 0, false, false, false}}));
    EXPECT_EQ(told.complaints(), 1u);
}

TEST(intents_stay, is_content_after_a_resume_or_a_new_assignment) {
    history told(checkers::intents_stay());
    paused(paused(told.assigned(), call_kind::pause, 1), call_kind::resume, 2);
    told.decided(history::showing(told.decision(1), {{log0, slot0, era1, 0, false, false, false}}));
    paused(told, call_kind::pause, 3).given_up().assigned();
    told.decided(history::showing(told.decision(2), {{log0, slot0, era1, 0, false, false, false}}));
    EXPECT_EQ(told.complaints(), 0u) << told.first_words();
}

TEST(intents_stay, complains_when_reading_goes_on_elsewhere_than_it_was_sought) {
    for (const std::int64_t from : {3, 7}) {
        history told(checkers::intents_stay());
        told.records(0, 10).assigned();
        told.by(ann, call_begun{call_id(1), call_kind::seek, base::never, {log0}, {{log0, 3}}, false, false});
        told.ends(call_kind::seek, 1).polled(from, 10, era2);
        EXPECT_EQ(told.complaints(), from == 3 ? 0u : 1u) << told.first_words();
    }
}

TEST(intents_stay, lets_a_topic_that_is_made_anew_begin_where_the_policy_says) {
    history told(checkers::intents_stay());
    told.records(0, 10).by(ann, slot_updated{log1, slot0, era1, true, false, false, false});
    // By its name, which is that of the new one already; the consumer knows the old one.
    told.by(ann, call_begun{call_id(1), call_kind::seek, base::never, {log0}, {{log0, 3}}, false, false});
    told.ends(call_kind::seek, 1).assigned(era2).polled(7, 10, era2);
    EXPECT_EQ(told.complaints(), 0u) << told.first_words();
}

TEST(requests_begin_and_end_once, is_content_with_one_after_the_other) {
    history told(checkers::requests_begin_and_end_once());
    for (std::uint64_t id = 1; id < 5; ++id) {
        told.by(ann, turn_begun{id, 0, 0, 0});
        told.by(ann, history::request(id, protocol::api_key::fetch)).by(ann, history::ended(id));
    }
    EXPECT_EQ(told.complaints(), 0u) << told.first_words();
}

TEST(requests_begin_and_end_once, complains_of_doubled_reused_and_unknown_requests) {
    history told(checkers::requests_begin_and_end_once());
    told.by(ann, history::request(5, protocol::api_key::fetch));
    told.by(ann, history::request(6, protocol::api_key::fetch));
    EXPECT_EQ(told.complaints(), 1u);
    told.by(ann, history::ended(5)).by(ann, history::ended(5));
    EXPECT_EQ(told.complaints(), 2u);
    told.by(ann, history::request(4, protocol::api_key::list_offsets));
    EXPECT_EQ(told.complaints(), 3u);
}

TEST(requests_end_by_their_expiry, complains_of_one_that_stays_in_flight) {
    history told(checkers::requests_end_by_their_expiry());
    auto sent = history::request(1, protocol::api_key::fetch);
    sent.expires_at = told.now() + 30s;
    told.by(ann, sent).at(29s).decided(told.decision(1));
    EXPECT_EQ(told.complaints(), 0u);
    told.at(31s).decided(told.decision(2));
    EXPECT_EQ(told.complaints(), 1u);
}

TEST(requests_end_by_their_expiry, is_content_when_expiry_ends_it) {
    history told(checkers::requests_end_by_their_expiry());
    auto sent = history::request(1, protocol::api_key::fetch);
    sent.expires_at = told.now() + 30s;
    told.by(ann, sent).at(30s).by(ann, history::ended(1, request_ended::how::expired)).at(60s).end();
    EXPECT_EQ(told.complaints(), 0u);
}

TEST(only_monotonic_time_counts, complains_of_what_happens_before_its_time) {
    history told(checkers::only_monotonic_time_counts());
    auto sent = history::request(1, protocol::api_key::fetch);
    sent.expires_at = told.now() + 30s;
    told.by(ann, sent).at(20s).by(ann, history::ended(1, request_ended::how::expired));
    EXPECT_EQ(told.complaints(), 1u);
    told.call(call_kind::commit, 1, told.now() + 60s).at(30s);
    told.ends(call_kind::commit, 1, error(errc::timed_out, "too late"));
    EXPECT_EQ(told.complaints(), 2u);
    told.call(call_kind::poll, 2).by(ann, looked{call_id(2), looked::found::nothing}).at(900s);
    told.by(
        ann,
        notice_given{
            notice_given::kind::error, core::boundary::callback_id(0), {}, {}, error(errc::max_poll_exceeded, "gone")});
    EXPECT_EQ(told.complaints(), 3u);
    told.by(ann, turn_begun{1, 0, 0, 0}).at(100s).by(ann, turn_begun{2, 0, 0, 0});
    EXPECT_EQ(told.complaints(), 4u);
}

TEST(only_monotonic_time_counts, is_content_when_a_close_ends_what_its_callback_waits_for) {
    const auto too_late = error(errc::timed_out, "too late");
    history told(checkers::only_monotonic_time_counts());
    told.call(call_kind::close, 1, told.now() + 10s);
    told.by(ann, call_begun{call_id(2), call_kind::commit, told.now() + 60s, {}, {}, true, false}).at(5s);
    told.ends(call_kind::commit, 2, too_late).ends(call_kind::close, 1);
    EXPECT_EQ(told.complaints(), 0u) << told.first_words();
    told.call(call_kind::commit, 3, told.now() + 60s).ends(call_kind::commit, 3, too_late);
    EXPECT_EQ(told.complaints(), 1u);
}

TEST(only_monotonic_time_counts, is_content_with_an_application_that_did_not_poll_for_too_long) {
    history told(checkers::only_monotonic_time_counts());
    told.call(call_kind::poll, 1).ends(call_kind::poll, 1).at(200s);
    told.call(call_kind::commit, 2).ends(call_kind::commit, 2).at(301s);
    told.call(call_kind::poll, 3);  // and has not come to it yet
    told.by(
        ann,
        notice_given{
            notice_given::kind::error, core::boundary::callback_id(0), {}, {}, error(errc::max_poll_exceeded, "gone")});
    EXPECT_EQ(told.complaints(), 0u) << told.first_words();
}

TEST(stopping_ends, complains_of_a_turn_after_the_last_and_after_close) {
    history told(checkers::stopping_ends());
    auto last = told.decision(1);
    last.stopped = true;
    told.decided(last).ends(call_kind::close).by(ann, consumer_gone{});
    EXPECT_EQ(told.complaints(), 0u) << told.first_words();
    told.by(ann, turn_begun{2, 0, 0, 0});
    EXPECT_EQ(told.complaints(), 1u);
    told.ends(call_kind::close, 1, {}, bob).by(bob, turn_begun{1, 0, 0, 0});
    EXPECT_EQ(told.complaints(), 2u);
}

TEST(stopping_ends, complains_of_a_call_that_waits_for_a_stopped_consumer) {
    history told(checkers::stopping_ends());
    auto last = told.decision(1);
    last.stopped = true;
    told.by(ann, parked{call_id(1), 1}).decided(last).by(ann, woken{call_id(1), woken::reason::ended, 2});
    EXPECT_EQ(told.complaints(), 0u) << told.first_words();
    told.by(ann, woken{call_id(2), woken::reason::deadline, 2});
    EXPECT_EQ(told.complaints(), 1u);
    told.by(ann, parked{call_id(3), 2});
    EXPECT_EQ(told.complaints(), 2u);
}

TEST(nothing_is_left_behind, complains_of_each_kind_of_leftover) {
    history clean(checkers::nothing_is_left_behind());
    clean.by(ann, consumer_gone{});
    EXPECT_EQ(clean.complaints(), 0u);
    history told(checkers::nothing_is_left_behind());
    told.by(ann, consumer_gone{1, 1, 1, 1, 1});
    EXPECT_EQ(told.complaints(), 5u);
    told.by(ann, effect_seen{effect_kind::wake, 1});
    EXPECT_EQ(told.complaints(), 6u);
}

TEST(memory_is_bounded, complains_above_the_bound_and_of_a_fetch_that_asks_for_too_much) {
    history told(checkers::memory_is_bounded());
    constexpr std::size_t limit = std::size_t{64} * 1024 * 1024;
    auto fetch = [](std::int32_t bytes) {
        return history::request(1, protocol::api_key::fetch, fetch_content{7, 1, bytes, {}, {}});
    };
    told.by(ann, turn_begun{1, 0, 0, limit - 100}).by(ann, fetch(100));
    EXPECT_EQ(told.complaints(), 0u) << told.first_words();
    told.by(ann, fetch(101));
    EXPECT_EQ(told.complaints(), 1u);
    told.by(ann, turn_begun{2, 0, 0, 2 * limit});
    EXPECT_EQ(told.complaints(), 2u);
}

TEST(progress_follows_healing, complains_of_records_that_do_not_come_long_after_healing) {
    for (const bool it_comes : {true, false}) {
        history told(checkers::progress_follows_healing());
        told.records(0, 10).add(fault_applied{1, fault_kind::black_hole, ""});
        told.decided(history::showing(told.decision(), {{log0, slot0, era1, 4, false, false, false}}));
        told.at(10s).add(all_healed{}).call(call_kind::poll, 1);
        if (it_comes) told.at(50s).polled(4, 10).ends(call_kind::poll, 1).call(call_kind::poll, 2);
        told.at(100s).end();
        EXPECT_EQ(told.complaints(), 0u) << told.first_words();
        told.at(it_comes ? 160s : 250s).end();
        EXPECT_EQ(told.complaints(), it_comes ? 0u : 1u) << told.first_words();
    }
}

TEST(progress_follows_healing, does_not_expect_records_of_a_paused_partition) {
    history told(checkers::progress_follows_healing());
    told.records(0, 10);
    told.decided(history::showing(told.decision(), {{log0, slot0, era1, 4, true, false, false}}));
    told.add(all_healed{}).call(call_kind::poll, 1).at(900s).end();
    EXPECT_EQ(told.complaints(), 0u);
}

TEST(progress_follows_healing, does_not_expect_what_a_transaction_has_only_just_made_visible) {
    for (const auto what : {appended::kind::data, appended::kind::compacted}) {
        history told(checkers::progress_follows_healing());
        told.records(0, 4).add(appended{log0, 4, 5, what, 0, 7, 0}).records(5, 5);
        told.decided(history::showing(told.decision(), {{log0, slot0, era1, 4, false, false, false}}));
        told.add(all_healed{}).call(call_kind::poll, 1).at(900s).end();
        EXPECT_EQ(told.complaints(), 0u) << told.first_words();
        told.add(transaction_ended{log0, 7, false}).at(910s).end();
        EXPECT_EQ(told.complaints(), 0u) << told.first_words();
        told.at(1200s).end();
        EXPECT_EQ(told.complaints(), 1u);
    }
}

TEST(brokers_are_found_again, complains_when_nobody_answers_in_a_world_where_nothing_is_wrong) {
    history told(checkers::brokers_are_found_again());
    told.add(all_healed{})
        .call(call_kind::subscribe)
        .call(call_kind::poll, 1)
        .at(300s)
        .by(ann, history::ended(1))
        .at(600s)
        .end();
    EXPECT_EQ(told.complaints(), 0u) << told.first_words();
    told.at(1200s).end();
    EXPECT_EQ(told.complaints(), 1u);
}

TEST(brokers_are_found_again, expects_nothing_for_an_application_that_has_not_polled_for_long) {
    history told(checkers::brokers_are_found_again());
    told.add(all_healed{}).call(call_kind::subscribe).call(call_kind::poll, 1).ends(call_kind::poll, 1).at(2000s).end();
    EXPECT_EQ(told.complaints(), 0u) << told.first_words();
    told.call(call_kind::poll, 2).at(2300s).end();
    EXPECT_EQ(told.complaints(), 0u) << told.first_words();
    told.at(3000s).end();
    EXPECT_EQ(told.complaints(), 1u);
}

TEST(brokers_are_found_again, expects_nothing_for_an_application_that_is_subscribed_to_nothing) {
    history told(checkers::brokers_are_found_again());
    told.add(all_healed{}).call(call_kind::subscribe).call(call_kind::poll, 1).ends(call_kind::poll, 1);
    told.call(call_kind::unsubscribe).at(2000s).call(call_kind::poll, 2).at(2300s).end();
    EXPECT_EQ(told.complaints(), 0u) << told.first_words();
    told.call(call_kind::assign).ends(call_kind::poll, 2).call(call_kind::poll, 3).at(2500s).end();
    EXPECT_EQ(told.complaints(), 0u) << told.first_words();
    told.at(3500s).end();
    EXPECT_EQ(told.complaints(), 1u);
}

TEST(failed_allocations_are_survived, complains_of_a_call_that_does_not_end_when_its_reactor_fails) {
    for (const bool ends : {true, false}) {
        history told(checkers::failed_allocations_are_survived());
        told.call(call_kind::poll, 1).at(5s).by(ann, reactor_failed{true, "std::bad_alloc"});
        if (ends) told.ends(call_kind::poll, 1).at(6s).call(call_kind::close, 2).ends(call_kind::close, 2);
        told.at(900s).end();
        EXPECT_EQ(told.complaints(), ends ? 0u : 1u);
    }
}

TEST(failed_allocations_are_survived, complains_of_a_call_that_takes_its_time_after_one_and_of_a_further_turn) {
    history told(checkers::failed_allocations_are_survived());
    told.by(ann, reactor_failed{true, "std::bad_alloc"})
        .at(1s)
        .call(call_kind::commit, 1)
        .at(2s)
        .ends(call_kind::commit, 1);
    EXPECT_EQ(told.complaints(), 1u);
    told.decided(told.decision());
    EXPECT_EQ(told.complaints(), 2u);
}

}  // namespace
}  // namespace strandline::testkit::sim
