// What checkers of turns, waits and wakes say.
#include <gtest/gtest.h>

#include "testkit/simulator/checkers/history_testsupport.hpp"

namespace strandline::testkit::sim {
namespace {

using core::kernel::awaited;

TEST(waits_lie_ahead, is_content_with_a_wait_that_lies_ahead) {
    history told(checkers::waits_lie_ahead());
    told.decided(told.decision());
    EXPECT_EQ(told.complaints(), 0u) << told.first_words();
}

TEST(waits_lie_ahead, complains_of_an_instant_that_has_come_and_of_a_sleep_that_is_none_of_theirs) {
    history told(checkers::waits_lie_ahead());
    auto late = told.decision();
    told.at(5s);
    told.decided(late);
    EXPECT_EQ(told.complaints(), 1u);
    auto other = told.decision();
    other.park_until = told.now() + 7s;
    told.decided(other);
    EXPECT_EQ(told.complaints(), 2u);
}

TEST(waits_lie_ahead, complains_of_another_turn_at_once_for_nothing) {
    history told(checkers::waits_lie_ahead());
    auto again = told.decision();
    again.turn_again = true;
    again.progresses = 1;
    told.decided(again);
    EXPECT_EQ(told.complaints(), 0u);
    again.progresses = 0;
    told.decided(again);
    EXPECT_EQ(told.complaints(), 1u);
}

TEST(work_is_bounded, complains_of_turns_that_nothing_caused) {
    history told(checkers::work_is_bounded());
    for (std::uint64_t i = 1; i <= 8; ++i) told.by(ann, turn_begun{i, bit(input::again), 1, 0});
    EXPECT_EQ(told.complaints(), 0u);
    told.by(ann, turn_begun{9, bit(input::again), 1, 0});
    EXPECT_EQ(told.complaints(), 1u);
    for (std::uint64_t i = 10; i <= 50; ++i) told.by(ann, turn_begun{i, bit(input::network), 1, 0});
    EXPECT_EQ(told.complaints(), 1u);
}

TEST(work_is_bounded, complains_of_managers_that_are_asked_without_end) {
    history told(checkers::work_is_bounded());
    auto busy = told.decision();
    busy.answers = 60;
    told.decided(busy);
    EXPECT_EQ(told.complaints(), 0u);
    busy.answers = 600;
    told.decided(busy);
    EXPECT_EQ(told.complaints(), 1u);
}

turn_decided awaiting(const history& told, awaited what) {
    const auto made = told.decision();
    auto inputs = made.waits->front().inputs;
    inputs.add(what);
    return told.waiting_for(made, inputs);
}

TEST(awaited_inputs_have_producers, is_content_with_a_request_in_flight_and_a_callback_asked_for) {
    history told(checkers::awaited_inputs_have_producers());
    auto sent = history::request(7, protocol::api_key::metadata);
    sent.expires_at = told.now() + 30s;
    told.by(ann, sent).by(ann, notice_given{notice_given::kind::assigned, core::boundary::callback_id(3), {}, {}, {}});
    told.decided(awaiting(told, awaited::response(7, told.now() + 30s)));
    told.decided(awaiting(told, awaited::acknowledgement(3)));
    EXPECT_EQ(told.complaints(), 0u) << told.first_words();
}

TEST(awaited_inputs_have_producers, complains_of_dead_producers) {
    history told(checkers::awaited_inputs_have_producers());
    told.decided(awaiting(told, awaited::response(7, told.now() + 30s)));
    EXPECT_EQ(told.complaints(), 1u);
    told.decided(awaiting(told, awaited::acknowledgement(3))).by(ann, turn_begun{2, 0, 0, 0});
    EXPECT_EQ(told.complaints(), 2u);
    told.decided(awaiting(told, awaited::view(9)));
    EXPECT_EQ(told.complaints(), 3u);
}

TEST(awaited_inputs_have_producers, complains_when_nothing_wakes_the_reactor_as_a_request_expires) {
    history told(checkers::awaited_inputs_have_producers());
    auto sent = history::request(7, protocol::api_key::metadata);
    sent.expires_at = told.now() + 500ms;
    told.by(ann, sent).decided(told.decision());
    EXPECT_EQ(told.complaints(), 1u);
}

TEST(wakes_have_reasons, is_content_when_the_look_finds_something) {
    history told(checkers::wakes_have_reasons());
    for (std::uint64_t version = 1; version < 9; ++version) {
        told.by(ann, parked{call_id(1), version}).by(ann, woken{call_id(1), woken::reason::visible, version + 1});
        told.by(ann, looked{call_id(1), looked::found::data});
    }
    EXPECT_EQ(told.complaints(), 0u) << told.first_words();
}

TEST(wakes_have_reasons, complains_of_wakes_in_vain_and_of_an_old_version) {
    history told(checkers::wakes_have_reasons());
    for (std::uint64_t version = 1; version < 3; ++version) {
        told.by(ann, parked{call_id(1), version}).by(ann, woken{call_id(1), woken::reason::visible, version + 1});
        told.by(ann, looked{call_id(1), looked::found::nothing});
    }
    EXPECT_EQ(told.complaints(), 1u);
    told.by(ann, parked{call_id(1), 7}).by(ann, woken{call_id(1), woken::reason::visible, 7});
    EXPECT_EQ(told.complaints(), 2u);
}

TEST(no_wake_is_lost, is_content_when_the_sleeper_wakes_at_the_same_instant) {
    history told(checkers::no_wake_is_lost());
    told.assigned().call(call_kind::poll).by(ann, parked{call_id(1), 1});
    told.by(ann, fetch_delivered{log0, slot0, era1, 0, 4, 10, false});
    told.by(ann, woken{call_id(1), woken::reason::visible, 2}).at(5s).by(ann, turn_begun{1, 0, 0, 0}).end();
    EXPECT_EQ(told.complaints(), 0u) << told.first_words();
}

TEST(no_wake_is_lost, complains_when_the_clock_moves_on_over_a_sleeper) {
    history told(checkers::no_wake_is_lost());
    told.assigned().call(call_kind::poll).by(ann, parked{call_id(1), 1});
    told.by(ann, notice_given{notice_given::kind::error, core::boundary::callback_id(0), {}, {}, {}});
    told.at(1s).by(ann, turn_begun{1, 0, 0, 0});
    EXPECT_EQ(told.complaints(), 1u);
}

TEST(no_wake_is_lost, is_content_with_a_resumed_waiter_whose_application_runs_later) {
    history told(checkers::no_wake_is_lost());
    told.assigned().call(call_kind::poll).by(ann, parked{call_id(1), 1});
    told.by(ann, fetch_delivered{log0, slot0, era1, 0, 4, 10, false}).by(ann, effect_seen{effect_kind::wake, 2});
    told.at(1ms).by(ann, woken{call_id(1), woken::reason::visible, 2});
    EXPECT_EQ(told.complaints(), 0u) << told.first_words();
}

TEST(no_wake_is_lost, lets_a_sleeper_sleep_over_data_of_a_paused_partition) {
    history told(checkers::no_wake_is_lost());
    told.by(ann, slot_updated{log0, slot0, era1, true, true, false, false});
    told.call(call_kind::poll).by(ann, parked{call_id(1), 1});
    told.by(ann, fetch_delivered{log0, slot0, era1, 0, 4, 10, false}).at(1s).by(ann, turn_begun{1, 0, 0, 0});
    EXPECT_EQ(told.complaints(), 0u);
}

TEST(the_application_costs_few_turns, complains_of_a_turn_for_every_poll) {
    history told(checkers::the_application_costs_few_turns());
    const auto poll = [&](std::uint64_t number, bool answered) {
        told.call(call_kind::poll, number).by(ann, turn_begun{number, bit(input::checkpoint), 1, 0});
        if (answered) told.by(ann, history::ended(number));
        auto made = told.decision(number);
        made.checkpoint_wanted = false;
        told.by(ann, made).ends(call_kind::poll, number);
    };
    for (std::uint64_t i = 1; i <= 30; ++i) poll(i, false);
    EXPECT_EQ(told.complaints(), 0u);
    // These turns were the network's: a progress that lay there anyway was taken along.
    for (std::uint64_t i = 31; i <= 90; ++i) poll(i, true);
    EXPECT_EQ(told.complaints(), 0u);
    for (std::uint64_t i = 91; i <= 120; ++i) poll(i, false);
    EXPECT_EQ(told.complaints(), 1u);
}

TEST(the_application_costs_few_turns, is_content_when_every_turn_is_paid_for) {
    history told(checkers::the_application_costs_few_turns());
    for (std::uint64_t i = 1; i <= 200; ++i) {
        told.call(call_kind::commit, i).by(ann, turn_begun{i, bit(input::command), 1, 0}).by(ann, told.decision(i));
    }
    EXPECT_EQ(told.complaints(), 0u);
}

TEST(there_is_one_of_each, complains_of_a_second_wish_for_one_turn_unless_space_is_awaited) {
    history told(checkers::there_is_one_of_each());
    told.by(ann, turn_asked{}).by(ann, turn_begun{1, bit(input::command), 1, 0}).by(ann, turn_asked{});
    EXPECT_EQ(told.complaints(), 0u) << told.first_words();
    auto waits_for_space = told.decision(2);
    waits_for_space.awaits_space = true;
    told.decided(waits_for_space).by(ann, turn_asked{}).by(ann, turn_asked{});
    EXPECT_EQ(told.complaints(), 0u) << told.first_words();
    told.decided(told.decision(3)).by(ann, turn_asked{}).by(ann, turn_asked{});
    EXPECT_EQ(told.complaints(), 1u);
}

TEST(there_is_one_of_each, complains_of_a_poll_that_waits_beside_another_one) {
    history told(checkers::there_is_one_of_each());
    told.call(call_kind::poll, 1).by(ann, parked{call_id(1), 1}).by(ann, woken{call_id(1), {}, 2});
    told.by(ann, parked{call_id(1), 2}).ends(call_kind::poll, 1);
    told.call(call_kind::poll, 2).by(ann, parked{call_id(2), 3});
    EXPECT_EQ(told.complaints(), 0u) << told.first_words();
    told.call(call_kind::poll, 3).by(ann, parked{call_id(3), 3});
    EXPECT_EQ(told.complaints(), 1u);
}

TEST(there_is_one_of_each, complains_of_a_slot_with_two_owners_and_of_one_that_is_given_up_twice) {
    history told(checkers::there_is_one_of_each());
    const auto given = [](log_id log, bool assigned) {
        return slot_updated{log, slot0, era1, assigned, false, false, false};
    };
    told.by(ann, given(log0, true)).by(ann, given(log0, false)).by(ann, given(log1, true));
    told.by(bob, given(log0, true));
    EXPECT_EQ(told.complaints(), 0u) << told.first_words();
    told.by(ann, given(log0, true));
    EXPECT_EQ(told.complaints(), 1u);
    told.by(ann, given(log0, false)).by(ann, given(log0, false));
    EXPECT_EQ(told.complaints(), 2u);
    const turn_decided::place place{log0, slot0, era1, {}, false, false, false};
    told.decided(history::showing(told.decision(2), {place, place}));
    EXPECT_EQ(told.complaints(), 3u);
}

TEST(nobody_runs_without_need, complains_of_a_spin_and_names_the_state) {
    history told(checkers::nobody_runs_without_need());
    told.by(ann, told.decision());
    for (int i = 0; i < 100; ++i) {
        told.at(i * 1ms).by(ann, turn_begun{1, bit(input::timer), 1, 0});
    }
    EXPECT_EQ(told.complaints(), 1u);
    EXPECT_NE(told.first_words().find("in state stable"), std::string::npos) << told.first_words();
}

TEST(nobody_runs_without_need, lets_several_things_begin_to_fail_at_once_but_not_go_on_like_that) {
    history told(checkers::nobody_runs_without_need());
    const auto burst = [&](base::duration from) {
        for (int i = 0; i < 30; ++i) told.at(from + i * 10ms).by(ann, turn_begun{1, bit(input::timer), 1, 0});
    };
    burst(0s);
    burst(2s);
    EXPECT_EQ(told.complaints(), 0u) << told.first_words();
    burst(3s);
    EXPECT_EQ(told.complaints(), 1u);
}

TEST(nobody_runs_without_need, complains_of_a_timer_that_comes_twice_at_one_instant) {
    history told(checkers::nobody_runs_without_need());
    told.by(ann, turn_begun{1, bit(input::timer), 1, 0}).by(ann, turn_begun{2, bit(input::timer), 1, 0});
    EXPECT_EQ(told.complaints(), 1u);
}

TEST(nobody_runs_without_need, complains_of_a_busy_minute_without_any_answer) {
    history told(checkers::nobody_runs_without_need());
    for (int i = 0; i < 130 * 8; ++i) told.at(i * 125ms).by(ann, turn_begun{1, bit(input::timer), 1, 0});
    EXPECT_GE(told.complaints(), 1u);
}

TEST(nobody_runs_without_need, is_content_with_a_turn_for_each_answer) {
    history told(checkers::nobody_runs_without_need());
    for (int i = 0; i < 5000; ++i) {
        told.at(i * 2ms).by(ann, turn_begun{1, bit(input::network), 1, 0}).by(ann, history::ended(1));
    }
    EXPECT_EQ(told.complaints(), 0u) << told.first_words();
}

TEST(effects_follow_their_decision, is_content_when_the_decision_is_to_be_seen) {
    history told(checkers::effects_follow_their_decision());
    told.decided(told.decision(3)).by(ann, effect_seen{effect_kind::network_order, 3});
    told.by(ann, effect_seen{effect_kind::wake, 3});
    EXPECT_EQ(told.complaints(), 0u) << told.first_words();
}

TEST(effects_follow_their_decision, complains_of_effects_before_the_decision_is_to_be_seen) {
    history told(checkers::effects_follow_their_decision());
    told.decided(told.decision(3)).by(ann, effect_seen{effect_kind::network_order, 2});
    EXPECT_EQ(told.complaints(), 1u);
    told.by(ann, effect_seen{effect_kind::wake, 2});
    EXPECT_EQ(told.complaints(), 2u);
    told.by(ann, effect_seen{effect_kind::network_order, 3});
    EXPECT_EQ(told.complaints(), 2u);
    told.by(ann, turn_begun{4, 0, 0, 0}).by(ann, effect_seen{effect_kind::network_order, 3});
    EXPECT_EQ(told.complaints(), 3u);
}

TEST(facts_keep_their_order, complains_of_another_order_and_of_a_late_fact_that_changed_something) {
    history told(checkers::facts_keep_their_order());
    told.by(ann, fact_handled{1, 0, true, true}).by(ann, fact_handled{2, 0, false, false});
    EXPECT_EQ(told.complaints(), 0u);
    told.by(ann, fact_handled{4, 0, true, false});
    EXPECT_EQ(told.complaints(), 1u);
    told.by(ann, fact_handled{5, 0, false, true});
    EXPECT_EQ(told.complaints(), 2u);
}

TEST(kernel_contract, each_clause_has_one_checker_that_complains_of_it) {
    using clause = contract_broken::clause;
    for (const auto one : {clause::missing_edge, clause::runaway, clause::stray_fact, clause::foreign_write,
                           clause::unversioned_write, clause::stale_answer, clause::order_matters}) {
        std::uint64_t complaints = 0;
        for (const auto make : {&checkers::only_owners_write, &checkers::unasked_managers_stand_by_their_answers,
                                &checkers::turns_come_to_rest, &checkers::one_decision_a_turn}) {
            history told(make());
            EXPECT_EQ(told.complaints(), 0u);
            complaints += told.by(ann, contract_broken{one, "so it is"}).complaints();
        }
        EXPECT_EQ(complaints, 1u);
    }
}

}  // namespace
}  // namespace strandline::testkit::sim
