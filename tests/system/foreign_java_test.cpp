// Kafka's own producer, admin client and consumer use the fake cluster as they use brokers.
#include <chrono>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <strandline/testkit/fake_cluster.hpp>

#include "tests/live/installation.hpp"
#include "tests/live/kafka_helper.hpp"
#include "tests/live/patience.hpp"

namespace strandline {
namespace {

using namespace std::chrono_literals;
using live::eventually;
namespace json = boost::json;

// One cluster of three brokers and one Java process for all tests here: starting Java takes longer than each of them.
struct kafkas_own_clients : testing::Test {
    static void SetUpTestSuite() {
        testkit::fake_cluster_config config;
        config.brokers = 3;
        config.heartbeat_interval = 100ms;
        cluster = std::make_unique<testkit::fake_cluster>(config);
        kafka = std::make_unique<live::kafka_helper>(cluster->bootstrap_servers(),
                                                     live::fresh_folder("foreign_java") / "helper.log");
    }
    static void TearDownTestSuite() {
        kafka.reset();
        cluster.reset();
    }

    static json::array records(int count, int partitions = 1) {
        json::array made;
        for (int i = 0; i < count; ++i) {
            made.push_back({{"partition", i % partitions}, {"key", std::to_string(i)}, {"value", "value"}});
        }
        return made;
    }
    static void send(const std::string& id, const std::string& topic, int count) {
        kafka->call("transaction_send", {{"id", id}, {"topic", topic}, {"records", records(count)}});
    }
    static std::size_t lines(const json::value& of) { return of.as_array().size(); }

