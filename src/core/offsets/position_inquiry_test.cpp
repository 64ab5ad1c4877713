// How a position is found: the committed offset, the reset policy, the leader's epochs; and what errors do not do to
// it.
#include "core/offsets/position_inquiry.hpp"

#include <gtest/gtest.h>

#include "core/offsets/position_test_rig.hpp"

namespace strandline::core::offsets {

namespace {

using namespace offsets::test;

}  // namespace

TEST(position_inquiry, a_partition_without_a_group_starts_where_its_reset_policy_says) {
    position_rig r;
    const auto out = r.assign({orders});
    ASSERT_EQ(out.requests.size(), 1U);
    const auto& asked = list_offsets_of(out.requests[0]);
    EXPECT_EQ(asked.replica_id.value(), -1);
    EXPECT_EQ(asked.isolation_level, 1);
    EXPECT_EQ(asked.topics[0].partitions[0].timestamp, -2);
    EXPECT_EQ(asked.topics[0].partitions[0].current_leader_epoch.value(), 5);
    ASSERT_EQ(out.updates.size(), 1U);
    EXPECT_TRUE(out.updates[0].assigned);
    EXPECT_EQ(out.updates[0].partition->topic_id, id_of(1));

    r.answer(out.requests[0], 42, 3);
    EXPECT_EQ(r.state().phase, partition_phase::fetching);
    EXPECT_EQ(r.state().position->offset, 42);
    EXPECT_EQ(r.state().position->last_epoch.value(), 3);
    EXPECT_EQ(r.state().position->current_epoch.value(), 5);
    EXPECT_FALSE(r.facts.take<exchange::partition_changed>().empty());
}

TEST(position_inquiry, resets_are_asked_of_each_leader_in_one_request) {
    position_rig r;
    const auto out = r.assign({orders, {"orders", 1}, bills});
    ASSERT_EQ(out.requests.size(), 2U);
    EXPECT_EQ(out.requests[0].broker.value(), 1);
    EXPECT_EQ(list_offsets_of(out.requests[0]).topics[0].partitions.size(), 2U);
    EXPECT_EQ(out.requests[1].broker.value(), 2);
}

TEST(position_inquiry, a_leader_of_very_many_partitions_is_asked_in_several_requests) {
    constexpr auto many = static_cast<std::int32_t>(exchange::most_partitions_at_once + 500);
    position_rig r;
    r.know_topic("orders", many);
    partitions wanted;
    for (std::int32_t i = 0; i < many; ++i) wanted.emplace_back("orders", i);
    const auto out = r.assign(wanted);
    ASSERT_EQ(out.requests.size(), 2U);
    EXPECT_EQ(list_offsets_of(out.requests[0]).topics[0].partitions.size(), exchange::most_partitions_at_once);
    EXPECT_EQ(list_offsets_of(out.requests[1]).topics[0].partitions.size(), 500U);
    for (const auto& request : out.requests) r.answer(request, 7);
    EXPECT_EQ(r.state({"orders", many - 1}).position->offset, 7);
    EXPECT_TRUE(r.plan().requests.empty());
}

// tickets: B20
TEST(position_inquiry,
     by_duration_asks_for_a_time_before_now_and_asks_again_after_a_backoff_while_nothing_is_that_young) {
    position_rig r(boundary::reset_policy::kind::by_duration);
    const auto first = r.assign({orders});
    const auto timestamp = list_offsets_of(first.requests[0]).topics[0].partitions[0].timestamp;
    EXPECT_EQ(timestamp, (wall0 - 1h).time_since_epoch().count());

    r.answer(first.requests[0], -1);
    EXPECT_TRUE(r.plan().requests.empty());
    EXPECT_LE(r.wake_at, r.now + 120ms);

    r.now = r.wake_at;
    const auto again = r.plan();
    ASSERT_EQ(again.requests.size(), 1U);
    // The same time: what was written in between is not skipped.
    EXPECT_EQ(list_offsets_of(again.requests[0]).topics[0].partitions[0].timestamp, timestamp);
}

TEST(position_inquiry, an_error_is_no_reason_to_start_elsewhere) {
    position_rig r;
    const auto first = r.assign({orders});
    r.answer(first.requests[0], 0, -1, broker_error::not_leader_or_follower);
    EXPECT_EQ(r.state().phase, partition_phase::awaiting_reset);
    EXPECT_EQ(r.facts.take<exchange::metadata_stale>().size(), 1U);
    EXPECT_TRUE(r.plan().requests.empty());
    r.now = r.wake_at;
    EXPECT_EQ(r.plan().requests.size(), 1U);
}

// tickets: KAFKA-17066 (C5)
TEST(position_inquiry, a_group_looks_for_its_committed_offset_first) {
    position_rig r(boundary::reset_policy::kind::earliest, true);
    EXPECT_TRUE(r.assign({orders}).requests.empty());
    EXPECT_EQ(r.state().phase, partition_phase::awaiting_committed);
    const auto wanted = r.facts.take<exchange::committed_wanted>();
    ASSERT_EQ(wanted.size(), 1U);
    EXPECT_EQ(wanted[0].which, (std::vector{std::pair(r.state().slot, r.state().era)}));

    r.manager->on_fact(exchange::committed_known{r.state().slot, r.state().era, offset_and_metadata(9), {}}, r.time());
    EXPECT_EQ(r.state().phase, partition_phase::fetching);
    EXPECT_EQ(r.state().position->offset, 9);
}

TEST(position_inquiry, a_committed_offset_with_an_epoch_is_validated_before_it_is_fetched_from) {
    position_rig r(boundary::reset_policy::kind::earliest, true);
    r.assign({orders});
    r.manager->on_fact(exchange::committed_known{r.state().slot, r.state().era, offset_and_metadata(9, 4), {}},
                       r.time());
    EXPECT_EQ(r.state().phase, partition_phase::awaiting_validation);
    const auto out = r.plan();
    ASSERT_EQ(out.requests.size(), 1U);
    const auto& asked = *out.requests[0].body.get_if<offset_for_leader_epoch_request>();
    EXPECT_EQ(asked.replica_id.value(), -1);
    EXPECT_EQ(asked.topics[0].partitions[0].current_leader_epoch.value(), 5);
    EXPECT_EQ(asked.topics[0].partitions[0].leader_epoch.value(), 4);
    r.answer_epoch(out.requests[0], 4, 20);
    EXPECT_EQ(r.state().phase, partition_phase::fetching);
    EXPECT_EQ(r.state().position->offset, 9);
}

TEST(position_inquiry, without_a_committed_offset_and_without_a_policy_the_partition_stands_and_says_so_once) {
    position_rig r(boundary::reset_policy::kind::none, true);
    r.assign({orders});
    r.manager->on_fact(exchange::committed_known{r.state().slot, r.state().era, std::nullopt, {}}, r.time());
    const auto out = r.plan();
    EXPECT_EQ(r.state().phase, partition_phase::stopped);
    ASSERT_EQ(out.fetched.size(), 1U);
    EXPECT_TRUE(*out.fetched[0].failure == errc::no_offset_for_partition);
    EXPECT_EQ(out.fetched[0].failure->about().partition, orders);
    EXPECT_EQ(out.fetched[0].next_offset, -1);
    EXPECT_TRUE(r.plan().fetched.empty());
}

// tickets: B28
TEST(position_inquiry, a_failed_look_up_stops_the_partition_and_never_resets_it) {
    position_rig r(boundary::reset_policy::kind::latest, true);
    r.assign({orders});
    r.manager->on_fact(exchange::committed_known{r.state().slot, r.state().era, {}, error(errc::timed_out, "no")},
                       r.time());
    EXPECT_EQ(r.state().phase, partition_phase::stopped);
    EXPECT_TRUE(r.plan().requests.empty());
}

// tickets: M17
TEST(position_inquiry, a_seek_is_not_undone_by_an_answer_that_comes_late) {
    position_rig r(boundary::reset_policy::kind::earliest, true);
    r.assign({orders});
    const auto before = r.state().era;
    const auto out = r.command(boundary::command::seek{orders, 100, {}});
    ASSERT_EQ(out.completions.size(), 1U);
    EXPECT_TRUE(out.completions[0].outcome);
    ASSERT_EQ(out.updates.size(), 1U);
    EXPECT_EQ(out.updates[0].era, r.state().era);
    EXPECT_NE(r.state().era, before);

    r.manager->on_fact(exchange::committed_known{r.state().slot, before, offset_and_metadata(9), {}}, r.time());
    EXPECT_EQ(r.state().position->offset, 100);

    position_rig late;
    const auto asked = late.assign({orders});
    late.command(boundary::command::seek{orders, 100, {}});
    late.answer(asked.requests[0], 7);
    EXPECT_EQ(late.state().position->offset, 100);
}

TEST(position_inquiry, a_seek_to_an_end_looks_it_up_and_the_newest_seek_wins) {
    position_rig r;
    r.fetching_at(10);
    const auto to_end = r.command(boundary::command::seek_to{boundary::command::seek_to::end::end, {}});
    ASSERT_EQ(to_end.requests.size(), 1U);
    EXPECT_EQ(list_offsets_of(to_end.requests[0]).topics[0].partitions[0].timestamp, -1);
    const auto to_beginning =
        r.command(boundary::command::seek_to{boundary::command::seek_to::end::beginning, {orders}});
    ASSERT_EQ(to_beginning.requests.size(), 1U);
    r.answer(to_end.requests[0], 500);
    EXPECT_EQ(r.state().phase, partition_phase::awaiting_reset);
    r.answer(to_beginning.requests[0], 3);
    EXPECT_EQ(r.state().position->offset, 3);
}

TEST(position_inquiry, a_seek_with_an_epoch_is_validated) {
    position_rig r;
    r.fetching_at(10);
    const auto out = r.command(boundary::command::seek{orders, 100, 4});
    EXPECT_EQ(r.state().phase, partition_phase::awaiting_validation);
    ASSERT_EQ(out.requests.size(), 1U);
    r.answer_epoch(out.requests[0], 4, 100);
    EXPECT_EQ(r.state().phase, partition_phase::fetching);
}

TEST(position_inquiry, an_epoch_that_is_not_told_is_no_change_and_the_next_real_one_is_validated) {
    position_rig r;
    r.fetching_at(10, 5);
    r.advance(10, 20);
    for (int i = 0; i < 7; ++i) {
        r.lead(-1, -1);
        EXPECT_TRUE(r.plan().requests.empty());
    }
    r.lead(2, 9);
    EXPECT_EQ(r.state().phase, partition_phase::awaiting_validation);
    const auto out = r.plan();
    ASSERT_EQ(out.requests.size(), 1U);
    EXPECT_EQ(out.requests[0].broker.value(), 2);
    r.answer_epoch(out.requests[0], 5, 20);
    EXPECT_EQ(r.state().phase, partition_phase::fetching);
    EXPECT_EQ(r.state().position->offset, 20);
    EXPECT_EQ(r.state().position->current_epoch.value(), 9);
}

TEST(position_inquiry, a_truncated_log_moves_the_position_to_where_it_parts_if_there_is_a_policy) {
    position_rig r;
    r.fetching_at(10, 5);
    r.advance(10, 20);
    const auto before = r.state().era;
    r.lead(2, 9);
    const auto out = r.plan();
    r.answer_epoch(out.requests[0], 5, 15);
    EXPECT_EQ(r.state().phase, partition_phase::fetching);
    EXPECT_EQ(r.state().position->offset, 15);
    EXPECT_NE(r.state().era, before);
    const auto told = r.plan().notices;
    ASSERT_EQ(told.size(), 1U);
    EXPECT_EQ(std::get<boundary::positions_reset>(told[0]).which,
              (std::vector<position_reset>{{orders, position_reset::cause::log_truncation, 20, 15, {}}}));
}

TEST(position_inquiry, a_truncated_log_is_reported_if_there_is_no_policy) {
    position_rig r(boundary::reset_policy::kind::none, true);
    r.assign({orders});
    r.manager->on_fact(exchange::committed_known{r.state().slot, r.state().era, offset_and_metadata(20, 5), {}},
                       r.time());
    const auto out = r.plan();
    r.answer_epoch(out.requests[0], 4, 15);
    const auto told = r.plan();
    ASSERT_EQ(told.fetched.size(), 1U);
    EXPECT_TRUE(*told.fetched[0].failure == errc::log_truncation);
    EXPECT_EQ(told.fetched[0].failure->about().offset, 15);
    EXPECT_EQ(told.fetched[0].next_offset, 20);
}

TEST(position_inquiry, an_answer_of_a_leader_that_was_replaced_meanwhile_does_not_count) {
    position_rig r;
    r.fetching_at(10, 5);
    r.advance(10, 20);
    r.lead(2, 9);
    const auto first = r.plan();
    r.lead(3, 10);
    const auto second = r.plan();
    ASSERT_EQ(second.requests.size(), 1U);
    EXPECT_EQ(second.requests[0].broker.value(), 3);
    r.answer_epoch(first.requests[0], 5, 12);
    EXPECT_EQ(r.state().phase, partition_phase::awaiting_validation);
    EXPECT_EQ(r.state().position->offset, 20);
    r.answer_epoch(second.requests[0], 5, 20);
    EXPECT_EQ(r.state().phase, partition_phase::fetching);
}

TEST(position_inquiry, a_broker_too_old_to_be_asked_does_not_hold_the_position_up) {
    position_rig r;
    r.network.newest.erase(protocol::api_key::offset_for_leader_epoch);
    r.fetching_at(10);
    r.command(boundary::command::seek{orders, 100, 4});
    EXPECT_EQ(r.state().phase, partition_phase::awaiting_validation);
    r.now = r.wake_at;
    EXPECT_TRUE(r.manager->on_turn(r.time())) << "what was answered last is void";
    EXPECT_EQ(r.state().phase, partition_phase::fetching);
    EXPECT_FALSE(r.manager->on_turn(r.time()));
}

// tickets: B11
TEST(position_inquiry, out_of_range_resets_by_the_policy_and_takes_the_old_offset_back) {
    position_rig r(boundary::reset_policy::kind::earliest, true);
    r.assign({orders});
    r.manager->on_fact(exchange::committed_known{r.state().slot, r.state().era, offset_and_metadata(0), {}}, r.time());
    r.checkpoint(0);
    const auto era = r.state().era;
    r.manager->on_fact(exchange::position_out_of_range{r.state().slot, era, 0, 22, 22}, r.time());
    EXPECT_EQ(r.state().phase, partition_phase::awaiting_reset);
    EXPECT_NE(r.state().era, era);
    EXPECT_FALSE(r.state().processed);
    const auto out = r.plan();
    r.answer(out.requests[0], 22);
    EXPECT_EQ(r.state().position->offset, 22);
}

// What the application is told of resets by `out`.
std::vector<position_reset> told_by(const gathered_outputs& out) {
    std::vector<position_reset> all;
    for (const auto& notice : out.notices) {
        const auto& resets = std::get<boundary::positions_reset>(notice).which;
        all.insert(all.end(), resets.begin(), resets.end());
    }
    return all;
}

TEST(position_inquiry, the_application_hears_where_an_offset_out_of_range_led) {
    position_rig r(boundary::reset_policy::kind::earliest, true);
    r.assign({orders});
    r.manager->on_fact(exchange::committed_known{r.state().slot, r.state().era, offset_and_metadata(3), {}}, r.time());
    r.manager->on_fact(exchange::position_out_of_range{r.state().slot, r.state().era, 3, 22, 40}, r.time());
    const auto out = r.plan();
    EXPECT_TRUE(told_by(out).empty()) << "where it goes on is not known yet";
    r.answer(out.requests[0], 22);
    EXPECT_EQ(told_by(r.plan()),
              (std::vector<position_reset>{{orders, position_reset::cause::out_of_range, 3, 22, 22}}));
}

// tickets: B20
TEST(position_inquiry, the_application_hears_where_the_policy_has_a_group_begin) {
    position_rig r(boundary::reset_policy::kind::latest, true);
    r.assign({orders});
    r.manager->on_fact(exchange::committed_known{r.state().slot, r.state().era, {}, {}}, r.time());
    const auto out = r.plan();
    r.answer(out.requests[0], 17);
    EXPECT_EQ(told_by(r.plan()),
              (std::vector<position_reset>{{orders, position_reset::cause::no_committed_offset, {}, 17, {}}}));
}

TEST(position_inquiry, a_seek_to_an_end_is_no_reset_and_neither_is_a_beginning_without_a_group) {
    position_rig alone;
    alone.fetching_at(5);
    EXPECT_TRUE(told_by(alone.plan()).empty());
    position_rig grouped(boundary::reset_policy::kind::earliest, true);
    grouped.assign({orders});
    grouped.manager->on_fact(exchange::committed_known{grouped.state().slot, grouped.state().era, {}, {}},
                             grouped.time());
    const auto out = grouped.command(boundary::command::seek_to{boundary::command::seek_to::end::end, {orders}});
    grouped.answer(out.requests[0], 40);
    EXPECT_TRUE(told_by(grouped.plan()).empty()) << "the application has decided itself meanwhile";
}

TEST(position_inquiry, out_of_range_without_a_policy_names_partition_offset_and_range) {
    position_rig r(boundary::reset_policy::kind::none);
    r.assign({orders});
    r.command(boundary::command::seek{orders, 5, {}});
    r.manager->on_fact(exchange::position_out_of_range{r.state().slot, r.state().era, 5, 22, 40}, r.time());
    const auto out = r.plan();
    ASSERT_EQ(out.fetched.size(), 1U);
    const auto& failure = *out.fetched[0].failure;
    EXPECT_TRUE(failure == errc::offset_out_of_range);
    EXPECT_EQ(failure.about().offset, 5);
    EXPECT_NE(failure.message().find("22 up to 40"), std::string::npos) << failure.message();
}

TEST(position_inquiry, out_of_range_of_an_earlier_position_changes_nothing) {
    position_rig r;
    r.fetching_at(10);
    r.advance(10, 20);
    r.manager->on_fact(exchange::position_out_of_range{r.state().slot, r.state().era, 10, -1, -1}, r.time());
    EXPECT_EQ(r.state().phase, partition_phase::fetching);
    EXPECT_EQ(r.state().position->offset, 20);
}

// tickets: KAFKA-19781 (C13)
TEST(position_inquiry, nobody_looks_for_the_position_of_what_is_being_given_up) {
    position_rig r;
    const auto first = r.assign({orders});
    r.answer(first.requests[0], 0, -1, broker_error::leader_not_available);
    r.manager->on_fact(exchange::fence_wanted{{orders}}, r.time());
    r.plan();
    r.now += 10s;
    EXPECT_TRUE(r.plan().requests.empty());
}

TEST(position_inquiry, an_unreachable_leader_is_asked_for_once_and_awaited) {
    position_rig r;
    r.network.everywhere = exchange::readiness::state::unknown;
    const auto out = r.assign({orders});
    EXPECT_TRUE(out.requests.empty());
    ASSERT_EQ(out.connections.size(), 1U);
    EXPECT_EQ(out.connections[0].role, exchange::connection_role::control);
    EXPECT_TRUE(r.plan().connections.empty());
    EXPECT_EQ(r.wake_at, base::never);
}

}  // namespace strandline::core::offsets
