#include "core/offsets/position_manager.hpp"

#include <gtest/gtest.h>

#include "core/exchange/manager_test_rig.hpp"
#include "protocol/messages/list_offsets.hpp"
#include "protocol/messages/offset_for_leader_epoch.hpp"

namespace strandline::core::offsets {

namespace {

using namespace exchange::test;
using exchange::partition_phase;
using protocol::broker_error;
using protocol::messages::list_offsets_request;
using protocol::messages::list_offsets_response;
using protocol::messages::offset_for_leader_epoch_request;
using protocol::messages::offset_for_leader_epoch_response;

const topic_partition orders{"orders", 0};
const topic_partition bills{"bills", 0};
constexpr boundary::operation_token token{77};

struct rig : manager_test_rig {
    explicit rig(boundary::reset_policy::kind policy = boundary::reset_policy::kind::earliest, bool in_group = false) {
        config.auto_offset_reset.what = policy;
        config.auto_offset_reset.ago = 1h;
        if (in_group) config.group_id = "billing";
        know_topic("orders", 2);
        know_topic("bills", 1, 2, 7, 2);
        manager.emplace(*context, connections, cluster);
    }

    gathered_outputs plan() { return manager_test_rig::plan(*manager); }
    const exchange::partition_state& state(const topic_partition& partition = orders) {
        return *manager->view_source().get().find(partition);
    }
    template <class Command>
    gathered_outputs command(const Command& what, base::instant deadline = base::never) {
        manager->on_command(what, token, deadline, time());
        return plan();
    }
    gathered_outputs assign(const partitions& wanted) { return command(boundary::command::assign{wanted}); }
    // Assigned by hand and standing at `offset`, reached with epoch `last_epoch`.
    void fetching_at(std::int64_t offset, std::int32_t last_epoch = -1) {
        const auto asked = assign({orders});
        ASSERT_EQ(asked.requests.size(), 1U);
        answer(asked.requests[0], offset, last_epoch);
        plan();
        ASSERT_EQ(state().phase, partition_phase::fetching);
    }
    void answer(const exchange::outbound_request& request, std::int64_t offset, std::int32_t epoch = -1,
                broker_error failure = broker_error::none) {
        list_offsets_response response;
        for (const auto& topic : request.body.get_if<list_offsets_request>()->topics) {
            auto& answered = response.topics.emplace_back();
            answered.name = topic.name;
            for (const auto& partition : topic.partitions) {
                answered.partitions.push_back(
                    {partition.partition_index, failure, -1, offset, protocol::leader_epoch(epoch), {}});
            }
        }
        manager->on_response(answer_to(request, response), time());
    }
    void answer_epoch(const exchange::outbound_request& request, std::int32_t epoch, std::int64_t end_offset,
                      broker_error failure = broker_error::none) {
        offset_for_leader_epoch_response response;
        auto& topic = response.topics.emplace_back();
        topic.topic = "orders";
        topic.partitions.push_back(
            {failure, protocol::partition_index(0), protocol::leader_epoch(epoch), end_offset, {}});
        manager->on_response(answer_to(request, response), time());
    }
    void advance(std::int64_t from, std::int64_t to, std::int32_t epoch = 5) {
        exchange::position_advanced fact;
        fact.slot = state().slot;
        fact.era = state().era;
        fact.from = from;
        fact.to = to;
        fact.last_epoch = protocol::leader_epoch(epoch);
        manager->on_fact(fact, time());
    }
    void lead(std::int32_t leader, std::int32_t epoch) {
        auto& partition = cluster.change().topics.at("orders").partitions[0];
        partition.leader = protocol::broker_id(leader);
        partition.epoch = protocol::leader_epoch(epoch);
        manager->on_fact(exchange::leadership_changed{orders}, time());
    }
    void checkpoint(std::int64_t processed) {
        boundary::checkpoint checkpoint;
        checkpoint.changed.push_back({state().slot, state().era, processed, 5});
        manager->on_checkpoint(checkpoint, time());
    }

