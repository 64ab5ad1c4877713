// What becomes of what a broker answers about a partition.
#include "core/fetch/fetch_digest.hpp"

#include <gtest/gtest.h>

#include "core/fetch/fetch_test_rig.hpp"

namespace strandline::core::fetch {

namespace {

using namespace fetch::test;

}  // namespace

TEST(fetch_digest, a_verified_answer_becomes_a_completed_fetch_and_moves_the_position) {
    rig r;
    r.place(0, 10);
    const auto out = r.plan();
    r.answer(out.requests[0], 9, {data_at(0, records_at(10, 3), 100)});
    const auto next = r.settle();
    ASSERT_EQ(next.fetched.size(), 1U);
    const auto& fetched = next.fetched[0];
    EXPECT_EQ(fetched.slot, r.state(0).slot);
    EXPECT_EQ(fetched.from_offset, 10);
    EXPECT_EQ(fetched.next_offset, 13);
    EXPECT_EQ(fetched.next_leader_epoch, 5);
    EXPECT_EQ(fetched.high_watermark, 100);
    EXPECT_EQ(fetched.batches, records_at(10, 3));
    EXPECT_FALSE(fetched.failure);
    EXPECT_EQ(r.state(0).position->offset, 13);
    // The next fetch goes out with the same turn, within the session and with what changed only.
    ASSERT_EQ(next.requests.size(), 1U);
    const auto& asked = fetch_of(next.requests[0]);
    EXPECT_EQ(asked.session_id, 9);
    EXPECT_EQ(asked.session_epoch.value(), 1);
    EXPECT_EQ(offsets_of(asked), (std::map<std::int32_t, std::int64_t>{{0, 13}}));
}

TEST(fetch_digest, a_position_in_the_compacted_tail_of_a_batch_moves_past_the_whole_batch) {
    rig r;
    r.place(0, 104);
    auto out = r.plan();
    r.answer(out.requests[0], 9, {data_at(0, compacted(100, 4, 109), 200)});
    out = r.settle();
    ASSERT_EQ(out.fetched.size(), 1U);
    EXPECT_EQ(out.fetched[0].from_offset, 104);
    EXPECT_EQ(out.fetched[0].next_offset, 110);
    EXPECT_EQ(offsets_of(fetch_of(out.requests[0])), (std::map<std::int32_t, std::int64_t>{{0, 110}}));
    // An empty batch moves it as well.
    r.answer(out.requests[0], 9, {data_at(0, compacted(110, 0, 119), 200)});
    out = r.settle();
    EXPECT_EQ(out.fetched.at(0).next_offset, 120);
}

TEST(fetch_digest, a_batch_that_was_cut_is_fetched_again_with_room_for_it) {
    rig r;
    r.place(0, 10);
    auto out = r.plan();
    const auto whole = records_at(10, 3, 2'000'000);
    r.answer(out.requests[0], 9, {data_at(0, whole.slice(0, 5000), 100)});
    out = r.settle();
    EXPECT_TRUE(out.fetched.empty());
    ASSERT_EQ(out.requests.size(), 1U);
    const auto& asked = fetch_of(out.requests[0]).topics.at(0).partitions.at(0);
    EXPECT_EQ(asked.fetch_offset, 10);
    EXPECT_GE(static_cast<std::size_t>(asked.partition_max_bytes), whole.size());
    r.answer(out.requests[0], 9, {data_at(0, whole, 100)});
    out = r.settle();
    EXPECT_EQ(out.fetched.at(0).next_offset, 13);
    r.drain(out.fetched[0]);
    out = r.settle();
    EXPECT_EQ(fetch_of(out.requests.at(0)).topics.at(0).partitions.at(0).partition_max_bytes,
              r.config.max_partition_fetch_bytes);
}

TEST(fetch_digest, whole_batches_before_a_cut_one_are_delivered) {
    rig r;
    r.place(0, 10);
    const auto out = r.plan();
    r.answer(out.requests[0], 9, {data_at(0, joined(records_at(10, 3), records_at(13, 3).slice(0, 70)), 100)});
    const auto next = r.settle();
    ASSERT_EQ(next.fetched.size(), 1U);
    EXPECT_EQ(next.fetched[0].batches, records_at(10, 3));
    EXPECT_EQ(next.fetched[0].next_offset, 13);
}

TEST(fetch_digest, a_corrupt_batch_is_fetched_once_more_and_then_ends_its_partition_but_no_other) {
    rig r;
    r.place(0, 10);
    r.place(1, 0);
    auto out = r.plan();
    const auto bad = joined(records_at(10, 2), corrupted(records_at(12, 2)));
    r.answer(out.requests[0], 9, {data_at(0, bad, 100), data_at(1, records_at(0, 1), 100)});
    out = r.settle();
    ASSERT_EQ(out.fetched.size(), 2U);
    EXPECT_EQ(out.fetched[0].next_offset, 12);
    EXPECT_FALSE(out.fetched[0].failure);
    EXPECT_EQ(offsets_of(fetch_of(out.requests.at(0))), (std::map<std::int32_t, std::int64_t>{{1, 1}}));

    // After a back-off it is asked for again.
    r.answer(out.requests[0], 9, {});
    r.now += 200ms;
    out = r.settle();
    EXPECT_EQ(offsets_of(fetch_of(out.requests.at(0))), (std::map<std::int32_t, std::int64_t>{{0, 12}}));
    r.answer(out.requests[0], 9, {data_at(0, corrupted(records_at(12, 2)), 100), data_at(1, records_at(1, 1), 100)});
    out = r.settle();
    ASSERT_EQ(out.fetched.size(), 2U);
    ASSERT_TRUE(out.fetched[0].failure);
    EXPECT_TRUE(*out.fetched[0].failure == errc::corrupt_record);
    EXPECT_EQ(out.fetched[0].failure->about().offset, 12);
    EXPECT_EQ(out.fetched[0].next_offset, 12);
    EXPECT_EQ(out.fetched[1].next_offset, 2);
    EXPECT_EQ(r.facts.take<exchange::partition_failed>().size(), 1U);
}

TEST(fetch_digest, a_second_attempt_that_succeeds_goes_on) {
    rig r;
    r.place(0, 10);
    auto out = r.plan();
    r.answer(out.requests[0], 9, {data_at(0, corrupted(records_at(10, 2)), 100)});
    EXPECT_TRUE(r.settle().fetched.empty());
    r.now += 200ms;
    out = r.plan();
    r.answer(out.requests.at(0), 9, {data_at(0, records_at(10, 2), 100)});
    EXPECT_FALSE(r.settle().fetched.at(0).failure);
    EXPECT_TRUE(r.facts.take<exchange::partition_failed>().empty());
}

TEST(fetch_digest, records_beyond_the_high_watermark_are_not_believed) {
    rig r;
    r.place(0, 10);
    const auto out = r.plan();
    r.answer(out.requests[0], 9, {data_at(0, records_at(10, 3), 12)});
    EXPECT_TRUE(r.settle().fetched.empty());
    EXPECT_EQ(r.state(0).position->offset, 10);
}

TEST(fetch_digest, checksums_are_not_looked_at_if_the_user_says_so) {
    rig r;
    r.config.check_crcs = false;
    r.place(0, 10);
    const auto out = r.plan();
    r.answer(out.requests[0], 9, {data_at(0, corrupted(records_at(10, 2)), 100)});
    EXPECT_EQ(r.settle().fetched.size(), 1U);
}

TEST(fetch_digest, aborted_transactions_travel_with_the_batches) {
    rig r;
    r.place(0, 1);
    const auto out = r.plan();
    auto data = data_at(
        0, joined(records_at(1, 2), records::make_transaction_marker(records::control_record_type::abort, 3, 7, 0)),
        100);
    data.aborted_transactions->push_back({protocol::producer_id(7), 1, {}});
    r.answer(out.requests[0], 9, {data});
    const auto next = r.settle();
    ASSERT_EQ(next.fetched.size(), 1U);
    EXPECT_EQ(next.fetched[0].aborted, (std::vector<records::aborted_transaction>{{7, 1}}));
    EXPECT_EQ(next.fetched[0].next_offset, 4);
    EXPECT_EQ(next.fetched[0].isolation, boundary::isolation_level::read_committed);
}

// tickets: M10
TEST(fetch_digest, a_leader_that_moved_is_told_to_whoever_keeps_the_metadata_and_asked_again_later) {
    rig r;
    r.place(0, 10);
    const auto out = r.plan();
    auto data = data_at(0, {}, -1);
    data.error_code = broker_error::not_leader_or_follower;
    data.current_leader = {protocol::broker_id(2), protocol::leader_epoch(6), {}};
    fetch_response response;
    response.session_id = 9;
    response.responses = {{"", id_of(1), {data}, {}}};
    response.node_endpoints = {{protocol::broker_id(2), "elsewhere", 9093, "b", {}}};
    r.manager->on_response(answer_to(out.requests[0], response), r.time());
    const auto hints = r.facts.take<exchange::leader_hint>();
    ASSERT_EQ(hints.size(), 1U);
    EXPECT_EQ(hints[0].leader.value(), 2);
    EXPECT_EQ(hints[0].epoch.value(), 6);
    EXPECT_EQ(hints[0].address, (boundary::host_port{"elsewhere", 9093}));
    EXPECT_EQ(r.facts.take<exchange::metadata_stale>().size(), 1U);
    EXPECT_TRUE(r.settle().requests.empty());

    r.lead(0, 2, 6);
    r.now += 200ms;
    const auto next = r.settle();
    ASSERT_EQ(next.requests.size(), 1U);
    EXPECT_EQ(next.requests[0].broker.value(), 2);
}

// tickets: B84
TEST(fetch_digest, errors_about_leadership_hold_one_partition_off_and_not_the_others) {
    for (const auto why :
         {broker_error::unknown_topic_or_partition, broker_error::not_leader_or_follower,
          broker_error::replica_not_available, broker_error::kafka_storage_error, broker_error::fenced_leader_epoch,
          broker_error::unknown_leader_epoch, broker_error::offset_not_available, broker_error::unknown_topic_id,
          broker_error::inconsistent_topic_id, broker_error::unknown_server_error}) {
        rig r;
        r.place(0, 10);
        r.place(1, 20);
        auto out = r.plan();
        auto data = data_at(0, {}, -1);
        data.error_code = why;
        r.answer(out.requests[0], 9, {data, data_at(1, records_at(20, 1), 100)});
        out = r.settle();
        EXPECT_EQ(out.fetched.size(), 1U) << why;
        ASSERT_EQ(out.requests.size(), 1U) << why;
        EXPECT_EQ(offsets_of(fetch_of(out.requests[0])), (std::map<std::int32_t, std::int64_t>{{1, 21}})) << why;
        EXPECT_EQ(r.state(0).phase, exchange::partition_phase::fetching);
    }
}

TEST(fetch_digest, a_partition_that_is_held_off_is_asked_for_when_its_time_has_come) {
    rig r;
    r.place(0, 10);
    const auto out = r.plan();
    auto data = data_at(0, {}, -1);
    data.error_code = broker_error::offset_not_available;
    r.answer(out.requests[0], 9, {data});
    EXPECT_TRUE(r.settle().requests.empty());
    ASSERT_LE(r.wake_at, r.now + 1s);
    r.now = r.wake_at;
    EXPECT_EQ(r.settle().requests.size(), 1U);
}

TEST(fetch_digest, a_refusal_of_permission_ends_the_partition_with_the_brokers_word) {
    rig r;
    r.place(0, 10);
    const auto out = r.plan();
    auto data = data_at(0, {}, -1);
    data.error_code = broker_error::topic_authorization_failed;
    r.answer(out.requests[0], 9, {data});
    EXPECT_EQ(r.facts.take<exchange::partition_failed>().size(), 1U);
    const auto next = r.settle();
    ASSERT_EQ(next.fetched.size(), 1U);
    EXPECT_EQ(next.fetched[0].failure->code().value(), 29);
}

TEST(fetch_digest, out_of_range_from_the_leader_is_told_to_whoever_keeps_positions) {
    rig r;
    r.place(0, 10);
    const auto out = r.plan();
    auto data = data_at(0, {}, -1);
    data.error_code = broker_error::offset_out_of_range;
    r.answer(out.requests[0], 9, {data});
    const auto told = r.facts.take<exchange::position_out_of_range>();
    ASSERT_EQ(told.size(), 1U);
    EXPECT_EQ(told[0].offset, 10);
}

// tickets: M11 B13
TEST(fetch_digest, out_of_range_from_a_follower_proves_nothing_the_leader_is_asked_at_the_same_offset) {
    rig r;
    r.config.client_rack = "a";
    r.place(0, 10);
    auto out = r.plan();
    EXPECT_EQ(fetch_of(out.requests[0]).rack_id, "a");
    auto data = data_at(0, {}, 100);
    data.preferred_read_replica = protocol::broker_id(3);
    r.answer(out.requests[0], 9, {data});
    out = r.settle();
    ASSERT_EQ(out.requests.size(), 1U);
    EXPECT_EQ(out.requests[0].broker.value(), 3);
    EXPECT_EQ(offsets_of(fetch_of(out.requests[0])), (std::map<std::int32_t, std::int64_t>{{0, 10}}));

    data = data_at(0, {}, -1);
    data.error_code = broker_error::offset_out_of_range;
    r.answer(out.requests[0], 4, {data});
    EXPECT_TRUE(r.facts.take<exchange::position_out_of_range>().empty());
    out = r.settle();
    ASSERT_EQ(out.requests.size(), 1U);
    EXPECT_EQ(out.requests[0].broker.value(), 1);
    // Its session still has the partition, at the very same offset.
    EXPECT_TRUE(fetch_of(out.requests[0]).topics.empty());
    EXPECT_TRUE(fetch_of(out.requests[0]).forgotten_topics_data.empty());
    r.answer(out.requests[0], 9, {data_at(0, records_at(10, 1), 100)});
    EXPECT_EQ(r.settle().fetched.at(0).from_offset, 10);
}

TEST(fetch_digest, a_log_that_parts_from_the_position_has_it_validated) {
    rig r;
    r.place(0, 10);
    const auto out = r.plan();
    auto data = data_at(0, {}, 100);
    data.diverging_epoch = {protocol::leader_epoch(4), 8, {}};
    r.answer(out.requests[0], 9, {data});
    EXPECT_EQ(r.facts.take<exchange::position_doubted>().size(), 1U);
}

}  // namespace strandline::core::fetch
