#include "core/offsets/position_manager.hpp"

#include <gtest/gtest.h>

#include "core/offsets/position_test_rig.hpp"

namespace strandline::core::offsets {

namespace {

using namespace offsets::test;

}  // namespace

TEST(position_manager, seeks_and_pauses_of_what_is_not_assigned_are_refused) {
    position_rig r;
    for (const auto& out :
         {r.command(boundary::command::seek{orders, 1, {}}), r.command(boundary::command::pause{{orders}}),
          r.command(boundary::command::position{orders})}) {
        ASSERT_EQ(out.completions.size(), 1U);
        EXPECT_TRUE(out.completions[0].outcome.error() == errc::invalid_state);
    }
}

TEST(position_manager, a_position_moves_only_from_where_it_stands) {
    position_rig r;
    r.fetching_at(10);
    r.advance(9, 30);
    EXPECT_EQ(r.state().position->offset, 10);
    r.advance(10, 30);
    EXPECT_EQ(r.state().position->offset, 30);
    EXPECT_EQ(r.state().position->last_epoch.value(), 5);
}

// tickets: (C10)
TEST(position_manager, assigning_by_hand_keeps_what_stays_and_its_pause) {
    position_rig r;
    r.fetching_at(10);
    r.command(boundary::command::pause{{orders}});
    const auto era = r.state().era;
    const auto out = r.assign({orders, bills});
    EXPECT_EQ(r.state().era, era);
    EXPECT_TRUE(r.state().paused);
    EXPECT_EQ(r.state().position->offset, 10);
    ASSERT_EQ(out.updates.size(), 1U);
    EXPECT_EQ(out.updates[0].partition->name, bills);

    const auto gone = r.assign({bills});
    ASSERT_EQ(gone.updates.size(), 1U);
    EXPECT_FALSE(gone.updates[0].assigned);
    EXPECT_EQ(gone.updates[0].era, era);
    EXPECT_EQ(r.manager->view_source().get().find(orders), nullptr);
}

TEST(position_manager, assigning_by_hand_says_which_topics_it_needs_and_what_it_leaves_uncommitted) {
    position_rig r(boundary::reset_policy::kind::earliest, true);
    r.assign({orders, {"orders", 1}, bills});
    auto interest = r.facts.take<exchange::topics_of_interest>();
    ASSERT_EQ(interest.size(), 1U);
    EXPECT_EQ(interest[0].names, (std::vector<std::string>{"bills", "orders"}));
    r.manager->on_fact(exchange::committed_known{r.state().slot, r.state().era, offset_and_metadata(1), {}}, r.time());
    r.checkpoint(8);
    r.assign({});
    const auto left = r.facts.take<exchange::offsets_left>();
    ASSERT_EQ(left.size(), 1U);
    EXPECT_EQ(left[0].which[0].first->name, orders);
    EXPECT_EQ(left[0].which[0].second.offset, 8);
    EXPECT_TRUE(r.facts.take<exchange::topics_of_interest>()[0].names.empty());
}

// A subscription that brokers match by pattern names nothing itself: its topics were forgotten with the next metadata.
TEST(position_manager, what_a_group_assigned_is_of_interest_by_name_as_long_as_it_is_assigned) {
    position_rig r;
    exchange::assignment_changed assigned;
    for (const auto& partition : {orders, {"orders", 1}, bills}) {
        assigned.added.push_back(boundary::make_partition_ref(partition));
    }
    r.manager->on_fact(assigned, r.time());
    auto interest = r.facts.take<exchange::topics_of_interest>();
    ASSERT_EQ(interest.size(), 1U);
    EXPECT_EQ(interest[0].names, (std::vector<std::string>{"bills", "orders"}));
    r.manager->on_fact(exchange::assignment_changed{{}, {{"orders", 1}}, false, false}, r.time());
    EXPECT_TRUE(r.facts.take<exchange::topics_of_interest>().empty()) << "another partition of it stays";
    r.manager->on_fact(exchange::assignment_changed{{}, {orders}, false, false}, r.time());
    interest = r.facts.take<exchange::topics_of_interest>();
    ASSERT_EQ(interest.size(), 1U);
    EXPECT_EQ(interest[0].names, (std::vector<std::string>{"bills"}));
}

// tickets: (C10) M8 B21
TEST(position_manager, resuming_what_was_not_paused_changes_nothing) {
    position_rig r;
    r.fetching_at(10);
    r.facts.seen.clear();
    const auto version = r.manager->view_source().version();
    const auto out = r.command(boundary::command::resume{{orders}});
    EXPECT_EQ(out.completions.size(), 1U);
    EXPECT_TRUE(out.updates.empty());
    EXPECT_TRUE(r.facts.seen.empty());
    EXPECT_EQ(r.manager->view_source().version(), version);
}

TEST(position_manager, position_is_what_is_next_to_process_and_not_what_was_fetched_ahead) {
    position_rig r;
    const auto asked = r.assign({orders});
    EXPECT_TRUE(r.command(boundary::command::position{orders}).completions.empty());
    r.answer(asked.requests[0], 10);
    const auto known = r.plan();
    ASSERT_EQ(known.completions.size(), 1U);
    EXPECT_EQ(std::get<boundary::position_value>(*known.completions[0].outcome).offset, 10);

    r.advance(10, 500);
    auto again = r.command(boundary::command::position{orders});
    EXPECT_EQ(std::get<boundary::position_value>(*again.completions.at(0).outcome).offset, 10);
    r.checkpoint(17);
    again = r.command(boundary::command::position{orders});
    EXPECT_EQ(std::get<boundary::position_value>(*again.completions.at(0).outcome).offset, 17);
}

TEST(position_manager, position_that_stays_unknown_times_out_and_says_what_it_waited_for) {
    position_rig r(boundary::reset_policy::kind::earliest, true);
    r.assign({orders});
    EXPECT_TRUE(r.command(boundary::command::position{orders}, r.now + 1s).completions.empty());
    EXPECT_EQ(r.wake_at, r.now + 1s);
    r.now += 1s;
    const auto out = r.plan();
    ASSERT_EQ(out.completions.size(), 1U);
    EXPECT_TRUE(out.completions[0].outcome.error() == errc::timed_out);
    EXPECT_NE(out.completions[0].outcome.error().message().find("committed"), std::string::npos);
}

TEST(position_manager, a_fence_is_met_when_every_partition_of_it_was_acknowledged) {
    position_rig r(boundary::reset_policy::kind::earliest, true);
    exchange::assignment_changed change;
    change.added = {boundary::make_partition_ref(orders, id_of(1)), boundary::make_partition_ref(bills, id_of(2))};
    r.manager->on_fact(change, r.time());
    r.plan();
    r.manager->on_fact(exchange::fence_wanted{{orders, bills}, 1}, r.time());
    const auto out = r.plan();
    ASSERT_EQ(out.updates.size(), 2U);
    EXPECT_TRUE(out.updates[0].fenced);
    EXPECT_FALSE(r.state().fetchable());
    r.manager->on_fence_acknowledged({r.state(orders).slot, r.state(orders).era}, r.time());
    EXPECT_TRUE(r.facts.take<exchange::fences_met>().empty());
    r.manager->on_fence_acknowledged({r.state(bills).slot, r.state(bills).era}, r.time());
    EXPECT_EQ(r.facts.take<exchange::fences_met>().size(), 1U);

    r.manager->on_fact(exchange::fence_wanted{{{"elsewhere", 1}}, 2}, r.time());
    EXPECT_EQ(r.facts.take<exchange::fences_met>().size(), 1U);
}

TEST(position_manager, a_fence_whose_partitions_are_given_up_is_met_by_the_end_of_the_turn) {
    position_rig r(boundary::reset_policy::kind::earliest, true);
    exchange::assignment_changed change;
    change.added = {boundary::make_partition_ref(orders, id_of(1))};
    r.manager->on_fact(change, r.time());
    r.plan();
    r.manager->on_fact(exchange::fence_wanted{{orders}, 7}, r.time());
    exchange::assignment_changed gone;
    gone.removed = {orders};
    r.manager->on_fact(gone, r.time());
    EXPECT_TRUE(r.facts.take<exchange::fences_met>().empty()) << "no fact follows from giving up";
    r.manager->on_turn(r.time());
    const auto met = r.facts.take<exchange::fences_met>();
    ASSERT_EQ(met.size(), 1U);
    EXPECT_EQ(met[0].ticket, 7U);
}

TEST(position_manager, a_fence_that_nobody_waits_for_is_not_answered) {
    position_rig r;
    r.assign({orders});
    r.manager->on_fact(exchange::fence_wanted{{orders}}, r.time());
    r.manager->on_fence_acknowledged({r.state().slot, r.state().era}, r.time());
    r.manager->on_turn(r.time());
    EXPECT_TRUE(r.facts.take<exchange::fences_met>().empty());
}

TEST(position_manager, a_fence_is_not_met_by_what_was_acknowledged_of_an_earlier_incarnation) {
    position_rig r;
    r.assign({orders});
    const auto earlier = r.state().era;
    r.command(boundary::command::seek{orders, 7, std::nullopt});
    ASSERT_GT(r.state().era, earlier);
    r.manager->on_fact(exchange::fence_wanted{{orders}, 1}, r.time());
    r.manager->on_fence_acknowledged({r.state().slot, earlier}, r.time());
    EXPECT_TRUE(r.facts.take<exchange::fences_met>().empty());
    r.manager->on_fence_acknowledged({r.state().slot, r.state().era}, r.time());
    EXPECT_EQ(r.facts.take<exchange::fences_met>().size(), 1U);
}

// tickets: KAFKA-16107 (C6)
TEST(position_manager, a_partition_is_not_fetched_before_its_callback_is_acknowledged_but_its_position_is_found) {
    position_rig r;
    exchange::assignment_changed change;
    change.added = {boundary::make_partition_ref(orders, id_of(1))};
    change.callback_pending = true;
    r.manager->on_fact(change, r.time());
    const auto out = r.plan();
    EXPECT_TRUE(out.updates[0].callback_pending);
    ASSERT_EQ(out.requests.size(), 1U);
    r.answer(out.requests[0], 3);
    EXPECT_FALSE(r.state().fetchable());
    r.manager->on_fact(exchange::callback_acknowledged{{orders}}, r.time());
    EXPECT_TRUE(r.state().fetchable());
    EXPECT_FALSE(r.plan().updates[0].callback_pending);
}

TEST(position_manager, a_partition_of_a_topic_made_anew_is_another_partition) {
    position_rig r(boundary::reset_policy::kind::earliest, true);
    exchange::assignment_changed change;
    change.added = {boundary::make_partition_ref(orders, id_of(1))};
    r.manager->on_fact(change, r.time());
    const auto era = r.state().era;
    r.plan();
    change.added = {boundary::make_partition_ref(orders, id_of(9))};
    r.manager->on_fact(change, r.time());
    const auto out = r.plan();
    EXPECT_NE(r.state().era, era);
    EXPECT_EQ(r.state().partition->topic_id, id_of(9));
    ASSERT_EQ(out.updates.size(), 2U);
    EXPECT_FALSE(out.updates[0].assigned);
}

TEST(position_manager, a_topic_made_anew_under_a_partition_assigned_by_hand_starts_over) {
    position_rig r;
    r.fetching_at(10);
    r.checkpoint(7);
    const auto era = r.state().era;
    r.know_topic("orders", 2, 1, 0, 9);
    r.manager->on_fact(exchange::leadership_changed{{orders}}, r.time());
    EXPECT_NE(r.state().era, era);
    EXPECT_EQ(r.state().phase, partition_phase::awaiting_reset);
    EXPECT_EQ(r.state().partition->topic_id, id_of(9));
    EXPECT_FALSE(r.state().processed);
}

TEST(position_manager, a_topic_id_that_becomes_known_is_filled_in_and_voids_nothing) {
    position_rig r;
    r.know_topic("orders", 2, 1, 5, 0);
    r.fetching_at(10);
    const auto era = r.state().era;
    r.know_topic("orders", 2, 1, 5, 1);
    r.manager->on_fact(exchange::leadership_changed{{orders}}, r.time());
    EXPECT_EQ(r.state().era, era);
    EXPECT_EQ(r.state().partition->topic_id, id_of(1));
    EXPECT_EQ(r.state().position->offset, 10);
}

TEST(position_manager, a_partition_that_does_not_exist_is_reported_once_and_waited_for) {
    position_rig r;
    const auto out = r.assign({{"orders", 7}});
    EXPECT_TRUE(out.notices.empty());
    r.cluster.change().answers = 2;
    const auto told = r.plan();
    ASSERT_EQ(told.notices.size(), 1U);
    EXPECT_TRUE(std::get<boundary::error_raised>(told.notices[0]).reason == errc::partition_not_found);
    r.cluster.change().answers = 3;
    EXPECT_TRUE(r.plan().notices.empty());
    r.know_topic("orders", 8);
    EXPECT_EQ(r.plan().requests.size(), 1U);
}

// tickets: (F8)
TEST(position_manager, progress_of_an_earlier_incarnation_and_without_an_offset_is_dropped) {
    position_rig r;
    r.fetching_at(10);
    boundary::checkpoint stale;
    stale.changed.push_back({r.state().slot, boundary::incarnation(r.state().era.value() + 1), 99, -1});
    stale.changed.push_back({r.state().slot, r.state().era, -1, -1});
    r.manager->on_checkpoint(stale, r.time());
    EXPECT_FALSE(r.state().processed);
}

TEST(position_manager, a_seek_back_takes_back_what_was_processed_beyond_it_and_a_seek_ahead_does_not) {
    position_rig r;
    r.fetching_at(10);
    r.checkpoint(50);
    r.command(boundary::command::seek{orders, 80, {}});
    EXPECT_EQ(r.state().processed->offset, 50);
    r.command(boundary::command::seek{orders, 20, {}});
    EXPECT_EQ(r.state().processed->offset, 20);
}

TEST(position_manager, what_is_not_committed_yet_is_listed) {
    position_rig r(boundary::reset_policy::kind::earliest, true);
    r.assign({orders});
    r.manager->on_fact(exchange::committed_known{r.state().slot, r.state().era, offset_and_metadata(5), {}}, r.time());
    const auto& uncommitted = r.manager->view_source().get().uncommitted;
    r.checkpoint(5);
    EXPECT_TRUE(uncommitted.empty());
    r.checkpoint(6);
    EXPECT_TRUE(uncommitted.contains(r.state().slot));
    r.manager->on_fact(exchange::offsets_committed{{{r.state().slot, offset_and_metadata(6)}}}, r.time());
    EXPECT_TRUE(uncommitted.empty());
}

TEST(position_manager, a_partition_that_failed_stands_until_a_seek) {
    position_rig r;
    r.fetching_at(10);
    r.manager->on_fact(exchange::partition_failed{r.state().slot, r.state().era, error(errc::corrupt_record, "bad")},
                       r.time());
    EXPECT_EQ(r.state().phase, partition_phase::stopped);
    EXPECT_TRUE(r.plan().fetched.empty());
    r.command(boundary::command::seek{orders, 11, {}});
    EXPECT_EQ(r.state().phase, partition_phase::fetching);
    EXPECT_FALSE(r.state().failure);
}

TEST(position_manager, replacing_the_subscription_drops_what_was_assigned_by_hand) {
    position_rig r;
    r.fetching_at(10);
    r.manager->on_fact(exchange::subscription_replaced{false}, r.time());
    EXPECT_TRUE(r.manager->view_source().get().slots().empty());
    EXPECT_FALSE(r.manager->view_source().get().by_hand);
    EXPECT_FALSE(r.plan().updates.at(0).assigned);
}

TEST(position_manager, data_that_was_given_back_is_fetched_again_in_the_same_incarnation) {
    position_rig r;
    r.fetching_at(10);
    r.advance(10, 30);
    r.checkpoint(15);
    const auto era = r.state().era;
    r.facts.take<exchange::partition_changed>();
    r.manager->on_given_back({r.state().slot, era, 30, 20}, r.time());
    EXPECT_EQ(r.state().position->offset, 20);
    EXPECT_EQ(r.state().era, era);
    EXPECT_EQ(r.state().processed->offset, 15);
    EXPECT_EQ(r.facts.take<exchange::partition_changed>().size(), 1U);

    r.advance(20, 30);
    EXPECT_EQ(r.state().position->offset, 30);
    r.manager->on_given_back({r.state().slot, boundary::incarnation(era.value() - 1), 30, 20}, r.time());
    EXPECT_EQ(r.state().position->offset, 30) << "of an earlier incarnation";
    r.manager->on_given_back({r.state().slot, era, 50, 40}, r.time());
    EXPECT_EQ(r.state().position->offset, 30) << "nothing lies there";
}

TEST(position_manager, only_pages_with_a_changed_partition_are_made_anew) {
    position_rig r;
    r.know_topic("orders", 130);
    partitions many;
    for (std::int32_t index = 0; index < 130; ++index) many.push_back({"orders", index});
    r.assign(many);
    const auto before = *r.manager->pages();
    ASSERT_EQ(before.size(), 3U);
    EXPECT_EQ(before[0]->partitions.size(), 64U);
    EXPECT_EQ(before[2]->partitions.size(), 2U);
    r.command(boundary::command::seek{{"orders", 70}, 4, {}});
    const auto after = *r.manager->pages();
    EXPECT_EQ(after[0], before[0]);
    EXPECT_NE(after[1], before[1]);
    EXPECT_EQ(after[2], before[2]);
    EXPECT_EQ(after[1]->partitions[6].position->offset, 4);
    EXPECT_NE(before[1]->partitions[6].position, after[1]->partitions[6].position);
}

}  // namespace strandline::core::offsets
