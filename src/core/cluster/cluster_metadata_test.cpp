#include "core/cluster/cluster_metadata.hpp"

#include <gtest/gtest.h>

#include "core/cluster/metadata_test_rig.hpp"

namespace strandline::core::cluster {
namespace {

using namespace test;
using strings = std::vector<std::string>;

TEST(cluster_metadata, a_leader_of_an_older_epoch_is_not_believed) {
    rig r;
    learn_orders(r);
    r.on(exchange::metadata_stale{});
    r.turn(r.wake_at);
    r.answer(cluster_of({topic("orders", 1, {partition(0, 2, 2)})}));
    EXPECT_EQ(r.leader_of("orders", 0), (std::pair{1, 3}));
    EXPECT_TRUE(r.moved().empty());
}

// -1 is "not told", however often it is said.
// tickets: B14
TEST(cluster_metadata, an_epoch_that_is_not_told_does_not_undo_a_known_one) {
    rig r;
    learn_orders(r);
    r.on(exchange::metadata_stale{});
    for (int i = 0; i < 7; ++i) {
        r.turn(r.wake_at);
        r.answer(cluster_of({topic("orders", 1, {partition(0, -1, -1)})}));
        EXPECT_EQ(r.leader_of("orders", 0), (std::pair{-1, 3}));
    }
    EXPECT_EQ(r.moved(), (partitions{{"orders", 0}})) << "said once";
    r.turn(r.wake_at);
    r.answer(cluster_of({topic("orders", 1, {partition(0, 2, 9)})}));
    EXPECT_EQ(r.leader_of("orders", 0), (std::pair{2, 9}));
    EXPECT_EQ(r.moved(), (partitions{{"orders", 0}}));
}

TEST(cluster_metadata, an_election_under_way_is_followed_within_a_second) {
    rig r;
    r.interested_in({"orders"});
    for (int i = 0; i < 20; ++i) {
        r.answer(cluster_of({topic("orders", 1, {partition(0, -1, 4)})}));
        EXPECT_LE(r.wake_at, r.now + 1200ms);
        r.turn(r.wake_at);
        EXPECT_EQ(r.asked(), strings{"orders"});
    }
}

TEST(cluster_metadata, a_hint_is_taken_if_its_epoch_is_newer) {
    rig r;
    learn_orders(r);
    r.on(exchange::leader_hint{
        {"orders", 0}, id_of(1), broker_id(7), leader_epoch(4), boundary::host_port{"kafka7", 9092}, "b"});
    EXPECT_EQ(r.leader_of("orders", 0), (std::pair{7, 4}));
    EXPECT_EQ(r.known().brokers.at(broker_id(7)), (exchange::broker_address{broker_id(7), {"kafka7", 9092}, "b"}));
    EXPECT_EQ(r.moved(), (partitions{{"orders", 0}}));
    EXPECT_FALSE(r.sent) << "nothing is in doubt";

    for (const int epoch : {4, 3, -1}) {
        r.on(exchange::leader_hint{{"orders", 0}, id_of(1), broker_id(8), leader_epoch(epoch), {}, {}});
    }
    r.on(exchange::leader_hint{{"orders", 0}, id_of(9), broker_id(8), leader_epoch(50), {}, {}});
    r.on(exchange::leader_hint{{"orders", 5}, id_of(1), broker_id(8), leader_epoch(50), {}, {}});
    r.on(exchange::leader_hint{{"orders", 0}, id_of(1), broker_id(-1), leader_epoch(50), {}, {}});
    EXPECT_EQ(r.leader_of("orders", 0), (std::pair{7, 4}));
    EXPECT_TRUE(r.moved().empty());
}

TEST(cluster_metadata, a_hint_at_a_broker_without_an_address_makes_it_ask) {
    rig r;
    learn_orders(r);
    r.turn(t0 + 1min);
    r.on(exchange::leader_hint{{"orders", 0}, id_of(1), broker_id(7), leader_epoch(4), {}, {}});
    EXPECT_EQ(r.asked(), strings{"orders"});
}

TEST(cluster_metadata, a_coordinators_address_is_known_at_once) {
    rig r;
    learn_orders(r);
    const auto version = r.cluster.version();
    r.on(exchange::broker_address_learnt{broker_id(9), {"kafka9", 9092}});
    EXPECT_EQ(r.known().brokers.at(broker_id(9)).address, (boundary::host_port{"kafka9", 9092}));
    EXPECT_GT(r.cluster.version(), version);
    r.on(exchange::broker_address_learnt{broker_id(8), {"", 9092}});
    EXPECT_FALSE(r.known().brokers.contains(broker_id(8)));
}

// tickets: KAFKA-12257 B46
TEST(cluster_metadata, a_topic_made_again_replaces_the_old_one_whole) {
    rig r;
    r.interested_in({"orders"});
    r.answer(cluster_of({topic("orders", 1, {partition(0, 1, 30), partition(1, 1, 30)})}));
    r.seen_facts.clear();
    r.on(exchange::metadata_stale{});
    r.turn(r.wake_at);
    r.answer(cluster_of({topic("orders", 2, {partition(0, 2, 0)})}));
    EXPECT_EQ(r.leader_of("orders", 0), (std::pair{2, 0})) << "epochs of another topic do not count";
    EXPECT_EQ(r.known().find("orders")->partitions.size(), 1U);
    EXPECT_EQ(r.known().name_of(id_of(1)), nullptr);
    EXPECT_EQ(*r.known().name_of(id_of(2)), "orders");
    EXPECT_EQ(r.moved(), (partitions{{"orders", 0}, {"orders", 1}}));
    EXPECT_EQ(r.take_facts<exchange::topics_changed>().size(), 1U);
}

TEST(cluster_metadata, an_older_broker_that_knows_no_ids_does_not_undo_a_known_one) {
    rig r;
    learn_orders(r);
    r.on(exchange::metadata_stale{});
    r.connections.version = 9;
    r.turn(r.wake_at);
    r.answer(cluster_of({topic("orders", 0, {partition(0, 1, 3)})}));
    EXPECT_EQ(r.known().find("orders")->id, id_of(1));
}

TEST(cluster_metadata, partitions_that_were_added_are_told) {
    rig r;
    learn_orders(r);
    r.on(exchange::metadata_stale{});
    r.turn(r.wake_at);
    r.answer(cluster_of({topic("orders", 1, {partition(0, 1, 3), partition(1, 2, 0)})}));
    EXPECT_EQ(r.moved(), (partitions{{"orders", 1}}));
    EXPECT_EQ(r.take_facts<exchange::topics_changed>().size(), 1U);
    r.on(exchange::metadata_stale{});
    r.turn(r.wake_at);
    r.answer(cluster_of({topic("orders", 1, {partition(0, 1, 3)})}));
    EXPECT_EQ(r.known().find("orders")->partitions.size(), 2U) << "an older answer takes none away";
}

TEST(cluster_metadata, indexes_that_make_no_sense_are_not_believed) {
    rig r;
    r.interested_in({"orders"});
    r.answer(
        cluster_of({topic("orders", 1, {partition(0, 1, 3), partition(2'000'000'000, 1, 3), partition(-1, 1, 3)})}));
    EXPECT_EQ(r.known().find("orders")->partitions.size(), 3U);
    EXPECT_EQ(r.leader_of("orders", 0), (std::pair{1, 3}));
    EXPECT_EQ(r.leader_of("orders", 1), (std::pair{-1, -1}));
}

TEST(cluster_metadata, a_topic_that_fails_leaves_the_others_alone) {
    rig r;
    r.interested_in({"orders", "bills"});
    r.answer(cluster_of(
        {failed_topic("orders", broker_error::leader_not_available), topic("bills", 2, {partition(0, 2, 1)})}));
    EXPECT_EQ(r.leader_of("bills", 0), (std::pair{2, 1}));
    EXPECT_EQ(r.known().find("orders")->failure, broker_error::leader_not_available);
    EXPECT_LE(r.wake_at, r.now + 200ms);
    r.turn(r.wake_at);
    r.answer(cluster_of(
        {topic("orders", 1, {partition(0, 1, 0)}), failed_topic("bills", broker_error::leader_not_available)}));
    EXPECT_EQ(r.leader_of("orders", 0), (std::pair{1, 0}));
    EXPECT_EQ(r.leader_of("bills", 0), (std::pair{2, 1})) << "what was known stays";
}

TEST(cluster_metadata, a_missing_topic_is_named_and_looked_for_less_and_less_often) {
    rig r;
    r.interested_in({"orders", "typo"});
    const auto answer = cluster_of(
        {topic("orders", 1, {partition(0, 1, 3)}), failed_topic("typo", broker_error::unknown_topic_or_partition)});
    r.answer(answer);
    EXPECT_EQ(r.known().find("typo")->failure, broker_error::unknown_topic_or_partition);
    int requests = 0;
    while (r.now < t0 + 5min) {
        r.turn(r.wake_at);
        if (!r.sent) continue;
        ++requests;
        r.answer(answer);
    }
    EXPECT_GE(requests, 30);
    EXPECT_LE(requests, 60);
    r.turn(r.wake_at);
    r.answer(cluster_of({topic("orders", 1, {partition(0, 1, 3)}), topic("typo", 7, {partition(0, 1, 0)})}));
    EXPECT_EQ(r.known().find("typo")->failure, broker_error::none);
    EXPECT_EQ(r.wake_at, r.now + 5min);
}

TEST(cluster_metadata, a_topic_said_to_be_gone_once_keeps_its_leaders_and_twice_loses_them) {
    rig r;
    learn_orders(r);
    const auto gone = cluster_of({failed_topic("orders", broker_error::unknown_topic_or_partition)});
    r.on(exchange::metadata_stale{});
    r.turn(r.wake_at);
    r.answer(gone);
    EXPECT_EQ(r.leader_of("orders", 0), (std::pair{1, 3}));
    r.turn(r.wake_at);
    r.answer(gone);
    EXPECT_EQ(r.leader_of("orders", 0), (std::pair{-1, 3})) << "the epoch is kept: it may come back";
    EXPECT_EQ(r.moved(), (partitions{{"orders", 0}}));
}

TEST(cluster_metadata, new_interest_is_asked_about_at_once) {
    rig r;
    learn_orders(r);
    r.interested_in({"orders", "bills"});
    EXPECT_EQ(r.asked(), (strings{"bills", "orders"}));
}

TEST(cluster_metadata, topics_that_nobody_needs_any_more_are_forgotten) {
    rig r;
    learn_orders(r);
    r.interested_in({"bills"});
    r.answer(cluster_of({topic("bills", 2, {partition(0, 1, 0)})}));
    EXPECT_EQ(r.known().find("orders"), nullptr);
    EXPECT_EQ(r.known().name_of(id_of(1)), nullptr);
}

TEST(cluster_metadata, sources_of_interest_do_not_replace_each_other) {
    rig r;
    learn_orders(r);
    r.on(topics_of_interest{.who = topics_of_interest::source::assignment, .names = {"bills"}});
    EXPECT_EQ(r.asked(), (strings{"bills", "orders"}));
}

TEST(cluster_metadata, a_topic_that_has_grown_is_asked_for_until_its_new_partitions_are_known) {
    rig r;
    learn_orders(r);
    const auto known = static_cast<std::int32_t>(r.known().find("orders")->partitions.size());
    r.on(topics_of_interest{.who = topics_of_interest::source::assignment, .unheard_of = {{"orders", known}}});
    if (!r.sent) r.turn(r.wake_at);
    EXPECT_EQ(r.asked(), strings{"orders"});
    std::vector<partition_answer> partitions;
    for (std::int32_t index = 0; index < known; ++index) partitions.push_back(partition(index, 1, 3));
    // The broker that was asked has not heard of it either.
    r.answer(cluster_of({topic("orders", 1, partitions)}));
    if (!r.sent) r.turn(r.wake_at);
    EXPECT_EQ(r.asked(), strings{"orders"});
    partitions.push_back(partition(known, 2, 0));
    r.answer(cluster_of({topic("orders", 1, partitions)}));
    EXPECT_EQ(r.leader_of("orders", known), (std::pair{2, 0}));
    EXPECT_GT(r.wake_at, r.now + 1min) << "nothing is missing any more";
}

TEST(cluster_metadata, ids_without_a_name_are_asked_for_apart_from_names) {
    rig r;
    learn_orders(r);
    r.on(topics_of_interest{.who = topics_of_interest::source::assignment, .ids = {id_of(5)}});
    EXPECT_EQ(r.asked(), (strings{id_of(5).to_string()}));
    EXPECT_FALSE(r.request().allow_auto_topic_creation);
    r.answer(cluster_of({topic("payments", 5, {partition(0, 2, 8)})}));
    EXPECT_EQ(*r.known().name_of(id_of(5)), "payments");
    EXPECT_EQ(r.leader_of("payments", 0), (std::pair{2, 8}));
    EXPECT_EQ(r.leader_of("orders", 0), (std::pair{1, 3}));
    EXPECT_EQ(r.take_facts<exchange::topics_changed>().size(), 1U);
    EXPECT_EQ(r.wake_at, t0 + 5min);
    r.turn(t0 + 5min);
    EXPECT_EQ(r.asked(), (strings{"orders", "payments"})) << "from now on by name";
}

TEST(cluster_metadata, an_id_that_the_cluster_does_not_know_is_asked_for_less_and_less_often) {
    rig r;
    r.on(topics_of_interest{.who = topics_of_interest::source::assignment, .ids = {id_of(5)}});
    topic_answer unknown;
    unknown.name = std::nullopt;
    unknown.topic_id = id_of(5);
    unknown.error_code = broker_error::unknown_topic_id;
    int requests = 0;
    while (r.now < t0 + 1min) {
        if (r.sent) {
            ++requests;
            r.answer(r.asked() == strings{id_of(5).to_string()} ? cluster_of({unknown}) : cluster_of({}));
        } else {
            r.turn(r.wake_at);
        }
    }
    EXPECT_GE(requests, 8);
    EXPECT_LE(requests, 20);
}

TEST(cluster_metadata, brokers_too_old_for_ids_are_asked_for_the_list_of_topics) {
    rig r;
    r.connections.version = 11;
    r.on(topics_of_interest{.who = topics_of_interest::source::assignment, .ids = {id_of(5)}});
    EXPECT_EQ(r.asked(), strings{"*"});
}

TEST(cluster_metadata, a_pattern_needs_the_name_of_every_topic) {
    rig r;
    r.on(topics_of_interest{.who = topics_of_interest::source::subscription, .all = true});
    EXPECT_EQ(r.asked(), strings{"*"});
    r.answer(cluster_of({topic("orders", 1, {partition(0, 1, 3)}), topic("bills", 2, {partition(0, 1, 3)})}));
    EXPECT_EQ(r.known().topics.size(), 2U);
    r.turn(r.wake_at);
    EXPECT_EQ(r.now, t0 + 5min);
    r.answer(cluster_of({topic("bills", 2, {partition(0, 1, 3)})}));
    EXPECT_EQ(r.known().topics.size(), 1U);
}

TEST(cluster_metadata, version_zero_says_all_by_an_empty_list) {
    rig r;
    r.connections.version = 0;
    r.on(topics_of_interest{.who = topics_of_interest::source::subscription, .all = true});
    EXPECT_EQ(r.asked(), strings{});
    protocol::writer out;
    EXPECT_TRUE(r.sent->body.encode(out, 0));
}

TEST(cluster_metadata, its_requests_can_be_written_in_every_version) {
    for (std::int16_t version = metadata_request::min_version; version <= metadata_request::max_version; ++version) {
        for (const bool auto_create : {true, false}) {
            rig r;
            r.config.allow_auto_create_topics = auto_create;
            r.connections.version = version;
            r.interested_in({"orders"});
            protocol::writer out;
            EXPECT_TRUE(r.sent->body.encode(out, version)) << version;
            r.answer(cluster_of({topic("orders", version >= 10 ? 1 : 0, {partition(0, 1, version >= 7 ? 3 : -1)})}));
            EXPECT_EQ(r.leader_of("orders", 0).first, 1) << version;
        }
    }
}

TEST(cluster_metadata, a_topic_we_may_not_see_is_reported_once) {
    rig r;
    r.interested_in({"orders", "secret"});
    const auto refused = cluster_of(
        {topic("orders", 1, {partition(0, 1, 3)}), failed_topic("secret", broker_error::topic_authorization_failed)});
    r.answer(refused);
    r.turn(r.wake_at);
    r.answer(refused);
    ASSERT_EQ(r.errors.size(), 1U);
    EXPECT_EQ(r.errors[0].code(),
              std::error_code(static_cast<int>(broker_error::topic_authorization_failed), kafka_category()));
    EXPECT_EQ(r.errors[0].about().topic, "secret");
    EXPECT_FALSE(r.errors[0].fatal());
    r.turn(r.wake_at);
    r.answer(cluster_of({topic("orders", 1, {partition(0, 1, 3)}), topic("secret", 2, {partition(0, 1, 3)})}));
    r.on(exchange::metadata_stale{});
    r.turn(r.wake_at);
    r.answer(refused);
    EXPECT_EQ(r.errors.size(), 2U) << "it was allowed in between";
}

}  // namespace
}  // namespace strandline::core::cluster
