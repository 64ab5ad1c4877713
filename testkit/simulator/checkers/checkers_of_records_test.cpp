// What checkers of records say: silent about a good history, not about a broken one.
#include <gtest/gtest.h>

#include "testkit/simulator/checkers/history_testsupport.hpp"

namespace strandline::testkit::sim {
namespace {

TEST(every_record_is_given, is_content_when_each_visible_record_is_read) {
    history told(checkers::every_record_is_given());
    told.records(0, 10).polled(0, 4).read(0, 4).polled(4, 10).read(4, 10);
    EXPECT_EQ(told.complaints(), 0u) << told.first_words();
}

TEST(every_record_is_given, complains_of_a_gap_between_pieces) {
    history told(checkers::every_record_is_given());
    told.records(0, 10).polled(0, 4).read(0, 4).polled(6, 10);
    EXPECT_EQ(told.complaints(), 1u);
    EXPECT_NE(told.first_words().find("orders-0 offset 4"), std::string::npos) << told.first_words();
}

TEST(every_record_is_given, complains_of_a_record_that_iteration_passes_over) {
    history told(checkers::every_record_is_given());
    told.records(0, 10).polled(0, 10).read(0, 3).read(5, 10);
    EXPECT_EQ(told.complaints(), 1u);
}

TEST(every_record_is_given, complains_when_a_piece_ends_before_its_last_record) {
    history told(checkers::every_record_is_given());
    told.records(0, 10).polled(0, 10).read(0, 7).by(ann, processed{log0, era1, 10, false});
    EXPECT_EQ(told.complaints(), 1u);
}

TEST(every_record_is_given, lets_an_application_drop_what_it_was_given) {
    history told(checkers::every_record_is_given());
    told.records(0, 10).polled(0, 10).read(0, 7).by(ann, processed{log0, era1, 10, true});
    EXPECT_EQ(told.complaints(), 0u);
}

TEST(every_record_is_given, expects_nothing_of_an_earlier_piece_that_was_let_go_of) {
    history told(checkers::every_record_is_given());
    told.records(0, 10).polled(0, 6).read(0, 3).polled(6, 10).read(6, 10);
    EXPECT_EQ(told.complaints(), 0u) << told.first_words();
}

TEST(every_record_is_given, passes_over_control_records_and_aborted_ones) {
    history told(checkers::every_record_is_given());
    told.records(0, 5).records(5, 3, 77).control(8).add(transaction_ended{log0, 77, false}).records(9, 1);
    told.polled(0, 5).read(0, 5).polled(9, 10).read(9, 10);
    EXPECT_EQ(told.complaints(), 0u) << told.first_words();
}

TEST(every_record_is_given, complains_when_a_committed_transaction_is_passed_over) {
    history told(checkers::every_record_is_given());
    told.records(0, 5).records(5, 3, 77).control(8).add(transaction_ended{log0, 77, true}).records(9, 1);
    told.polled(0, 5).read(0, 5).polled(9, 10);
    EXPECT_EQ(told.complaints(), 1u);
}

TEST(every_record_is_given, does_not_hold_a_log_that_was_cut_against_what_was_asked_for_before) {
    const auto asked = history::request(1, protocol::api_key::fetch);
    const auto answered =
        history::ended(1, request_ended::how::answered, fetch_answer{protocol::broker_error::none, 1, {log0}});
    const auto brought = fetch_delivered{log0, slot0, era1, 0, 10, 100, false};
    for (const bool is_cut_before : {false, true}) {
        history told(checkers::every_record_is_given());
        told.records(0, 4).add(appended{log0, 4, 6, appended::kind::compacted, 0, -1, 0}).records(6, 4);
        if (is_cut_before) told.add(truncated{log0, 0}).records(0, 10);
        told.by(ann, asked);
        if (!is_cut_before) told.add(truncated{log0, 0}).records(0, 10);
        told.by(ann, answered).by(ann, brought).polled(0, 10).read(0, 4).read(6, 10);
        EXPECT_EQ(told.complaints(), is_cut_before ? 1u : 0u) << told.first_words();
    }
}

TEST(every_record_is_given, complains_of_a_record_that_no_poll_handed_out) {
    history told(checkers::every_record_is_given());
    told.records(0, 10).polled(0, 4).read(0, 5);
    EXPECT_EQ(told.complaints(), 1u);
}

TEST(offsets_only_increase, is_content_with_rising_offsets_and_with_a_new_incarnation) {
    history told(checkers::offsets_only_increase());
    told.records(0, 10).polled(0, 4).read(0, 4).polled(4, 10).read(4, 10).polled(0, 4, era2).read(0, 4, era2);
    EXPECT_EQ(told.complaints(), 0u) << told.first_words();
}

TEST(offsets_only_increase, complains_when_a_record_comes_again) {
    history told(checkers::offsets_only_increase());
    told.records(0, 10).polled(0, 4).read(0, 4).read(3, 4);
    EXPECT_EQ(told.complaints(), 1u);
}

TEST(offsets_only_increase, complains_when_pieces_overlap_or_an_old_incarnation_returns) {
    history told(checkers::offsets_only_increase());
    told.records(0, 10).polled(0, 4).polled(2, 6);
    EXPECT_EQ(told.complaints(), 1u);
    told.polled(0, 2, era2).polled(6, 8);
    EXPECT_EQ(told.complaints(), 2u);
}

TEST(nothing_uncommitted_is_shown, is_content_with_what_the_log_holds) {
    history told(checkers::nothing_uncommitted_is_shown());
    told.records(0, 5).records(5, 3, 77).control(8).add(transaction_ended{log0, 77, true}).read(0, 8);
    EXPECT_EQ(told.complaints(), 0u) << told.first_words();
}

TEST(nothing_uncommitted_is_shown, complains_of_aborted_unfinished_and_control_records) {
    history told(checkers::nothing_uncommitted_is_shown());
    told.records(0, 1).records(1, 1, 77).control(2).add(transaction_ended{log0, 77, false}).records(3, 1, 78);
    told.read(1, 2);
    EXPECT_EQ(told.complaints(), 1u);
    told.read(3, 4);
    EXPECT_EQ(told.complaints(), 2u);
    told.read(2, 3);
    EXPECT_EQ(told.complaints(), 3u);
}

TEST(nothing_uncommitted_is_shown, complains_of_another_content_than_the_logs) {
    history told(checkers::nothing_uncommitted_is_shown());
    told.records(0, 5).by(ann, records_seen{log0, era1, {{2, 999}}});
    EXPECT_EQ(told.complaints(), 1u);
}

TEST(nothing_uncommitted_is_shown, allows_what_was_cut_off_after_it_was_fetched) {
    history told(checkers::nothing_uncommitted_is_shown());
    told.records(0, 5).add(truncated{log0, 3}).read(3, 5);
    EXPECT_EQ(told.complaints(), 0u) << told.first_words();
}

TEST(handovers_are_clean, is_content_when_the_next_one_starts_at_the_committed_offset) {
    history told(checkers::handovers_are_clean());
    told.records(0, 10).add(offset_stored{"billing", log0, 6, "m", 1}).assigned(era1, bob).polled(6, 10, era1, bob);
    EXPECT_EQ(told.complaints(), 0u) << told.first_words();
}

TEST(handovers_are_clean, complains_of_a_start_below_and_above_what_is_committed) {
    for (const std::int64_t from : {4, 8}) {
        history told(checkers::handovers_are_clean());
        told.records(0, 10).add(offset_stored{"billing", log0, 6, "m", 1}).assigned(era1, bob);
        told.polled(from, 10, era1, bob);
        EXPECT_EQ(told.complaints(), 1u) << from;
    }
}

TEST(handovers_are_clean, lets_a_log_that_was_cut_since_be_read_from_where_it_was_cut) {
    history told(checkers::handovers_are_clean());
    told.records(0, 10).add(offset_stored{"billing", log0, 6, "m", 1}).add(truncated{log0, 2}).records(2, 10);
    told.assigned(era1, bob).polled(2, 10, era1, bob);
    EXPECT_EQ(told.complaints(), 0u) << told.first_words();
    told.add(offset_stored{"billing", log0, 8, "m", 1}).assigned().polled(2, 10);
    EXPECT_EQ(told.complaints(), 1u);
}

TEST(handovers_are_clean, lets_what_was_read_before_a_cut_and_committed_after_it_be_read_again) {
    const auto later = appended{log0, 2, 12, appended::kind::data, 2000, -1, 1};
    for (const std::int32_t leader_epoch : {0, 1}) {
        history told(checkers::handovers_are_clean());
        told.records(0, 10).add(truncated{log0, 2}).add(later);
        told.add(offset_stored{"billing", log0, 6, "m", 1, leader_epoch}).assigned(era1, bob).polled(2, 12, era1, bob);
        EXPECT_EQ(told.complaints(), leader_epoch == 0 ? 0u : 1u) << told.first_words();
    }
}

TEST(handovers_are_clean, lets_a_seek_choose_the_start) {
    history told(checkers::handovers_are_clean());
    told.records(0, 10).add(offset_stored{"billing", log0, 6, "m", 1}).assigned(era1, bob);
    told.by(bob, call_begun{call_id(3), call_kind::seek, base::never, {log0}, {{log0, 2}}, false, false});
    told.polled(2, 10, era2, bob);
    EXPECT_EQ(told.complaints(), 0u) << told.first_words();
}

TEST(handovers_are_clean, knows_from_the_decision_when_a_slot_has_become_another_log) {
    history told(checkers::handovers_are_clean());
    told.records(0, 10).decided(history::showing(told.decision(), {{log0, slot0, era1, 0, false, false, false}}));
    // By somebody else; then a pause tells of the slot.
    told.add(offset_stored{"billing", log0, 6, "m", 1}).assigned().polled(0, 10);
    EXPECT_EQ(told.complaints(), 0u) << told.first_words();
    told.decided(history::showing(told.decision(), {{log0, slot0, era1, 0, false, false, false}}), bob);
    told.assigned(era1, bob).polled(0, 10, era1, bob);
    EXPECT_EQ(told.complaints(), 1u);
}

TEST(handovers_are_clean, lets_a_seek_choose_the_start_that_comes_before_it_is_known_which_log_is_meant) {
    history told(checkers::handovers_are_clean());
    told.records(0, 10).add(offset_stored{"billing", log0, 6, "m", 1});
    told.by(bob, call_begun{call_id(3), call_kind::seek_to, base::never, {log0}, {}, false, false});
    told.assigned(era2, bob).polled(0, 10, era2, bob);
    EXPECT_EQ(told.complaints(), 0u) << told.first_words();
    told.given_up(bob).assigned(era1, bob).polled(0, 10, era1, bob);
    EXPECT_EQ(told.complaints(), 1u);
}

TEST(handovers_are_clean, complains_of_what_was_processed_and_given_up_in_peace_without_a_commit) {
    for (const auto how : {call_kind::subscribe, call_kind::assign}) {
        history told(checkers::handovers_are_clean());
        told.call(how).records(0, 10).assigned().polled(0, 10).read(0, 10);
        told.add(offset_stored{"billing", log0, 7, "m", 1}).at(300s).fenced().given_up();
        EXPECT_EQ(told.complaints(), how == call_kind::subscribe ? 1u : 0u) << "by hand nobody waits for the commit";
    }
}

TEST(handovers_are_clean, is_content_when_what_lies_behind_an_unfinished_piece_is_not_committed) {
    history told(checkers::handovers_are_clean());
    told.records(0, 10).assigned().polled(0, 5).read(0, 3).polled(5, 10).read(5, 10);
    told.add(offset_stored{"billing", log0, 3, "m", 1}).at(300s).fenced().given_up();
    EXPECT_EQ(told.complaints(), 0u) << told.first_words();
}

TEST(handovers_are_clean, is_content_when_everything_processed_was_committed_first) {
    history told(checkers::handovers_are_clean());
    told.records(0, 10).assigned().polled(0, 10).read(0, 10).add(offset_stored{"billing", log0, 10, "m", 1});
    told.at(300s).fenced().given_up();
    EXPECT_EQ(told.complaints(), 0u) << told.first_words();
}

TEST(handovers_are_clean, lets_a_reader_begin_anywhere_once_what_was_committed_has_expired) {
    for (const bool expires : {true, false}) {
        history told(checkers::handovers_are_clean());
        told.records(0, 10).add(offset_stored{"billing", log0, 6, "m", 1});
        if (expires) told.add(offsets_expired{"billing"});
        told.assigned().polled(0, 10);
        EXPECT_EQ(told.complaints(), expires ? 0u : 1u);
    }
}

TEST(handovers_are_clean, is_content_when_a_member_that_did_not_poll_loses_what_it_had_processed) {
    history told(checkers::handovers_are_clean());
    told.records(0, 10).assigned().polled(0, 10).read(0, 10).add(offset_stored{"billing", log0, 7, "m", 1}).at(300s);
    told.by(ann, notice_given{notice_given::kind::error, {}, {}, {}, error(errc::max_poll_exceeded, "")});
    told.given_up();
    EXPECT_EQ(told.complaints(), 0u) << told.first_words();
}

TEST(positions_precede_data, is_content_when_the_decision_shows_the_end_of_the_fetch) {
    history told(checkers::positions_precede_data());
    told.decided(history::showing(told.decision(), {{log0, slot0, era1, 4, false, false, false}}));
    told.by(ann, fetch_delivered{log0, slot0, era1, 0, 4, 100, false});
    EXPECT_EQ(told.complaints(), 0u) << told.first_words();
}

TEST(positions_precede_data, complains_of_an_older_position_and_of_a_gap) {
    history told(checkers::positions_precede_data());
    told.decided(history::showing(told.decision(), {{log0, slot0, era1, 0, false, false, false}}));
    told.by(ann, fetch_delivered{log0, slot0, era1, 0, 4, 100, false});
    EXPECT_EQ(told.complaints(), 1u);
    told.decided(history::showing(told.decision(2), {{log0, slot0, era1, 9, false, false, false}}));
    told.by(ann, fetch_delivered{log0, slot0, era1, 6, 9, 100, false});
    EXPECT_EQ(told.complaints(), 2u);
}

TEST(positions_precede_data, is_content_when_data_that_was_given_back_is_fetched_again) {
    history told(checkers::positions_precede_data());
    told.decided(history::showing(told.decision(), {{log0, slot0, era1, 4, false, false, false}}));
    told.by(ann, fetch_delivered{log0, slot0, era1, 0, 4, 100, false});
    told.by(ann, data_given_back{no_log, slot0, era1, 2});
    told.by(ann, fetch_delivered{log0, slot0, era1, 2, 4, 100, false});
    EXPECT_EQ(told.complaints(), 0u) << told.first_words();
    told.by(ann, fetch_delivered{log0, slot0, era1, 2, 4, 100, false});
    EXPECT_EQ(told.complaints(), 1u);
}

TEST(answers_change_what_was_captured, is_content_when_a_position_goes_back_to_where_data_was_given_back) {
    history told(checkers::answers_change_what_was_captured());
    told.assigned().decided(history::showing(told.decision(1), {{log0, slot0, era1, 4, false, false, false}}));
    told.by(ann, data_given_back{no_log, slot0, era1, 2});
    told.decided(history::showing(told.decision(2), {{log0, slot0, era1, 2, false, false, false}}));
    told.decided(history::showing(told.decision(3), {{log0, slot0, era1, 2, true, false, false}}));
    EXPECT_EQ(told.complaints(), 0u) << told.first_words();
}

TEST(answers_change_what_was_captured, is_content_when_a_position_moves_with_its_fetch) {
    history told(checkers::answers_change_what_was_captured());
    told.assigned().decided(history::showing(told.decision(1), {{log0, slot0, era1, 0, false, false, false}}));
    told.decided(history::showing(told.decision(2), {{log0, slot0, era1, 4, false, false, false}}));
    told.by(ann, fetch_delivered{log0, slot0, era1, 0, 4, 100, false});
    told.decided(history::showing(told.decision(3), {{log0, slot0, era1, 4, true, false, false}}));
    EXPECT_EQ(told.complaints(), 0u) << told.first_words();
}

TEST(answers_change_what_was_captured, complains_of_a_position_that_moves_by_itself_and_of_data_from_the_future) {
    history told(checkers::answers_change_what_was_captured());
    told.assigned().decided(history::showing(told.decision(1), {{log0, slot0, era1, 0, false, false, false}}));
    told.decided(history::showing(told.decision(2), {{log0, slot0, era1, 4, false, false, false}}));
    told.decided(history::showing(told.decision(3), {{log0, slot0, era1, 4, true, false, false}}));
    EXPECT_EQ(told.complaints(), 1u);
    told.by(ann, fetch_delivered{log0, slot0, era2, 4, 5, 100, false});
    EXPECT_EQ(told.complaints(), 2u);
}

}  // namespace
}  // namespace strandline::testkit::sim
