#include "core/fetch/fetch_manager.hpp"

#include <gtest/gtest.h>

#include "core/fetch/fetch_test_rig.hpp"

namespace strandline::core::fetch {

namespace {

using namespace fetch::test;

}  // namespace

TEST(fetch_manager, the_first_request_opens_a_session_with_every_partition) {
    rig r;
    r.place(0, 10);
    r.place(1, 20);
    const auto out = r.plan();
    ASSERT_EQ(out.requests.size(), 1U);
    EXPECT_EQ(out.requests[0].role, exchange::connection_role::fetch);
    EXPECT_EQ(out.requests[0].version, 18);
    EXPECT_EQ(out.requests[0].expires_at, r.now + r.config.fetch_max_wait + r.config.request_timeout);
    const auto& asked = fetch_of(out.requests[0]);
    EXPECT_EQ(asked.session_id, 0);
    EXPECT_EQ(asked.session_epoch.value(), 0);
    EXPECT_EQ(asked.max_wait_ms, 500);
    EXPECT_EQ(asked.isolation_level, 1);
    EXPECT_EQ(offsets_of(asked), (std::map<std::int32_t, std::int64_t>{{0, 10}, {1, 20}}));
    EXPECT_EQ(asked.topics[0].topic_id, id_of(1));
    EXPECT_EQ(asked.topics[0].partitions[0].current_leader_epoch.value(), 5);
    EXPECT_EQ(asked.topics[0].partitions[0].last_fetched_epoch.value(), -1);
    EXPECT_TRUE(r.plan().requests.empty());
}

// tickets: KAFKA-17182 (B6)
TEST(fetch_manager, a_session_names_only_what_changed_and_what_absence_in_an_answer_leaves_unchanged) {
    rig r;
    r.place(0, 10);
    r.place(1, 20);
    auto out = r.plan();
    r.answer(out.requests[0], 9, {});
    out = r.settle();
    ASSERT_EQ(out.requests.size(), 1U);
    EXPECT_TRUE(fetch_of(out.requests[0]).topics.empty());
    EXPECT_EQ(fetch_of(out.requests[0]).session_epoch.value(), 1);

    r.answer(out.requests[0], 9, {data_at(1, records_at(20, 1), 100)});
    out = r.settle();
    EXPECT_EQ(offsets_of(fetch_of(out.requests[0])), (std::map<std::int32_t, std::int64_t>{{1, 21}}));
    EXPECT_EQ(fetch_of(out.requests[0]).session_epoch.value(), 2);
}

TEST(fetch_manager, without_a_session_every_request_names_everything_and_those_that_gave_come_last) {
    rig r;
    r.place(0, 10);
    r.place(1, 20);
    auto out = r.plan();
    r.answer(out.requests[0], 0, {data_at(0, records_at(10, 1), 100)});
    out = r.settle();
    const auto& asked = fetch_of(out.requests[0]);
    EXPECT_EQ(asked.session_epoch.value(), 0);
    EXPECT_EQ(asked.session_id, 0);
    ASSERT_EQ(asked.topics[0].partitions.size(), 2U);
    EXPECT_EQ(asked.topics[0].partitions[0].partition.value(), 1);
    EXPECT_EQ(asked.topics[0].partitions[1].fetch_offset, 11);
}

// tickets: B67
TEST(fetch_manager, a_partition_that_is_lost_is_forgotten_and_what_comes_of_it_unasked_changes_nothing) {
    rig r;
    r.place(0, 10);
    r.place(1, 20);
    auto out = r.plan();
    r.answer(out.requests[0], 9, {});
    out = r.settle();
    r.take_away(1);
    r.answer(out.requests[0], 9, {data_at(1, records_at(20, 5), 100)});
    out = r.settle();
    EXPECT_TRUE(out.fetched.empty());
    ASSERT_EQ(out.requests.size(), 1U);
    const auto& asked = fetch_of(out.requests[0]);
    ASSERT_EQ(asked.forgotten_topics_data.size(), 1U);
    EXPECT_EQ(asked.forgotten_topics_data[0].topic_id, id_of(1));
    EXPECT_EQ(asked.forgotten_topics_data[0].partitions[0].value(), 1);

    r.answer(out.requests[0], 9, {data_at(1, records_at(20, 5), 100)});
    out = r.settle();
    EXPECT_TRUE(out.fetched.empty());
    EXPECT_TRUE(fetch_of(out.requests[0]).forgotten_topics_data.empty());

    r.place(1, 30);
    r.answer(out.requests[0], 9, {});
    out = r.settle();
    EXPECT_EQ(offsets_of(fetch_of(out.requests[0])), (std::map<std::int32_t, std::int64_t>{{1, 30}}));
}

TEST(fetch_manager, a_partition_given_up_and_taken_again_between_two_requests_is_not_forgotten) {
    rig r;
    r.place(0, 10);
    r.place(1, 20);
    auto out = r.plan();
    r.answer(out.requests[0], 9, {});
    out = r.settle();
    r.take_away(1);
    r.place(1, 25);
    r.answer(out.requests[0], 9, {});
    out = r.settle();
    const auto& asked = fetch_of(out.requests[0]);
    EXPECT_TRUE(asked.forgotten_topics_data.empty());
    EXPECT_EQ(offsets_of(asked), (std::map<std::int32_t, std::int64_t>{{1, 25}}));
}

TEST(fetch_manager, an_unknown_session_starts_from_nothing_and_a_wrong_epoch_opens_the_same_one_anew) {
    for (const auto& [why, id] : {std::pair(broker_error::fetch_session_id_not_found, 0),
                                  std::pair(broker_error::invalid_fetch_session_epoch, 9),
                                  std::pair(broker_error::fetch_session_topic_id_error, 9)}) {
        rig r;
        r.place(0, 10);
        auto out = r.plan();
        r.answer(out.requests[0], 9, {});
        out = r.settle();
        r.refuse(out.requests[0], why);
        out = r.settle();
        ASSERT_EQ(out.requests.size(), 1U);
        EXPECT_EQ(fetch_of(out.requests[0]).session_id, id);
        EXPECT_EQ(fetch_of(out.requests[0]).session_epoch.value(), 0);
        EXPECT_EQ(fetch_of(out.requests[0]).topics.size(), 1U);
        // A broker that refuses again is given time.
        r.refuse(out.requests[0], why);
        EXPECT_TRUE(r.settle().requests.empty());
        EXPECT_LE(r.wake_at, r.now + 120ms);
    }
}

TEST(fetch_manager, a_request_without_an_answer_opens_the_session_anew_after_a_backoff) {
    rig r;
    r.place(0, 10);
    auto out = r.plan();
    r.answer(out.requests[0], 9, {});
    out = r.settle();
    r.manager->on_response(no_answer_to(out.requests[0]), r.time());
    EXPECT_EQ(r.facts.take<exchange::metadata_stale>().size(), 1U);
    EXPECT_TRUE(r.settle().requests.empty());
    r.now = r.wake_at;
    out = r.plan();
    ASSERT_EQ(out.requests.size(), 1U);
    EXPECT_EQ(fetch_of(out.requests[0]).session_id, 9);
    EXPECT_EQ(fetch_of(out.requests[0]).session_epoch.value(), 0);
    EXPECT_EQ(offsets_of(fetch_of(out.requests[0])), (std::map<std::int32_t, std::int64_t>{{0, 10}}));
}

// tickets: M12
TEST(fetch_manager, topics_go_by_name_while_one_of_them_has_no_id_and_the_session_is_opened_anew_when_it_gets_one) {
    rig r;
    r.place(0, 10, "orders", id_of(1));
    r.place(0, 5, "old", {});
    auto out = r.plan();
    EXPECT_EQ(out.requests[0].version, 12);
    r.answer(out.requests[0], 9, {});
    out = r.settle();
    EXPECT_EQ(fetch_of(out.requests[0]).session_epoch.value(), 1);
    r.identify("old", id_of(4));
    r.answer(out.requests[0], 9, {});
    out = r.settle();
    EXPECT_EQ(out.requests[0].version, 18);
    EXPECT_EQ(fetch_of(out.requests[0]).session_epoch.value(), 0);
    EXPECT_EQ(fetch_of(out.requests[0]).topics.size(), 2U);
}

// tickets: KAFKA-12257 B46
TEST(fetch_manager, a_topic_made_anew_replaces_its_predecessor_in_the_session) {
    rig r;
    r.place(0, 10);
    auto out = r.plan();
    r.answer(out.requests[0], 9, {});
    out = r.settle();
    r.take_away(0);
    r.place(0, 0, "orders", id_of(8));
    r.answer(out.requests[0], 9, {});
    out = r.settle();
    const auto& asked = fetch_of(out.requests[0]);
    ASSERT_EQ(asked.forgotten_topics_data.size(), 1U);
    EXPECT_EQ(asked.forgotten_topics_data[0].topic_id, id_of(1));
    EXPECT_EQ(asked.topics[0].topic_id, id_of(8));
}

TEST(fetch_manager, an_answer_to_a_position_that_was_sought_away_from_is_dropped) {
    rig r;
    r.place(0, 10);
    auto out = r.plan();
    r.seek(0, 50);
    r.answer(out.requests[0], 9, {data_at(0, records_at(10, 3), 100)});
    out = r.settle();
    EXPECT_TRUE(out.fetched.empty());
    EXPECT_EQ(offsets_of(fetch_of(out.requests[0])), (std::map<std::int32_t, std::int64_t>{{0, 50}}));
}

// tickets: KAFKA-21084 (B2) B19
TEST(fetch_manager, an_answer_for_a_paused_partition_is_kept_and_the_partition_is_not_asked_for) {
    rig r;
    r.place(0, 10);
    r.place(1, 0);
    auto out = r.plan();
    r.change(0).paused = true;
    r.tell(0);
    r.answer(out.requests[0], 9, {data_at(0, records_at(10, 3), 100)});
    out = r.settle();
    ASSERT_EQ(out.fetched.size(), 1U);
    EXPECT_EQ(r.state(0).position->offset, 13);
    ASSERT_EQ(fetch_of(out.requests[0]).forgotten_topics_data.size(), 1U);
}

// tickets: KAFKA-16460 (C3) M3
TEST(fetch_manager, an_answer_for_a_fenced_partition_is_dropped) {
    rig r;
    r.place(0, 10);
    const auto out = r.plan();
    r.change(0).fenced = true;
    r.tell(0);
    r.answer(out.requests[0], 9, {data_at(0, records_at(10, 3), 100)});
    EXPECT_TRUE(r.settle().fetched.empty());
}

TEST(fetch_manager, a_replica_is_read_from_for_a_while_and_left_when_it_cannot_be_reached) {
    rig r;
    r.place(0, 10);
    auto out = r.plan();
    auto data = data_at(0, {}, 100);
    data.preferred_read_replica = protocol::broker_id(3);
    r.answer(out.requests[0], 9, {data});
    out = r.settle();
    EXPECT_EQ(out.requests.at(0).broker.value(), 3);
    r.manager->on_response(no_answer_to(out.requests[0]), r.time());
    out = r.settle();
    ASSERT_EQ(out.requests.size(), 1U);
    EXPECT_EQ(out.requests[0].broker.value(), 1);

    r.answer(out.requests[0], 9, {data});
    r.now += 1s;
    out = r.settle();
    EXPECT_EQ(out.requests.at(0).broker.value(), 3);
    r.now += r.config.metadata_max_age + 1ms;
    r.answer(out.requests[0], 4, {});
    out = r.settle();
    EXPECT_EQ(out.requests.at(0).broker.value(), 1);
}

TEST(fetch_manager, a_broker_that_asks_to_be_left_alone_is) {
    rig r;
    r.place(0, 10);
    auto out = r.plan();
    fetch_response response;
    response.session_id = 9;
    response.throttle_time_ms = 700;
    r.manager->on_response(answer_to(out.requests[0], response), r.time());
    const auto told = r.facts.take<exchange::broker_throttled>();
    ASSERT_EQ(told.size(), 1U);
    EXPECT_EQ(told[0].until, r.now + 700ms);
    EXPECT_EQ(told[0].role, exchange::connection_role::fetch);
    r.network.throttled[protocol::broker_id(1)] = told[0].until;
    EXPECT_TRUE(r.settle().requests.empty());
    EXPECT_EQ(r.wake_at, told[0].until);
}

TEST(fetch_manager, an_answer_that_cannot_be_read_opens_the_session_anew) {
    rig r;
    r.place(0, 10);
    auto out = r.plan();
    auto response = answer_to(out.requests[0], fetch_response{});
    response.body = base::shared_bytes::copy_of(base::as_bytes("no fetch"));
    r.manager->on_response(response, r.time());
    EXPECT_TRUE(r.settle().requests.empty());
    r.now = r.wake_at;
    EXPECT_EQ(fetch_of(r.plan().requests.at(0)).session_epoch.value(), 0);
}

TEST(fetch_manager, an_unreachable_broker_is_asked_for_once) {
    rig r;
    r.network.everywhere = exchange::readiness::state::unknown;
    r.place(0, 10);
    const auto out = r.plan();
    ASSERT_EQ(out.connections.size(), 1U);
    EXPECT_EQ(out.connections[0].role, exchange::connection_role::fetch);
    EXPECT_TRUE(r.plan().connections.empty());
}

// tickets: B84
TEST(fetch_manager, a_partition_without_a_leader_is_asked_of_nobody_until_it_has_one) {
    rig r;
    r.place(0, 10);
    r.lead(0, -1, 5);
    EXPECT_TRUE(r.settle().requests.empty());
    EXPECT_EQ(r.wake_at, base::never);
    r.lead(0, 2, 6);
    EXPECT_EQ(r.settle().requests.at(0).broker.value(), 2);
}

}  // namespace strandline::core::fetch
