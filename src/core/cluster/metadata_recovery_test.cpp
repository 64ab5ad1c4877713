// What is made of answers that cannot be believed, and when discovery starts again.
#include <gtest/gtest.h>

#include "core/cluster/metadata_test_rig.hpp"

namespace strandline::core::cluster {
namespace {

using namespace test;
using strings = std::vector<std::string>;

// tickets: B62
TEST(metadata_recovery, an_answer_without_brokers_takes_none_away) {
    rig r;
    learn_orders(r);
    r.on(exchange::metadata_stale{});
    auto empty = cluster_of({topic("orders", 1, {partition(0, 2, 4)})});
    empty.brokers.clear();
    for (int i = 0; i < 50; ++i) {
        r.turn(r.wake_at);
        r.answer(empty);
        EXPECT_EQ(r.known().brokers.size(), 2U);
        EXPECT_EQ(r.known().answers, 1U);
    }
    r.turn(r.wake_at);
    r.answer(cluster_of({topic("orders", 1, {partition(0, 2, 4)})}));
    EXPECT_EQ(r.leader_of("orders", 0), (std::pair{2, 4}));
    EXPECT_EQ(r.wake_at, r.now + 5min);
}

TEST(metadata_recovery, answers_without_brokers_do_not_put_off_starting_again) {
    rig r;
    learn_orders(r);
    r.on(exchange::metadata_stale{});
    r.turn(r.wake_at);
    const auto first = r.now;
    auto empty = cluster_of({});
    empty.brokers.clear();
    while (r.take_facts<exchange::rebootstrap_started>().empty() && r.now < first + 10min) {
        if (r.sent) {
            r.answer(empty);
        } else {
            r.turn(r.wake_at);
        }
    }
    EXPECT_EQ(r.now, first + 5min);
}

TEST(metadata_recovery, advertised_addresses_are_checked) {
    rig r;
    r.interested_in({"orders"});
    auto answer = cluster_of({topic("orders", 1, {partition(0, 1, 3)})});
    answer.brokers.push_back({.node_id = broker_id(3), .host = "", .port = 9092});
    answer.brokers.push_back({.node_id = broker_id(4), .host = "kafka4", .port = 0});
    answer.brokers.push_back({.node_id = broker_id(5), .host = "kafka5", .port = 70000});
    answer.brokers.push_back({.node_id = broker_id(-3), .host = "kafka6", .port = 9092});
    answer.brokers.push_back({.node_id = broker_id(7), .host = std::string(300, 'x'), .port = 9092});
    r.answer(answer);
    EXPECT_EQ(r.known().brokers.size(), 2U);
}

// tickets: B63
TEST(metadata_recovery, a_broker_may_order_to_start_again_and_late_answers_change_nothing) {
    rig r;
    learn_orders(r);
    r.on(exchange::metadata_stale{});
    r.turn(r.wake_at);
    auto order = cluster_of({});
    order.error_code = broker_error::rebootstrap_required;
    r.answer(order);
    EXPECT_EQ(r.take_facts<exchange::rebootstrap_started>().size(), 1U);
    EXPECT_TRUE(r.known().brokers.empty());
    EXPECT_FALSE(r.known().bootstrapped);
    ASSERT_TRUE(r.sent) << "the bootstrap servers are asked at once";
    EXPECT_EQ(r.asked(), strings{"orders"});
    const auto current = r.sent->id;

    exchange::response late;
    late.id = exchange::request_id(current.value() - 1);
    late.version = 13;
    protocol::writer out;
    ASSERT_TRUE(protocol::encode(out, cluster_of({}, "old-cluster"), 13));
    late.body = std::move(out).take();
    r.manager->on_response(late, r.time());
    EXPECT_TRUE(r.known().brokers.empty());

    // Twice in a row works as well, after a moment.
    r.answer(order);
    EXPECT_TRUE(r.take_facts<exchange::rebootstrap_started>().empty());
    while (r.take_facts<exchange::rebootstrap_started>().empty() && r.now < t0 + 5s) {
        r.turn(r.wake_at);
        if (r.sent) r.fail();
    }
    EXPECT_LT(r.now, t0 + 5s);
    EXPECT_TRUE(r.sent || r.wake_at < t0 + 5s);
}

TEST(metadata_recovery, orders_to_start_again_come_to_something_only_so_often) {
    rig r;
    learn_orders(r);
    int started = 0;
    while (r.now < t0 + 1min) {
        r.manager->on_fact(exchange::rebootstrap_wanted{"misrouted"}, r.time());
        r.settle();
        started += static_cast<int>(r.take_facts<exchange::rebootstrap_started>().size());
        if (r.sent) r.answer(cluster_of({topic("orders", 1, {partition(0, 1, 3)})}));
        r.turn(r.now + 10ms);
        started += static_cast<int>(r.take_facts<exchange::rebootstrap_started>().size());
    }
    EXPECT_GE(started, 8);
    EXPECT_LE(started, 20);
}

TEST(metadata_recovery, without_an_answer_for_too_long_it_starts_again) {
    rig r;
    r.connections.broker = std::nullopt;
    r.interested_in({"orders"});
    EXPECT_EQ(r.wake_at, t0 + 5min) << "metadata.recovery.rebootstrap.trigger.ms";
    r.turn(t0 + 5min);
    EXPECT_EQ(r.take_facts<exchange::rebootstrap_started>().size(), 1U);
    EXPECT_EQ(r.wake_at, t0 + 10min);
}

TEST(metadata_recovery, it_never_starts_again_where_that_is_switched_off) {
    rig r;
    r.config.rebootstrap = false;
    learn_orders(r);
    r.on(exchange::rebootstrap_wanted{"misrouted"});
    EXPECT_TRUE(r.take_facts<exchange::rebootstrap_started>().empty());
    EXPECT_EQ(r.known().brokers.size(), 2U);
    r.turn(r.wake_at);
    EXPECT_TRUE(r.sent) << "but what it knows is in doubt";
}

TEST(metadata_recovery, a_broker_of_another_cluster_is_reported_and_not_believed) {
    rig r;
    learn_orders(r);
    r.on(exchange::metadata_stale{});
    r.turn(r.wake_at);
    r.answer(cluster_of({topic("orders", 9, {partition(0, 2, 0)})}, "another-cluster"));
    ASSERT_EQ(r.errors.size(), 1U);
    EXPECT_TRUE(r.errors[0] == errc::wrong_cluster);
    EXPECT_EQ(r.known().find("orders")->id, id_of(1));
    EXPECT_EQ(r.take_facts<exchange::rebootstrap_started>().size(), 1U);
}

TEST(metadata_recovery, another_cluster_may_answer_where_nobody_checks) {
    rig r;
    r.config.cluster_check = false;
    learn_orders(r);
    r.on(exchange::metadata_stale{});
    r.turn(r.wake_at);
    r.answer(cluster_of({topic("orders", 1, {partition(0, 2, 4)})}, "another-cluster"));
    EXPECT_TRUE(r.errors.empty());
    EXPECT_EQ(r.leader_of("orders", 0), (std::pair{2, 4}));
}

TEST(metadata_recovery, after_starting_again_another_cluster_is_taken_as_it_is) {
    rig r;
    learn_orders(r);
    r.on(exchange::rebootstrap_wanted{"the name was pointed elsewhere"});
    r.answer(cluster_of({topic("orders", 9, {partition(0, 2, 0)})}, "another-cluster"));
    EXPECT_TRUE(r.errors.empty());
    EXPECT_EQ(r.known().cluster_id, "another-cluster");
    EXPECT_EQ(r.leader_of("orders", 0), (std::pair{2, 0})) << "its epochs begin anew";
    EXPECT_EQ(r.known().find("orders")->id, id_of(9));
}

TEST(metadata_recovery, after_starting_again_in_the_same_cluster_epochs_still_hold) {
    rig r;
    learn_orders(r);
    r.on(exchange::rebootstrap_wanted{"no broker reachable"});
    r.answer(cluster_of({topic("orders", 1, {partition(0, 2, 2)})}));
    EXPECT_EQ(r.leader_of("orders", 0), (std::pair{1, 3}));
}

}  // namespace
}  // namespace strandline::core::cluster