    static std::unique_ptr<testkit::fake_cluster> cluster;
    static std::unique_ptr<live::kafka_helper> kafka;
};

std::unique_ptr<testkit::fake_cluster> kafkas_own_clients::cluster;
std::unique_ptr<live::kafka_helper> kafkas_own_clients::kafka;

TEST_F(kafkas_own_clients, see_the_brokers) {
    const auto description = kafka->call("describe_cluster");
    EXPECT_EQ(description.at("cluster_id"), "fake-cluster");
    EXPECT_EQ(description.at("brokers"), (json::array{1, 2, 3}));
}

TEST_F(kafkas_own_clients, make_describe_change_and_delete_topics) {
    const auto id = kafka->create_topic("administered", 2, {{"retention.ms", "1000"}});
    const auto shown = kafka->call("describe_topic", {{"topic", "administered"}});
    EXPECT_EQ(json::value_to<std::string>(shown.at("topic_id")), id);
    EXPECT_EQ(lines(shown.at("partitions")), 2u);
    kafka->call("alter_topic", {{"topic", "administered"}, {"config", json::object{{"retention.ms", "2000"}}}});
    kafka->create_partitions("administered", 5);
    EXPECT_EQ(lines(kafka->call("describe_topic", {{"topic", "administered"}}).at("partitions")), 5u);
    EXPECT_THROW(kafka->create_topic("administered", 1), std::runtime_error);
    EXPECT_THROW(kafka->create_topic("odd", 1, {{"no.such.config", "1"}}), std::runtime_error);
    kafka->delete_topic("administered");
    EXPECT_THROW(kafka->delete_topic("administered"), std::runtime_error);
}

TEST_F(kafkas_own_clients, write_with_every_codec_and_read_it_back) {
    cluster->create_topic({"codecs", 1});
    for (const auto* codec : {"none", "gzip", "snappy", "lz4", "zstd"}) kafka->produce("codecs", records(10), codec);
    EXPECT_EQ(cluster->end_offset("codecs", 0), 50);
    EXPECT_EQ(kafka->read("codecs").size(), 50u);
}

TEST_F(kafkas_own_clients, write_without_idempotence_and_without_waiting) {
    cluster->create_topic({"careless", 1});
    const json::object careless{{"enable.idempotence", "false"}, {"acks", "0"}};
    kafka->produce_many("careless", 1, 100, 20, careless);
    eventually("records are there", 10s, [] { return cluster->end_offset("careless", 0) == 100; });
}

TEST_F(kafkas_own_clients, read_what_the_test_produced) {
    cluster->create_topic({"prepared", 1});
    cluster->produce("prepared", 0, {{.key = "k", .value = "v", .headers = {{"h", "x"}}}, {.key = "deleted"}});
    const auto read = kafka->read("prepared");
    ASSERT_EQ(read.size(), 2u);
    const auto first = json::parse(read[0]);
    EXPECT_EQ(first.at("value"), "v");
    EXPECT_EQ(first.at("headers"), json::parse(R"([["h","x"]])"));
    EXPECT_TRUE(json::parse(read[1]).at("value").is_null());
}

TEST_F(kafkas_own_clients, delete_records_and_ask_for_offsets) {
    cluster->create_topic({"shortened", 1});
    kafka->produce("shortened", records(10));
    kafka->delete_records("shortened", 0, 4);
    const auto offsets = kafka->call("offsets", {{"topic", "shortened"}});
    EXPECT_EQ(offsets.at(0).at("beginning").to_number<int>(), 4);
    EXPECT_EQ(offsets.at(0).at("end").to_number<int>(), 10);
    EXPECT_THROW(kafka->delete_records("shortened", 0, 11), std::runtime_error);
}

TEST_F(kafkas_own_clients, commit_and_abort_transactions) {
    cluster->create_topic({"transactions", 1});
    const json::object producer{{"id", "teller"}};
    kafka->call("transaction_begin", producer);
    send("teller", "transactions", 3);
    EXPECT_EQ(kafka->read("transactions").size(), 0u);
    EXPECT_EQ(kafka->read("transactions", "read_uncommitted").size(), 3u);
    kafka->call("transaction_commit", producer);
    EXPECT_EQ(kafka->read("transactions").size(), 3u);

    kafka->call("transaction_begin", producer);
    send("teller", "transactions", 5);
    kafka->call("transaction_abort", producer);
    kafka->call("transaction_begin", producer);
    send("teller", "transactions", 2);
    kafka->call("transaction_commit", producer);
    EXPECT_EQ(kafka->read("transactions").size(), 5u);
    EXPECT_EQ(kafka->read("transactions", "read_uncommitted").size(), 10u);
}

TEST_F(kafkas_own_clients, leave_transactions_that_time_out) {
    cluster->create_topic({"abandoned", 1});
    kafka->call("transaction_begin", {{"id", "forgetful"}, {"timeout_ms", 1000}});
    send("forgetful", "abandoned", 3);
    kafka->call("transaction_abandon", {{"id", "forgetful"}});
    const auto stable_end = [] {
        const auto offsets = kafka->call("offsets", {{"topic", "abandoned"}, {"isolation", "read_committed"}});
        return offsets.at(0).at("end").to_number<int>();
    };
    eventually("the transaction is aborted", 10s, [&] { return stable_end() == 4; });
    EXPECT_EQ(kafka->read("abandoned").size(), 0u);
}

TEST_F(kafkas_own_clients, consume_as_members_that_share_and_take_over) {
    cluster->create_topic({"shared", 4});
    kafka->produce("shared", records(40, 4));
    kafka->call("member_start", {{"id", "one"}, {"group", "readers"}, {"topics", json::array{"shared"}}});
    eventually("one reads all", 20s, [] { return lines(kafka->call("member_lines", {{"id", "one"}})) == 40; });
    EXPECT_EQ(kafka->group_state("readers"), "stable");

    kafka->call("member_start", {{"id", "two"}, {"group", "readers"}, {"topics", json::array{"shared"}}});
    eventually("both have their share", 20s, [] {
        const auto group = kafka->describe_group("readers");
        if (group.at("state") != "stable" || lines(group.at("members")) != 2) return false;
        for (const auto& member : group.at("members").as_array()) {
            if (lines(member.at("assignment")) != 2) return false;
        }
        return true;
    });
    const auto of_one = lines(kafka->call("member_stop", {{"id", "one"}}));
    kafka->produce("shared", records(8, 4));
    eventually("two reads on", 20s, [&] { return of_one + lines(kafka->call("member_lines", {{"id", "two"}})) >= 48; });
    EXPECT_EQ(of_one + lines(kafka->call("member_stop", {{"id", "two"}})), 48u);
    EXPECT_EQ(kafka->group_state("readers"), "empty");
    const auto committed = kafka->committed("readers");
    EXPECT_EQ(committed, (std::map<std::string, std::int64_t>{
                             {"shared-0", 12}, {"shared-1", 12}, {"shared-2", 12}, {"shared-3", 12}}));
}

TEST_F(kafkas_own_clients, administer_groups) {
    cluster->create_topic({"accounted", 1});
    EXPECT_EQ(kafka->group_state("accountants"), "none");
    kafka->call("commit", {{"group", "accountants"}, {"topic", "accounted"}, {"offset", 7}});
    EXPECT_EQ(kafka->committed("accountants"), (std::map<std::string, std::int64_t>{{"accounted-0", 7}}));
    kafka->call("alter_group",
                {{"group", "accountants"}, {"config", json::object{{"consumer.session.timeout.ms", "50000"}}}});
    kafka->call("delete_group", {{"group", "accountants"}});
    EXPECT_TRUE(kafka->committed("accountants").empty());
}

TEST_F(kafkas_own_clients, follow_leaders_and_coordinators_that_move) {
    cluster->create_topic({"moving", 1, 3});
    kafka->call("member_start", {{"id", "mover"}, {"group", "movers"}, {"topics", json::array{"moving"}}});
    for (int broker = 1; broker <= 3; ++broker) {
        cluster->move_leader("moving", 0, broker);
        cluster->move_coordinator("movers", broker);
        kafka->produce("moving", records(5));
        const auto wanted = std::size_t{5} * static_cast<std::size_t>(broker);
        eventually("it reads on", 20s, [&] { return lines(kafka->call("member_lines", {{"id", "mover"}})) == wanted; });
    }
    cluster->stop_broker(3);
    kafka->produce("moving", records(5));
    eventually("it reads on without the broker", 20s,
               [] { return lines(kafka->call("member_lines", {{"id", "mover"}})) == 20; });
    cluster->start_broker(3);
    EXPECT_EQ(lines(kafka->call("member_stop", {{"id", "mover"}})), 20u);
}

}  // namespace
}  // namespace strandline
