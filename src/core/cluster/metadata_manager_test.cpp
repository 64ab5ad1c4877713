#include "core/cluster/metadata_manager.hpp"

#include <gtest/gtest.h>

#include "core/cluster/metadata_test_rig.hpp"

namespace strandline::core::cluster {
namespace {

using namespace test;
using strings = std::vector<std::string>;

TEST(metadata_manager, asks_nothing_until_somebody_needs_to_know) {
    rig r;
    r.settle();
    EXPECT_FALSE(r.sent);
    EXPECT_EQ(r.wake_at, base::never);
    EXPECT_TRUE(r.waits_for(wait_reason::nothing_to_do));
}

TEST(metadata_manager, learns_brokers_topics_and_leaders) {
    rig r;
    r.interested_in({"orders", "bills"});
    ASSERT_TRUE(r.sent);
    EXPECT_EQ(r.sent->broker, broker_id(-2));
    EXPECT_EQ(r.sent->owner, exchange::manager::metadata);
    EXPECT_EQ(r.sent->version, 13);
    EXPECT_EQ(r.sent->expires_at, t0 + 30s);
    EXPECT_EQ(r.asked(), (strings{"bills", "orders"}));
    EXPECT_TRUE(r.waits_for(wait_reason::response));
    EXPECT_EQ(r.wake_at, t0 + 30s);

    r.answer(cluster_of(
        {topic("orders", 1, {partition(0, 1, 3), partition(1, 2, 4)}), topic("bills", 2, {partition(0, 2, 0)})}));
    EXPECT_EQ(r.known().cluster_id, "kafka-cluster");
    EXPECT_TRUE(r.known().bootstrapped);
    EXPECT_EQ(r.known().answers, 1U);
    EXPECT_EQ(r.known().brokers.at(broker_id(1)), (exchange::broker_address{broker_id(1), {"kafka1", 9092}, "a"}));
    EXPECT_EQ(r.leader_of("orders", 1), (std::pair{2, 4}));
    EXPECT_EQ(*r.known().name_of(id_of(2)), "bills");
    EXPECT_EQ(r.moved(), (partitions{{"bills", 0}, {"orders", 0}, {"orders", 1}}));
    EXPECT_EQ(r.take_facts<exchange::topics_changed>().size(), 1U);
    EXPECT_EQ(r.wake_at, t0 + 5min) << "metadata.max.age.ms";
    r.turn(t0 + 5min);
    EXPECT_EQ(r.asked(), (strings{"bills", "orders"}));
    r.answer(cluster_of(
        {topic("orders", 1, {partition(0, 1, 3), partition(1, 2, 4)}), topic("bills", 2, {partition(0, 2, 0)})}));
    EXPECT_TRUE(r.seen_facts.empty()) << "nothing changed";
}

TEST(metadata_manager, asks_for_a_connection_and_waits_for_it) {
    rig r;
    r.connections.state = readiness::state::unknown;
    r.interested_in({"orders"});
    EXPECT_EQ(r.wanted_brokers, (std::vector{broker_id(-2)}));
    EXPECT_TRUE(r.awaits_view);
    EXPECT_TRUE(r.waits_for(wait_reason::broker_connecting));
    EXPECT_FALSE(r.sent);
    r.connections.state = readiness::state::ready;
    r.settle();
    EXPECT_TRUE(r.sent);
}

TEST(metadata_manager, waits_without_a_timer_of_its_own_while_no_broker_can_be_tried) {
    rig r;
    r.config.rebootstrap = false;
    r.connections.broker = std::nullopt;
    r.interested_in({"orders"});
    EXPECT_TRUE(r.waits_for(wait_reason::no_broker_reachable));
    EXPECT_TRUE(r.awaits_view);
    EXPECT_EQ(r.wake_at, base::never);
}

TEST(metadata_manager, keeps_silent_as_long_as_the_broker_asked) {
    rig r;
    r.connections.silent_until = t0 + 3s;
    r.interested_in({"orders"});
    EXPECT_FALSE(r.sent);
    EXPECT_TRUE(r.waits_for(wait_reason::throttled));
    EXPECT_EQ(r.wake_at, t0 + 3s);
    r.turn(t0 + 3s);
    EXPECT_TRUE(r.sent);
}

TEST(metadata_manager, passes_on_that_it_is_throttled) {
    rig r;
    r.interested_in({"orders"});
    auto answer = cluster_of({topic("orders", 1, {partition(0, 1, 3)})});
    answer.throttle_time_ms = 1500;
    r.answer(answer);
    const auto throttled = r.take_facts<exchange::broker_throttled>();
    ASSERT_EQ(throttled.size(), 1U);
    EXPECT_EQ(throttled[0].broker, broker_id(-2));
    EXPECT_EQ(throttled[0].until, t0 + 1500ms);
}

TEST(metadata_manager, a_failed_request_is_repeated_after_a_growing_pause) {
    rig r;
    r.interested_in({"orders"});
    base::duration last{};
    for (int i = 0; i < 6; ++i) {
        r.fail();
        EXPECT_FALSE(r.sent);
        EXPECT_TRUE(r.waits_for(wait_reason::backoff));
        const auto pause = r.wake_at - r.now;
        EXPECT_GE(pause, std::min<base::duration>(last, 800ms));
        EXPECT_LE(pause, 1200ms);
        last = pause;
        r.turn(r.wake_at);
        EXPECT_EQ(r.asked(), strings{"orders"});
    }
    EXPECT_GE(last, 800ms);
}

TEST(metadata_manager, an_answer_that_cannot_be_read_is_a_failure) {
    rig r;
    r.interested_in({"orders"});
    r.respond(base::shared_bytes::copy_of(base::as_bytes("nonsense")));
    EXPECT_TRUE(r.waits_for(wait_reason::backoff));
    EXPECT_EQ(r.known().answers, 0U);
}

TEST(metadata_manager, a_broker_without_the_api_is_left_alone_for_a_while) {
    rig r;
    r.connections.version = std::nullopt;
    r.interested_in({"orders"});
    EXPECT_FALSE(r.sent);
    EXPECT_LE(r.wake_at, t0 + 200ms);
}

TEST(metadata_manager, stale_metadata_is_asked_for_again_soon_but_not_in_a_loop) {
    rig r;
    learn_orders(r);
    r.turn(t0 + 1min);
    r.on(exchange::metadata_stale{"not leader"});
    EXPECT_EQ(r.asked(), strings{"orders"}) << "the last answer is old: no pause";
    int requests = 0;
    while (r.now < t0 + 70s) {
        if (r.sent) {
            ++requests;
            r.answer(cluster_of({topic("orders", 1, {partition(0, 1, 3)})}));
            r.on(exchange::metadata_stale{"not leader"});
        } else {
            r.turn(r.wake_at);
        }
    }
    EXPECT_LE(requests, 20);
    EXPECT_GE(requests, 8);
}

TEST(metadata_manager, why_it_waits_for_a_refresh_does_not_change_as_that_comes_near) {
    rig r;
    learn_orders(r);
    EXPECT_TRUE(r.waits_for(wait_reason::nothing_to_do));
    const auto refresh = r.wake_at;
    r.turn(refresh - 1s);
    EXPECT_TRUE(r.waits_for(wait_reason::nothing_to_do));
    EXPECT_EQ(r.wake_at, refresh);
}

TEST(metadata_manager, doubts_that_arise_while_an_answer_is_awaited_are_not_settled_by_it) {
    rig r;
    r.interested_in({"orders"});
    r.on(exchange::metadata_stale{"connection lost"});
    r.answer(cluster_of({topic("orders", 1, {partition(0, 1, 3)})}));
    EXPECT_LE(r.wake_at, t0 + 200ms);
    r.turn(r.wake_at);
    EXPECT_TRUE(r.sent);
}

TEST(metadata_manager, brokers_alone_are_asked_for_when_one_is_not_known) {
    rig r;
    r.on(exchange::metadata_stale{"nobody told where broker 3 is"});
    ASSERT_TRUE(r.sent);
    EXPECT_EQ(r.asked(), strings{});
    r.answer(cluster_of({}));
    EXPECT_EQ(r.known().brokers.size(), 2U);
    EXPECT_EQ(r.wake_at, base::never) << "of no topic of interest nothing grows old";
}

}  // namespace
}  // namespace strandline::core::cluster
