// What checkers of commits, members and sessions say.
#include <gtest/gtest.h>

#include "testkit/simulator/checkers/history_testsupport.hpp"

namespace strandline::testkit::sim {
namespace {

request_sent commit(std::int64_t offset, std::int32_t epoch = 5) {
    return history::request(1, protocol::api_key::offset_commit, commit_content{"m", epoch, {{log0, offset}}});
}
request_sent heartbeat(std::uint64_t id, std::int32_t epoch, bool full = false,
                       std::optional<std::vector<log_id>> owned = {}) {
    return history::request(id, protocol::api_key::consumer_group_heartbeat,
                            heartbeat_content{"m", epoch, full, std::move(owned)});
}

TEST(commits_never_exceed_what_is_processed, is_content_with_what_was_read_and_with_what_lies_behind_it) {
    history told(checkers::commits_never_exceed_what_is_processed());
    told.records(0, 5).control(5).assigned().polled(0, 6).read(0, 5).by(ann, commit(5)).by(ann, commit(6));
    EXPECT_EQ(told.complaints(), 0u) << told.first_words();
}

TEST(commits_never_exceed_what_is_processed, complains_of_a_record_that_was_not_processed) {
    history told(checkers::commits_never_exceed_what_is_processed());
    told.records(0, 10).assigned().polled(0, 10).read(0, 5).by(ann, commit(6));
    EXPECT_EQ(told.complaints(), 1u);
    EXPECT_NE(told.first_words().find("record 5"), std::string::npos) << told.first_words();
}

TEST(commits_never_exceed_what_is_processed, complains_of_the_position_of_what_was_only_handed_out) {
    history told(checkers::commits_never_exceed_what_is_processed());
    told.records(0, 10).assigned().polled(0, 10).by(ann, commit(10));
    EXPECT_EQ(told.complaints(), 1u);
}

TEST(commits_never_exceed_what_is_processed, complains_of_what_lies_behind_a_piece_that_was_not_finished) {
    history told(checkers::commits_never_exceed_what_is_processed());
    told.records(0, 10).assigned().polled(0, 5).read(0, 3).polled(5, 10).read(5, 10).by(ann, commit(3));
    EXPECT_EQ(told.complaints(), 0u) << told.first_words();
    told.by(ann, commit(10));
    EXPECT_EQ(told.complaints(), 1u);
}

TEST(commits_never_exceed_what_is_processed, lets_the_application_name_an_offset) {
    history told(checkers::commits_never_exceed_what_is_processed());
    told.records(0, 10).assigned().polled(0, 10);
    told.by(ann, call_begun{call_id(2), call_kind::commit, base::never, {}, {{log0, 10}}, false, true});
    told.by(ann, commit(10));
    EXPECT_EQ(told.complaints(), 0u) << told.first_words();
}

TEST(committed_offsets_go_forward, complains_of_a_step_back_that_nobody_asked_for) {
    history told(checkers::committed_offsets_go_forward());
    told.add(offset_stored{"billing", log0, 5, "m", 1}).add(offset_stored{"billing", log0, 7, "m", 1});
    EXPECT_EQ(told.complaints(), 0u);
    told.add(offset_stored{"billing", log0, 6, "m", 1});
    EXPECT_EQ(told.complaints(), 1u);
}

TEST(committed_offsets_go_forward, begins_anew_when_what_was_committed_has_expired) {
    history told(checkers::committed_offsets_go_forward());
    told.add(offset_stored{"billing", log0, 7, "m", 1}).add(offsets_expired{"billing"});
    told.add(offset_stored{"billing", log0, 3, "m", 1});
    EXPECT_EQ(told.complaints(), 0u) << told.first_words();
    told.add(offset_stored{"billing", log0, 2, "m", 1});
    EXPECT_EQ(told.complaints(), 1u);
}

TEST(committed_offsets_go_forward, lets_the_application_rewind) {
    history told(checkers::committed_offsets_go_forward());
    told.add(offset_stored{"billing", log0, 7, "m", 1});
    told.by(ann, call_begun{call_id(2), call_kind::seek, base::never, {log0}, {{log0, 2}}, false, false});
    told.add(offset_stored{"billing", log0, 3, "m", 1});
    EXPECT_EQ(told.complaints(), 0u);
}

TEST(committed_offsets_go_forward, is_content_with_a_late_commit_that_its_sender_has_given_up_on) {
    history told(checkers::committed_offsets_go_forward());
    told.by(ann, history::request(1, protocol::api_key::offset_commit, commit_content{"m", 1, {{log0, 3}}}));
    told.by(ann, history::ended(1, request_ended::how::expired));
    told.add(offset_stored{"billing", log0, 7, "m", 1}).add(offset_stored{"billing", log0, 3, "m", 1});
    EXPECT_EQ(told.complaints(), 0u) << told.first_words();
    told.add(offset_stored{"billing", log0, 2, "m", 1});
    EXPECT_EQ(told.complaints(), 1u);
}

TEST(fenced_partitions_are_not_read, is_content_until_the_fence_and_after_the_partition_came_back) {
    history told(checkers::fenced_partitions_are_not_read());
    told.assigned().polled(0, 4).fenced().given_up().assigned(era2).polled(4, 6, era2);
    EXPECT_EQ(told.complaints(), 0u);
}

TEST(fenced_partitions_are_not_read, complains_of_records_and_of_requests_behind_the_fence) {
    history told(checkers::fenced_partitions_are_not_read());
    told.assigned().fenced().polled(0, 4);
    EXPECT_EQ(told.complaints(), 1u);
    told.decided(history::showing(told.decision(), {{log0, slot0, era1, 4, false, true, false}}));
    told.by(ann, history::request(3, protocol::api_key::fetch, fetch_content{7, 2, 100, {{log0, 4}}, {}}));
    EXPECT_EQ(told.complaints(), 2u);
}

TEST(ownership_is_fenced, is_content_with_fence_then_callback_then_acknowledgement) {
    history told(checkers::ownership_is_fenced());
    told.assigned().fenced().by(ann,
                                callback_begun{core::boundary::callback_id(1), notice_given::kind::revoked, {log0}});
    told.by(ann, heartbeat(1, 5, false, std::vector<log_id>{log0}));
    told.by(ann, callback_ended{core::boundary::callback_id(1), false}).given_up();
    told.by(ann, heartbeat(2, 5, false, std::vector<log_id>{}));
    EXPECT_EQ(told.complaints(), 0u) << told.first_words();
}

TEST(ownership_is_fenced, complains_of_a_callback_without_a_fence_and_of_giving_up_too_early) {
    history told(checkers::ownership_is_fenced());
    told.assigned().by(ann, callback_begun{core::boundary::callback_id(1), notice_given::kind::revoked, {log0}});
    EXPECT_EQ(told.complaints(), 1u);
    told.by(ann, heartbeat(1, 5, false, std::vector<log_id>{}));
    EXPECT_EQ(told.complaints(), 2u);
    told.given_up();
    EXPECT_EQ(told.complaints(), 3u);
}

TEST(ownership_is_fenced, is_content_when_what_is_being_revoked_is_lost_and_when_its_callback_calls_something) {
    const auto revoked = callback_begun{core::boundary::callback_id(1), notice_given::kind::revoked, {log0}};
    history told(checkers::ownership_is_fenced());
    told.assigned().fenced().by(ann, revoked);
    told.by(ann, notice_given{
                     notice_given::kind::lost, core::boundary::callback_id(2), core::boundary::callback_id(1), {}, {}});
    told.given_up();
    EXPECT_EQ(told.complaints(), 0u) << told.first_words();
    told.assigned().call(call_kind::unsubscribe).fenced().by(ann, revoked);
    told.by(ann, call_begun{call_id(2), call_kind::commit, base::never, {}, {}, true, false}).given_up();
    EXPECT_EQ(told.complaints(), 0u) << told.first_words();
    told.ends(call_kind::unsubscribe).call(call_kind::poll, 3).assigned().fenced().by(ann, revoked).given_up();
    EXPECT_EQ(told.complaints(), 1u);
}

TEST(ownership_is_fenced, counts_the_time_of_a_revocation_from_its_fence_on) {
    const auto revoked = callback_begun{core::boundary::callback_id(1), notice_given::kind::revoked, {log0}};
    history told(checkers::ownership_is_fenced());
    const auto most = core::boundary::core_config{}.max_poll_interval;
    told.assigned().fenced().at(most - 1s).by(ann, revoked).at(most);
    told.by(ann, heartbeat(1, 5, false, std::vector<log_id>{})).given_up();
    EXPECT_EQ(told.complaints(), 0u) << told.first_words();
    history early(checkers::ownership_is_fenced());
    early.assigned().fenced().at(1s).by(ann, revoked).at(most - 1s).given_up();
    EXPECT_EQ(early.complaints(), 1u);
}

TEST(ownership_is_fenced, complains_of_records_before_the_assigned_callback_is_over) {
    history told(checkers::ownership_is_fenced());
    told.by(ann, slot_updated{log0, slot0, era1, true, false, false, true}).polled(0, 4);
    EXPECT_EQ(told.complaints(), 1u);
}

TEST(no_two_members_own_a_partition, complains_of_two_owners_and_of_an_epoch_that_goes_back) {
    using kind = group_member_changed::kind;
    history told(checkers::no_two_members_own_a_partition());
    told.add(group_member_changed{kind::joined, "billing", "a", "", 1, 1, {log0}, {}});
    told.add(group_member_changed{kind::joined, "billing", "b", "", 1, 1, {log1}, {}});
    EXPECT_EQ(told.complaints(), 0u) << told.first_words();
    told.add(group_member_changed{kind::changed, "billing", "b", "", 2, 2, {log1, log0}, {}});
    EXPECT_EQ(told.complaints(), 1u);
    told.add(group_member_changed{kind::left, "billing", "a", "", -1, 3, {}, {}});
    told.add(group_member_changed{kind::changed, "billing", "b", "", 1, 3, {log0}, {}});
    EXPECT_EQ(told.complaints(), 2u);
}

TEST(no_two_members_own_a_partition, complains_of_two_consumers_that_have_it_open_in_peace) {
    history told(checkers::no_two_members_own_a_partition());
    told.at(300s).assigned(era1, ann).given_up(ann).assigned(era1, bob);
    EXPECT_EQ(told.complaints(), 0u);
    told.assigned(era1, ann);
    EXPECT_EQ(told.complaints(), 1u);
}

TEST(fetch_sessions_agree, is_content_while_both_books_say_the_same) {
    history told(checkers::fetch_sessions_agree());
    told.by(ann, history::request(1, protocol::api_key::fetch, fetch_content{0, 0, 100, {{log0, 0}, {log1, 0}}, {}}));
    told.by(ann, fetch_session_kept{broker1, 7, 1, {{log0, 0}, {log1, 0}}});
    told.by(ann, history::ended(1, request_ended::how::answered, fetch_answer{{}, 7, {log0}}));
    told.by(ann, history::request(2, protocol::api_key::fetch, fetch_content{7, 1, 100, {{log0, 4}}, {log1}}));
    told.by(ann, fetch_session_kept{broker1, 7, 2, {{log0, 4}}});
    told.by(ann, history::ended(2, request_ended::how::answered, fetch_answer{{}, 7, {}}));
    EXPECT_EQ(told.complaints(), 0u) << told.first_words();
}

TEST(fetch_sessions_agree, complains_of_a_wrong_epoch_a_needless_forget_and_of_books_that_differ) {
    history told(checkers::fetch_sessions_agree());
    told.by(ann, history::request(1, protocol::api_key::fetch, fetch_content{0, 0, 100, {{log0, 0}}, {}}));
    told.by(ann, fetch_session_kept{broker1, 7, 1, {{log0, 0}, {log1, 0}}});
    told.by(ann, history::ended(1, request_ended::how::answered, fetch_answer{{}, 7, {log0}}));
    EXPECT_EQ(told.complaints(), 1u) << told.first_words();
    told.by(ann, history::request(2, protocol::api_key::fetch, fetch_content{7, 3, 100, {}, {}}));
    EXPECT_EQ(told.complaints(), 2u);
    told.by(ann, history::ended(2, request_ended::how::answered, fetch_answer{{}, 7, {log1}}));
    EXPECT_EQ(told.complaints(), 3u);
    told.by(ann, history::request(3, protocol::api_key::fetch, fetch_content{7, 4, 100, {}, {log1}}));
    EXPECT_EQ(told.complaints(), 4u);
}

TEST(fetch_sessions_agree, leaves_alone_what_is_asked_for_beside_a_session) {
    history told(checkers::fetch_sessions_agree());
    told.by(ann, history::request(1, protocol::api_key::fetch, fetch_content{0, 0, 100, {{log0, 0}}, {}}));
    told.by(ann, fetch_session_kept{broker1, 7, 1, {{log0, 0}}});
    told.by(ann, history::ended(1, request_ended::how::answered, fetch_answer{{}, 7, {}}));
    told.by(ann, history::request(2, protocol::api_key::fetch, fetch_content{0, -1, 100, {{log1, 0}}, {}}));
    told.by(ann, history::ended(2, request_ended::how::answered, fetch_answer{{}, 0, {log1}}));
    told.by(ann, history::request(3, protocol::api_key::fetch, fetch_content{7, 1, 100, {}, {}}));
    EXPECT_EQ(told.complaints(), 0u) << told.first_words();
}

TEST(requests_are_legal, is_content_with_what_the_state_allows) {
    history told(checkers::requests_are_legal());
    auto joining = told.decision(1);
    joining.member_state = "joining";
    told.by(ann, turn_begun{1, 0, 0, 0}).by(ann, heartbeat(1, 0, true)).by(ann, joining);
    told.by(ann, turn_begun{2, 0, 0, 0}).by(ann, heartbeat(2, 5)).by(ann, told.decision(2));
    EXPECT_EQ(told.complaints(), 0u) << told.first_words();
}

TEST(requests_are_legal, complains_of_a_beat_while_fenced_a_partial_join_and_a_member_without_a_timer) {
    history told(checkers::requests_are_legal());
    auto fenced = told.decision(1);
    fenced.member_state = "fenced";
    told.by(ann, turn_begun{1, 0, 0, 0}).by(ann, heartbeat(1, 5)).by(ann, fenced);
    EXPECT_EQ(told.complaints(), 1u);
    auto joining = told.decision(2);
    joining.member_state = "joining";
    told.by(ann, turn_begun{2, 0, 0, 0}).by(ann, heartbeat(2, 0, false)).by(ann, joining);
    EXPECT_EQ(told.complaints(), 2u);
    auto asleep = told.decision(3);
    asleep.park_until = base::never;
    told.by(ann, turn_begun{3, 0, 0, 0}).by(ann, asleep);
    EXPECT_EQ(told.complaints(), 3u);
}

TEST(one_decision_a_turn, is_content_when_what_is_stamped_agrees_with_what_is_published) {
    history told(checkers::one_decision_a_turn());
    told.by(ann, turn_begun{1, 0, 0, 0}).by(ann, heartbeat(1, 5)).by(ann, told.decision(1));
    told.by(ann, turn_begun{2, 0, 0, 0}).by(ann, commit(3, 5)).by(ann, told.decision(2));
    EXPECT_EQ(told.complaints(), 0u) << told.first_words();
}

TEST(one_decision_a_turn, complains_of_an_old_epoch_a_skipped_version_and_a_request_between_turns) {
    history told(checkers::one_decision_a_turn());
    told.by(ann, turn_begun{1, 0, 0, 0}).by(ann, commit(3, 4)).by(ann, told.decision(1));
    EXPECT_EQ(told.complaints(), 1u);
    auto skipped = told.decision(2);
    skipped.version = 3;
    told.by(ann, turn_begun{2, 0, 0, 0}).by(ann, skipped);
    EXPECT_EQ(told.complaints(), 2u);
    told.by(ann, heartbeat(1, 5));
    EXPECT_EQ(told.complaints(), 3u);
}

TEST(close_leaves_the_group, is_content_with_a_leave_and_complains_without) {
    for (const bool leaves : {true, false}) {
        history told(checkers::close_leaves_the_group());
        told.at(300s).decided(told.decision(1)).by(ann, heartbeat(1, 5)).by(ann, history::ended(1));
        told.call(call_kind::close, 9);
        if (leaves) told.by(ann, heartbeat(2, -1));
        told.ends(call_kind::close, 9);
        EXPECT_EQ(told.complaints(), leaves ? 0u : 1u) << told.first_words();
    }
}

TEST(close_leaves_the_group, complains_of_a_search_for_the_coordinator_after_the_leave) {
    history told(checkers::close_leaves_the_group());
    told.call(call_kind::close, 9).by(ann, heartbeat(2, -1));
    told.by(ann, history::request(3, protocol::api_key::find_coordinator));
    EXPECT_EQ(told.complaints(), 1u);
}

TEST(callbacks_are_answered, is_content_with_one_begin_and_one_end_for_each_that_was_wanted) {
    history told(checkers::callbacks_are_answered());
    const core::boundary::callback_id id(4);
    told.by(ann, notice_given{notice_given::kind::assigned, id, {}, {log0}, {}});
    told.by(ann, callback_begun{id, notice_given::kind::assigned, {log0}}).by(ann, callback_ended{id, true});
    EXPECT_EQ(told.complaints(), 0u) << told.first_words();
}

TEST(callbacks_are_answered, complains_of_unwanted_repeated_and_superseded_ones) {
    history told(checkers::callbacks_are_answered());
    const core::boundary::callback_id first(4);
    const core::boundary::callback_id second(5);
    told.by(ann, callback_begun{second, notice_given::kind::lost, {}}).by(ann, callback_ended{second, false});
    EXPECT_EQ(told.complaints(), 1u);
    told.by(ann, notice_given{notice_given::kind::revoked, first, {}, {log0}, {}});
    told.by(ann, notice_given{notice_given::kind::lost, second, first, {log0}, {}});
    told.by(ann, callback_begun{first, notice_given::kind::revoked, {log0}}).by(ann, callback_ended{first, false});
    EXPECT_EQ(told.complaints(), 2u);
    told.by(ann, callback_begun{first, notice_given::kind::revoked, {log0}}).by(ann, callback_ended{first, false});
    EXPECT_EQ(told.complaints(), 3u);
}

TEST(callbacks_are_answered, complains_when_heartbeats_stop_while_one_runs) {
    history told(checkers::callbacks_are_answered());
    const core::boundary::callback_id id(4);
    told.at(300s).by(ann, notice_given{notice_given::kind::assigned, id, {}, {log0}, {}});
    told.by(ann, callback_begun{id, notice_given::kind::assigned, {log0}});
    told.at(310s).by(ann, heartbeat(1, 5)).at(325s).decided(told.decision(1));
    EXPECT_EQ(told.complaints(), 0u) << told.first_words();
    told.at(340s).decided(told.decision(2));
    EXPECT_EQ(told.complaints(), 1u);
}

TEST(every_partition_has_a_reader, complains_of_a_partition_that_nobody_has_open_long_after_healing) {
    for (const bool all_open : {true, false}) {
        history told(checkers::every_partition_has_a_reader());
        told.by(ann, call_begun{call_id(1), call_kind::subscribe, base::never, {log0, log1}, {}, false, false});
        std::vector<turn_decided::place> open{{log0, slot0, era1, 0, false, false, false}};
        if (all_open) open.push_back({log1, core::boundary::slot_id(1), era1, 0, false, false, false});
        told.add(fault_applied{1, fault_kind::latency, ""}).at(10s).add(fault_healed{1}).add(all_healed{});
        told.at(700s).decided(history::showing(told.decision(), open)).call(call_kind::poll, 2).end();
        EXPECT_EQ(told.complaints(), all_open ? 0u : 1u) << told.first_words();
    }
}

}  // namespace
}  // namespace strandline::testkit::sim