    std::optional<position_manager> manager;
};

const list_offsets_request& list_offsets_of(const exchange::outbound_request& request) {
    return *request.body.get_if<list_offsets_request>();
}

}  // namespace

TEST(position_manager, a_partition_without_a_group_starts_where_its_reset_policy_says) {
    rig r;
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

TEST(position_manager, resets_are_asked_of_each_leader_in_one_request) {
    rig r;
    const auto out = r.assign({orders, {"orders", 1}, bills});
    ASSERT_EQ(out.requests.size(), 2U);
    EXPECT_EQ(out.requests[0].broker.value(), 1);
    EXPECT_EQ(list_offsets_of(out.requests[0]).topics[0].partitions.size(), 2U);
    EXPECT_EQ(out.requests[1].broker.value(), 2);
}

TEST(position_manager,
     by_duration_asks_for_a_time_before_now_and_asks_again_after_a_backoff_while_nothing_is_that_young) {
    rig r(boundary::reset_policy::kind::by_duration);
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

TEST(position_manager, an_error_is_no_reason_to_start_elsewhere) {
    rig r;
    const auto first = r.assign({orders});
    r.answer(first.requests[0], 0, -1, broker_error::not_leader_or_follower);
    EXPECT_EQ(r.state().phase, partition_phase::awaiting_reset);
    EXPECT_EQ(r.facts.take<exchange::metadata_stale>().size(), 1U);
    EXPECT_TRUE(r.plan().requests.empty());
    r.now = r.wake_at;
    EXPECT_EQ(r.plan().requests.size(), 1U);
}

TEST(position_manager, a_group_looks_for_its_committed_offset_first) {
    rig r(boundary::reset_policy::kind::earliest, true);
    EXPECT_TRUE(r.assign({orders}).requests.empty());
    EXPECT_EQ(r.state().phase, partition_phase::awaiting_committed);
    const auto wanted = r.facts.take<exchange::committed_wanted>();
    ASSERT_EQ(wanted.size(), 1U);
    EXPECT_EQ(wanted[0].which, (std::vector{std::pair(r.state().slot, r.state().era)}));

    r.manager->on_fact(exchange::committed_known{r.state().slot, r.state().era, offset_and_metadata(9), {}}, r.time());
    EXPECT_EQ(r.state().phase, partition_phase::fetching);
    EXPECT_EQ(r.state().position->offset, 9);
}

TEST(position_manager, a_committed_offset_with_an_epoch_is_validated_before_it_is_fetched_from) {
    rig r(boundary::reset_policy::kind::earliest, true);
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

TEST(position_manager, without_a_committed_offset_and_without_a_policy_the_partition_stands_and_says_so_once) {
    rig r(boundary::reset_policy::kind::none, true);
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

TEST(position_manager, a_failed_look_up_stops_the_partition_and_never_resets_it) {
    rig r(boundary::reset_policy::kind::latest, true);
    r.assign({orders});
    r.manager->on_fact(exchange::committed_known{r.state().slot, r.state().era, {}, error(errc::timed_out, "no")},
                       r.time());
    EXPECT_EQ(r.state().phase, partition_phase::stopped);
    EXPECT_TRUE(r.plan().requests.empty());
}

TEST(position_manager, a_seek_is_not_undone_by_an_answer_that_comes_late) {
    rig r(boundary::reset_policy::kind::earliest, true);
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

    rig late;
    const auto asked = late.assign({orders});
    late.command(boundary::command::seek{orders, 100, {}});
    late.answer(asked.requests[0], 7);
    EXPECT_EQ(late.state().position->offset, 100);
}

TEST(position_manager, a_seek_to_an_end_looks_it_up_and_the_newest_seek_wins) {
    rig r;
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

TEST(position_manager, a_seek_with_an_epoch_is_validated) {
    rig r;
    r.fetching_at(10);
    const auto out = r.command(boundary::command::seek{orders, 100, 4});
    EXPECT_EQ(r.state().phase, partition_phase::awaiting_validation);
    ASSERT_EQ(out.requests.size(), 1U);
    r.answer_epoch(out.requests[0], 4, 100);
    EXPECT_EQ(r.state().phase, partition_phase::fetching);
}

TEST(position_manager, seeks_and_pauses_of_what_is_not_assigned_are_refused) {
    rig r;
    for (const auto& out :
         {r.command(boundary::command::seek{orders, 1, {}}), r.command(boundary::command::pause{{orders}}),
          r.command(boundary::command::position{orders})}) {
        ASSERT_EQ(out.completions.size(), 1U);
        EXPECT_TRUE(out.completions[0].outcome.error() == errc::invalid_state);
    }
    r.fetching_at(1);
    const auto negative = r.command(boundary::command::seek{orders, -1, {}});
    EXPECT_TRUE(negative.completions[0].outcome.error() == errc::invalid_argument);
}

// B14: leader -1 and epoch -1 mean "not told"; the epoch that counts is the last real one.
TEST(position_manager, an_epoch_that_is_not_told_is_no_change_and_the_next_real_one_is_validated) {
    rig r;
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

TEST(position_manager, a_truncated_log_moves_the_position_to_where_it_parts_if_there_is_a_policy) {
    rig r;
    r.fetching_at(10, 5);
    r.advance(10, 20);
    const auto before = r.state().era;
    r.lead(2, 9);
    const auto out = r.plan();
    r.answer_epoch(out.requests[0], 5, 15);
    EXPECT_EQ(r.state().phase, partition_phase::fetching);
    EXPECT_EQ(r.state().position->offset, 15);
    EXPECT_NE(r.state().era, before);
}

TEST(position_manager, a_truncated_log_is_reported_if_there_is_no_policy) {
    rig r(boundary::reset_policy::kind::none, true);
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

TEST(position_manager, an_answer_of_a_leader_that_was_replaced_meanwhile_does_not_count) {
    rig r;
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

TEST(position_manager, a_broker_too_old_to_be_asked_does_not_hold_the_position_up) {
    rig r;
    r.network.newest.erase(protocol::api_key::offset_for_leader_epoch);
    r.fetching_at(10);
    r.command(boundary::command::seek{orders, 100, 4});
    EXPECT_EQ(r.state().phase, partition_phase::awaiting_validation);
    r.now = r.wake_at;
    r.manager->on_turn(r.time());
    EXPECT_EQ(r.state().phase, partition_phase::fetching);
}

// B11: committed 0, the log begins at 22.
TEST(position_manager, out_of_range_resets_by_the_policy_and_takes_the_old_offset_back) {
    rig r(boundary::reset_policy::kind::earliest, true);
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

TEST(position_manager, out_of_range_without_a_policy_names_partition_offset_and_range) {
    rig r(boundary::reset_policy::kind::none);
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

TEST(position_manager, out_of_range_of_an_earlier_position_changes_nothing) {
    rig r;
    r.fetching_at(10);
    r.advance(10, 20);
    r.manager->on_fact(exchange::position_out_of_range{r.state().slot, r.state().era, 10, -1, -1}, r.time());
    EXPECT_EQ(r.state().phase, partition_phase::fetching);
    EXPECT_EQ(r.state().position->offset, 20);
}

TEST(position_manager, a_position_moves_only_from_where_it_stands) {
    rig r;
    r.fetching_at(10);
    r.advance(9, 30);
    EXPECT_EQ(r.state().position->offset, 10);
    r.advance(10, 30);
    EXPECT_EQ(r.state().position->offset, 30);
    EXPECT_EQ(r.state().position->last_epoch.value(), 5);
}

TEST(position_manager, assigning_by_hand_keeps_what_stays_and_its_pause) {
    rig r;
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
    rig r(boundary::reset_policy::kind::earliest, true);
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

// B21
TEST(position_manager, resuming_what_was_not_paused_changes_nothing) {
    rig r;
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
    rig r;
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
    rig r(boundary::reset_policy::kind::earliest, true);
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
    rig r(boundary::reset_policy::kind::earliest, true);
    exchange::assignment_changed change;
    change.added = {{orders, id_of(1)}, {bills, id_of(2)}};
    r.manager->on_fact(change, r.time());
    r.plan();
    r.manager->on_fact(exchange::fence_wanted{{orders, bills}}, r.time());
    const auto out = r.plan();
    ASSERT_EQ(out.updates.size(), 2U);
    EXPECT_TRUE(out.updates[0].fenced);
    EXPECT_FALSE(r.state().fetchable());
    r.manager->on_fence_acknowledged({r.state(orders).slot, r.state(orders).era}, r.time());
    EXPECT_TRUE(r.facts.take<exchange::fences_met>().empty());
    r.manager->on_fence_acknowledged({r.state(bills).slot, r.state(bills).era}, r.time());
    EXPECT_EQ(r.facts.take<exchange::fences_met>().size(), 1U);

    r.manager->on_fact(exchange::fence_wanted{{{"elsewhere", 1}}}, r.time());
    EXPECT_EQ(r.facts.take<exchange::fences_met>().size(), 1U);
}

TEST(position_manager, nobody_looks_for_the_position_of_what_is_being_given_up) {
    rig r;
    const auto first = r.assign({orders});
    r.answer(first.requests[0], 0, -1, broker_error::leader_not_available);
    r.manager->on_fact(exchange::fence_wanted{{orders}}, r.time());
    r.plan();
    r.now += 10s;
    EXPECT_TRUE(r.plan().requests.empty());
}

TEST(position_manager, a_partition_is_not_fetched_before_its_callback_is_acknowledged_but_its_position_is_found) {
    rig r;
    exchange::assignment_changed change;
    change.added = {{orders, id_of(1)}};
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
    rig r(boundary::reset_policy::kind::earliest, true);
    exchange::assignment_changed change;
    change.added = {{orders, id_of(1)}};
    r.manager->on_fact(change, r.time());
    const auto era = r.state().era;
    r.plan();
    change.added = {{orders, id_of(9)}};
    r.manager->on_fact(change, r.time());
    const auto out = r.plan();
    EXPECT_NE(r.state().era, era);
    EXPECT_EQ(r.state().partition->topic_id, id_of(9));
    ASSERT_EQ(out.updates.size(), 2U);
    EXPECT_FALSE(out.updates[0].assigned);
}

TEST(position_manager, a_topic_made_anew_under_a_partition_assigned_by_hand_starts_over) {
    rig r;
    r.fetching_at(10);
    r.checkpoint(7);
    const auto era = r.state().era;
    r.know_topic("orders", 2, 1, 0, 9);
    r.manager->on_fact(exchange::leadership_changed{orders}, r.time());
    EXPECT_NE(r.state().era, era);
    EXPECT_EQ(r.state().phase, partition_phase::awaiting_reset);
    EXPECT_EQ(r.state().partition->topic_id, id_of(9));
    EXPECT_FALSE(r.state().processed);
}

TEST(position_manager, a_topic_id_that_becomes_known_is_filled_in_and_voids_nothing) {
    rig r;
    r.know_topic("orders", 2, 1, 5, 0);
    r.fetching_at(10);
    const auto era = r.state().era;
    r.know_topic("orders", 2, 1, 5, 1);
    r.manager->on_fact(exchange::leadership_changed{orders}, r.time());
    EXPECT_EQ(r.state().era, era);
    EXPECT_EQ(r.state().partition->topic_id, id_of(1));
    EXPECT_EQ(r.state().position->offset, 10);
}

TEST(position_manager, a_partition_that_does_not_exist_is_reported_once_and_waited_for) {
    rig r;
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

TEST(position_manager, progress_of_an_earlier_incarnation_and_without_an_offset_is_dropped) {
    rig r;
    r.fetching_at(10);
    boundary::checkpoint stale;
    stale.changed.push_back({r.state().slot, boundary::incarnation(r.state().era.value() + 1), 99, -1});
    stale.changed.push_back({r.state().slot, r.state().era, -1, -1});
    r.manager->on_checkpoint(stale, r.time());
    EXPECT_FALSE(r.state().processed);
}

TEST(position_manager, a_seek_back_takes_back_what_was_processed_beyond_it_and_a_seek_ahead_does_not) {
    rig r;
    r.fetching_at(10);
    r.checkpoint(50);
    r.command(boundary::command::seek{orders, 80, {}});
    EXPECT_EQ(r.state().processed->offset, 50);
    r.command(boundary::command::seek{orders, 20, {}});
    EXPECT_EQ(r.state().processed->offset, 20);
}

TEST(position_manager, what_is_not_committed_yet_is_listed) {
    rig r(boundary::reset_policy::kind::earliest, true);
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
    rig r;
    r.fetching_at(10);
    r.manager->on_fact(exchange::partition_failed{r.state().slot, r.state().era, error(errc::corrupt_record, "bad")},
                       r.time());
    EXPECT_EQ(r.state().phase, partition_phase::stopped);
    EXPECT_TRUE(r.plan().fetched.empty());
    r.command(boundary::command::seek{orders, 11, {}});
    EXPECT_EQ(r.state().phase, partition_phase::fetching);
    EXPECT_FALSE(r.state().failure);
}

TEST(position_manager, an_unreachable_leader_is_asked_for_once_and_awaited) {
    rig r;
    r.network.everywhere = exchange::readiness::state::unknown;
    const auto out = r.assign({orders});
    EXPECT_TRUE(out.requests.empty());
    ASSERT_EQ(out.connections.size(), 1U);
    EXPECT_EQ(out.connections[0].role, exchange::connection_role::control);
    EXPECT_TRUE(r.plan().connections.empty());
    EXPECT_EQ(r.wake_at, base::never);
}

TEST(position_manager, replacing_the_subscription_drops_what_was_assigned_by_hand) {
    rig r;
    r.fetching_at(10);
    r.manager->on_fact(exchange::subscription_replaced{false}, r.time());
    EXPECT_TRUE(r.manager->view_source().get().slots.empty());
    EXPECT_FALSE(r.manager->view_source().get().by_hand);
    EXPECT_FALSE(r.plan().updates.at(0).assigned);
}

TEST(position_manager, only_pages_with_a_changed_partition_are_made_anew) {
    rig r;
    r.know_topic("orders", 130);
    partitions many;
    for (std::int32_t index = 0; index < 130; ++index) many.push_back({"orders", index});
    r.assign(many);
    const auto before = r.manager->pages();
    ASSERT_EQ(before.size(), 3U);
    EXPECT_EQ(before[0]->partitions.size(), 64U);
    EXPECT_EQ(before[2]->partitions.size(), 2U);
    r.command(boundary::command::seek{{"orders", 70}, 4, {}});
    const auto after = r.manager->pages();
    EXPECT_EQ(after[0], before[0]);
    EXPECT_NE(after[1], before[1]);
    EXPECT_EQ(after[2], before[2]);
    EXPECT_EQ(after[1]->partitions[6].fetch_position, offset_and_metadata(4));
}

}  // namespace strandline::core::offsets
