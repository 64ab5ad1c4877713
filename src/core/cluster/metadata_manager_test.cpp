#include "core/cluster/metadata_manager.hpp"

#include <gtest/gtest.h>

#include "core/cluster/metadata_test_rig.hpp"

namespace strandline::core::cluster {
namespace {

using namespace test;
using strings = std::vector<std::string>;

constexpr boundary::operation_token token{5};

// Knows topic orders with one partition, led by broker 1 in epoch 3.
void learn_orders(rig& r) {
    r.interested_in({"orders"});
    r.answer(cluster_of({topic("orders", 1, {partition(0, 1, 3)})}));
    r.seen_facts.clear();
}

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
    EXPECT_TRUE(r.manager->unmatched_topics().empty());
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

// ---- staleness

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

// ---- leaders

TEST(metadata_manager, a_leader_of_an_older_epoch_is_not_believed) {
    rig r;
    learn_orders(r);
    r.on(exchange::metadata_stale{});
    r.turn(r.wake_at);
    r.answer(cluster_of({topic("orders", 1, {partition(0, 2, 2)})}));
    EXPECT_EQ(r.leader_of("orders", 0), (std::pair{1, 3}));
    EXPECT_TRUE(r.moved().empty());
}

// Case B14: -1 is "not told", however often it is said.
TEST(metadata_manager, an_epoch_that_is_not_told_does_not_undo_a_known_one) {
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

TEST(metadata_manager, an_election_under_way_is_followed_within_a_second) {
    rig r;
    r.interested_in({"orders"});
    for (int i = 0; i < 20; ++i) {
        r.answer(cluster_of({topic("orders", 1, {partition(0, -1, 4)})}));
        EXPECT_LE(r.wake_at, r.now + 1200ms);
        r.turn(r.wake_at);
        EXPECT_EQ(r.asked(), strings{"orders"});
    }
}

TEST(metadata_manager, a_hint_is_taken_if_its_epoch_is_newer) {
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

TEST(metadata_manager, a_hint_at_a_broker_without_an_address_makes_it_ask) {
    rig r;
    learn_orders(r);
    r.turn(t0 + 1min);
    r.on(exchange::leader_hint{{"orders", 0}, id_of(1), broker_id(7), leader_epoch(4), {}, {}});
    EXPECT_EQ(r.asked(), strings{"orders"});
}

TEST(metadata_manager, a_coordinators_address_is_known_at_once) {
    rig r;
    learn_orders(r);
    const auto version = r.cluster.version();
    r.on(exchange::broker_address_learnt{broker_id(9), {"kafka9", 9092}});
    EXPECT_EQ(r.known().brokers.at(broker_id(9)).address, (boundary::host_port{"kafka9", 9092}));
    EXPECT_GT(r.cluster.version(), version);
    r.on(exchange::broker_address_learnt{broker_id(8), {"", 9092}});
    EXPECT_FALSE(r.known().brokers.contains(broker_id(8)));
}

// ---- topics

TEST(metadata_manager, a_topic_made_again_replaces_the_old_one_whole) {
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

TEST(metadata_manager, an_older_broker_that_knows_no_ids_does_not_undo_a_known_one) {
    rig r;
    learn_orders(r);
    r.on(exchange::metadata_stale{});
    r.connections.version = 9;
    r.turn(r.wake_at);
    r.answer(cluster_of({topic("orders", 0, {partition(0, 1, 3)})}));
    EXPECT_EQ(r.known().find("orders")->id, id_of(1));
}

TEST(metadata_manager, partitions_that_were_added_are_told) {
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

TEST(metadata_manager, indexes_that_make_no_sense_are_not_believed) {
    rig r;
    r.interested_in({"orders"});
    r.answer(
        cluster_of({topic("orders", 1, {partition(0, 1, 3), partition(2'000'000'000, 1, 3), partition(-1, 1, 3)})}));
    EXPECT_EQ(r.known().find("orders")->partitions.size(), 3U);
    EXPECT_EQ(r.leader_of("orders", 0), (std::pair{1, 3}));
    EXPECT_EQ(r.leader_of("orders", 1), (std::pair{-1, -1}));
}

TEST(metadata_manager, a_topic_that_fails_leaves_the_others_alone) {
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

TEST(metadata_manager, a_missing_topic_is_named_and_looked_for_less_and_less_often) {
    rig r;
    r.interested_in({"orders", "typo"});
    const auto answer = cluster_of(
        {topic("orders", 1, {partition(0, 1, 3)}), failed_topic("typo", broker_error::unknown_topic_or_partition)});
    r.answer(answer);
    EXPECT_EQ(r.manager->unmatched_topics(), strings{"typo"});
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
    EXPECT_TRUE(r.manager->unmatched_topics().empty());
    EXPECT_EQ(r.wake_at, r.now + 5min);
}

TEST(metadata_manager, a_topic_said_to_be_gone_once_keeps_its_leaders_and_twice_loses_them) {
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

TEST(metadata_manager, new_interest_is_asked_about_at_once) {
    rig r;
    learn_orders(r);
    r.interested_in({"orders", "bills"});
    EXPECT_EQ(r.asked(), (strings{"bills", "orders"}));
}

TEST(metadata_manager, topics_that_nobody_needs_any_more_are_forgotten) {
    rig r;
    learn_orders(r);
    r.interested_in({"bills"});
    r.answer(cluster_of({topic("bills", 2, {partition(0, 1, 0)})}));
    EXPECT_EQ(r.known().find("orders"), nullptr);
    EXPECT_EQ(r.known().name_of(id_of(1)), nullptr);
}

TEST(metadata_manager, sources_of_interest_do_not_replace_each_other) {
    rig r;
    learn_orders(r);
    r.on(topics_of_interest{.who = topics_of_interest::source::assignment, .names = {"bills"}});
    EXPECT_EQ(r.asked(), (strings{"bills", "orders"}));
}

TEST(metadata_manager, ids_without_a_name_are_asked_for_apart_from_names) {
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

TEST(metadata_manager, an_id_that_the_cluster_does_not_know_is_asked_for_less_and_less_often) {
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

TEST(metadata_manager, brokers_too_old_for_ids_are_asked_for_the_list_of_topics) {
    rig r;
    r.connections.version = 11;
    r.on(topics_of_interest{.who = topics_of_interest::source::assignment, .ids = {id_of(5)}});
    EXPECT_EQ(r.asked(), strings{"*"});
}

TEST(metadata_manager, a_pattern_needs_the_name_of_every_topic) {
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

TEST(metadata_manager, version_zero_says_all_by_an_empty_list) {
    rig r;
    r.connections.version = 0;
    r.on(topics_of_interest{.who = topics_of_interest::source::subscription, .all = true});
    EXPECT_EQ(r.asked(), strings{});
    protocol::writer out;
    EXPECT_TRUE(r.sent->body.encode(out, 0));
}

TEST(metadata_manager, its_requests_can_be_written_in_every_version) {
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

TEST(metadata_manager, a_topic_we_may_not_see_is_reported_once) {
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

// ---- bad answers, starting again

// Case B62.
TEST(metadata_manager, an_answer_without_brokers_takes_none_away) {
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

TEST(metadata_manager, answers_without_brokers_do_not_put_off_starting_again) {
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

TEST(metadata_manager, advertised_addresses_are_checked) {
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

// Case B63.
TEST(metadata_manager, a_broker_may_order_to_start_again_and_late_answers_change_nothing) {
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

TEST(metadata_manager, orders_to_start_again_come_to_something_only_so_often) {
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

TEST(metadata_manager, without_an_answer_for_too_long_it_starts_again) {
    rig r;
    r.connections.broker = std::nullopt;
    r.interested_in({"orders"});
    EXPECT_EQ(r.wake_at, t0 + 5min) << "metadata.recovery.rebootstrap.trigger.ms";
    r.turn(t0 + 5min);
    EXPECT_EQ(r.take_facts<exchange::rebootstrap_started>().size(), 1U);
    EXPECT_EQ(r.wake_at, t0 + 10min);
}

TEST(metadata_manager, it_never_starts_again_where_that_is_switched_off) {
    rig r;
    r.config.rebootstrap = false;
    learn_orders(r);
    r.on(exchange::rebootstrap_wanted{"misrouted"});
    EXPECT_TRUE(r.take_facts<exchange::rebootstrap_started>().empty());
    EXPECT_EQ(r.known().brokers.size(), 2U);
    r.turn(r.wake_at);
    EXPECT_TRUE(r.sent) << "but what it knows is in doubt";
}

TEST(metadata_manager, a_broker_of_another_cluster_is_reported_and_not_believed) {
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

TEST(metadata_manager, another_cluster_may_answer_where_nobody_checks) {
    rig r;
    r.config.cluster_check = false;
    learn_orders(r);
    r.on(exchange::metadata_stale{});
    r.turn(r.wake_at);
    r.answer(cluster_of({topic("orders", 1, {partition(0, 2, 4)})}, "another-cluster"));
    EXPECT_TRUE(r.errors.empty());
    EXPECT_EQ(r.leader_of("orders", 0), (std::pair{2, 4}));
}

TEST(metadata_manager, after_starting_again_another_cluster_is_taken_as_it_is) {
    rig r;
    learn_orders(r);
    r.on(exchange::rebootstrap_wanted{"the name was pointed elsewhere"});
    r.answer(cluster_of({topic("orders", 9, {partition(0, 2, 0)})}, "another-cluster"));
    EXPECT_TRUE(r.errors.empty());
    EXPECT_EQ(r.known().cluster_id, "another-cluster");
    EXPECT_EQ(r.leader_of("orders", 0), (std::pair{2, 0})) << "its epochs begin anew";
    EXPECT_EQ(r.known().find("orders")->id, id_of(9));
}

TEST(metadata_manager, after_starting_again_in_the_same_cluster_epochs_still_hold) {
    rig r;
    learn_orders(r);
    r.on(exchange::rebootstrap_wanted{"no broker reachable"});
    r.answer(cluster_of({topic("orders", 1, {partition(0, 2, 2)})}));
    EXPECT_EQ(r.leader_of("orders", 0), (std::pair{1, 3}));
}

// ---- look-ups

TEST(metadata_manager, partitions_of_a_topic_are_looked_up) {
    rig r;
    r.manager->on_command(boundary::command::partitions_for{"orders"}, token, t0 + 10s, r.time());
    r.settle();
    EXPECT_EQ(r.asked(), strings{"orders"});
    r.answer(cluster_of({topic("orders", 1, {partition(0, 1, 3), partition(1, -1, 3)})}));
    ASSERT_EQ(r.completions.size(), 1U);
    EXPECT_EQ(r.completions[0].token, token);
    ASSERT_TRUE(r.completions[0].outcome);
    const auto& topics = std::get<boundary::topics_value>(*r.completions[0].outcome).topics;
    ASSERT_EQ(topics.at("orders").size(), 2U);
    EXPECT_EQ(topics.at("orders")[0], (partition_info{{"orders", 0}, 1, {1}, {1}, {}}));
    EXPECT_EQ(topics.at("orders")[1].leader, std::nullopt);
    EXPECT_EQ(r.known().find("orders"), nullptr) << "nobody goes on needing it";
}

TEST(metadata_manager, what_is_known_and_fresh_is_told_at_once) {
    rig r;
    learn_orders(r);
    r.manager->on_command(boundary::command::partitions_for{"orders"}, token, t0 + 10s, r.time());
    r.settle();
    EXPECT_EQ(r.completions.size(), 1U);
    EXPECT_FALSE(r.sent);
}

TEST(metadata_manager, a_topic_that_does_not_exist_is_said_not_to_after_a_second_look) {
    rig r;
    r.manager->on_command(boundary::command::partitions_for{"typo"}, token, t0 + 10s, r.time());
    r.settle();
    while (r.completions.empty() && r.now < t0 + 10s) {
        if (r.sent) {
            r.answer(cluster_of({failed_topic("typo", broker_error::unknown_topic_or_partition)}));
        } else {
            r.turn(r.wake_at);
        }
    }
    ASSERT_EQ(r.completions.size(), 1U);
    ASSERT_FALSE(r.completions[0].outcome);
    EXPECT_TRUE(r.completions[0].outcome.error() == errc::topic_not_found);
    EXPECT_LT(r.now, t0 + 1s);
}

TEST(metadata_manager, a_refused_topic_fails_its_look_up) {
    rig r;
    r.manager->on_command(boundary::command::partitions_for{"secret"}, token, t0 + 10s, r.time());
    r.settle();
    r.answer(cluster_of({failed_topic("secret", broker_error::topic_authorization_failed)}));
    ASSERT_EQ(r.completions.size(), 1U);
    EXPECT_EQ(r.completions[0].outcome.error().code().category(), kafka_category());
    EXPECT_TRUE(r.errors.empty()) << "whoever asked has the answer";
}

TEST(metadata_manager, a_look_up_ends_at_its_deadline) {
    rig r;
    r.connections.broker = std::nullopt;
    r.manager->on_command(boundary::command::partitions_for{"orders"}, token, t0 + 10s, r.time());
    r.settle();
    EXPECT_EQ(r.wake_at, t0 + 10s);
    r.turn(t0 + 10s);
    ASSERT_EQ(r.completions.size(), 1U);
    EXPECT_TRUE(r.completions[0].outcome.error() == errc::timed_out);
    EXPECT_NE(r.completions[0].outcome.error().message().find("orders"), std::string::npos);
}

TEST(metadata_manager, a_look_up_can_be_cancelled) {
    rig r;
    r.connections.broker = std::nullopt;
    r.manager->on_command(boundary::command::list_topics{}, token, t0 + 10s, r.time());
    r.manager->on_cancel(token, r.time());
    r.manager->on_cancel(token, r.time());
    r.settle();
    ASSERT_EQ(r.completions.size(), 1U);
    EXPECT_TRUE(r.completions[0].outcome.error() == errc::timed_out);
}

TEST(metadata_manager, all_topics_are_listed_without_becoming_of_interest) {
    rig r;
    learn_orders(r);
    r.manager->on_command(boundary::command::list_topics{}, token, t0 + 10s, r.time());
    r.settle();
    EXPECT_EQ(r.asked(), strings{"*"});
    r.answer(cluster_of({topic("orders", 1, {partition(0, 1, 3)}), topic("bills", 2, {partition(0, 1, 3)}),
                         failed_topic("broken", broker_error::leader_not_available)}));
    ASSERT_EQ(r.completions.size(), 1U);
    const auto& topics = std::get<boundary::topics_value>(*r.completions[0].outcome).topics;
    EXPECT_EQ(topics.size(), 2U);
    EXPECT_TRUE(topics.contains("bills"));
    EXPECT_EQ(r.known().topics.size(), 1U);
}

TEST(metadata_manager, a_look_up_survives_a_failed_request) {
    rig r;
    r.manager->on_command(boundary::command::list_topics{}, token, t0 + 10s, r.time());
    r.settle();
    r.fail();
    r.turn(r.wake_at);
    r.answer(cluster_of({topic("orders", 1, {partition(0, 1, 3)})}));
    EXPECT_EQ(r.completions.size(), 1U);
}

}  // namespace
}  // namespace strandline::core::cluster
