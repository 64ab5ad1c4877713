// The live tests' own tools, without the library: processes, a real broker, Kafka's clients behind the helper.
#include <csignal>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/live/one_broker.hpp"
#include "tests/live/patience.hpp"
#include "tests/live/record_lines.hpp"

namespace strandline::live {
namespace {

using namespace std::chrono_literals;

TEST(child_process, gives_lines_and_the_exit_status) {
    child_process child({.command = {"sh", "-c", "read line; echo \"got $line\"; echo late >&2; printf tail; exit 3"}});
    child.write("word\n");
    ASSERT_TRUE(child.output().wait_for_lines(1, 10s));
    EXPECT_EQ(child.wait(10s), 3);
    EXPECT_EQ(child.output().lines(), std::vector<std::string>{"got word"});
    EXPECT_EQ(child.output().unfinished(), "tail");
    EXPECT_EQ(child.errors().lines(), std::vector<std::string>{"late"});
}

TEST(child_process, reports_the_signal_that_ended_it) {
    child_process child({.command = {"sleep", "100"}});
    EXPECT_EQ(child.wait(1ms), std::nullopt);
    child.send_signal(SIGTERM);
    EXPECT_EQ(child.wait(10s), 128 + SIGTERM);
}

TEST(child_process, has_a_terminal_when_asked) {
    child_process child({.command = {"sh", "-c", "test -t 2 && echo terminal"}, .terminal_errors = true});
    EXPECT_EQ(child.wait(10s), 0);
    EXPECT_EQ(child.output().lines(), std::vector<std::string>{"terminal"});
}

TEST(record_lines, know_a_record_that_is_missing_and_one_that_came_twice) {
    const auto line = [](int offset) {
        return R"({"topic":"t","partition":0,"offset":)" + std::to_string(offset) + R"(,"value":"é"})";
    };
    EXPECT_TRUE(same_records({line(0), line(1)}, {line(1), line(0)}));
    EXPECT_FALSE(same_records({line(1), line(0)}, {line(0), line(1)})) << "the order within a partition counts";
    EXPECT_FALSE(same_records({line(0)}, {line(0), line(1)}));
    EXPECT_TRUE(each_record_once({{line(0)}, {line(1)}}, {line(0), line(1)}));
    EXPECT_FALSE(each_record_once({{line(0)}, {line(0), line(1)}}, {line(0), line(1)}));
    EXPECT_FALSE(no_record_missing({{line(0)}}, {line(0), line(1)}));
    EXPECT_EQ(next_offsets({line(0), line(4)}), (std::map<std::string, std::int64_t>{{"t-0", 5}}));
}

using harness = one_broker_test;

TEST_F(harness, reads_back_what_was_produced) {
    kafka().create_topic(topic, 2);
    kafka().produce(topic, {{{"partition", 1}, {"key", nullptr}, {"value", ""}, {"timestamp", 7}}}, "lz4");
    EXPECT_EQ(records_of(kafka().read(topic)),
              records_of({R"({"topic":")" + topic +
                          R"(","partition":1,"offset":0,"timestamp":7,"timestamp_type":"create","leader_epoch":0,)" +
                          R"("key":null,"value":"","headers":[]})"}));
}

TEST_F(harness, sees_members_come_and_go) {
    kafka().create_topic(topic, 2);
    kafka().produce_many(topic, 2, 10);
    EXPECT_EQ(kafka().group_state(group), "none");
    kafka().call("member_start", {{"id", group}, {"group", group}, {"topics", json::array{topic}}});
    eventually("the member has read everything", 20s,
               [&] { return kafka().call("member_lines", {{"id", group}}).as_array().size() == 10; });
    EXPECT_EQ(kafka().group_state(group), "stable");
    kafka().call("member_stop", {{"id", group}});
    EXPECT_EQ(kafka().group_state(group), "empty");
    EXPECT_EQ(kafka().committed(group), (std::map<std::string, std::int64_t>{{topic + "-0", 5}, {topic + "-1", 5}}));
}

TEST_F(harness, leaves_out_aborted_transactions) {
    kafka().create_topic(topic, 1);
    for (const auto* end : {"transaction_abort", "transaction_commit"}) {
        kafka().call("transaction_begin", {{"id", group}});
        kafka().call("transaction_send", {{"id", group}, {"topic", topic}, {"records", {{{"value", end}}}}});
        kafka().call(end, {{"id", group}});
    }
    EXPECT_EQ(kafka().read(topic, "read_uncommitted").size(), 2U);
    EXPECT_THAT(kafka().read(topic), testing::ElementsAre(testing::HasSubstr("transaction_commit")));
}

TEST_F(harness, says_what_kafka_refused) { EXPECT_THROW(kafka().delete_topic("nobody.made.this"), std::runtime_error); }

TEST_F(harness, restarts_a_broker_with_its_data) {
    kafka().create_topic(topic, 1);
    kafka().produce_many(topic, 1, 3);
    cluster().stop(1);
    EXPECT_FALSE(cluster().is_running(1));
    cluster().start(1);
    eventually("the records are back", 20s, [&] { return kafka().read(topic).size() == 3; });
    cluster().kill(1);
    cluster().start(1);
    eventually("the records are back after a crash", 20s, [&] { return kafka().read(topic).size() == 3; });
}

}  // namespace
}  // namespace strandline::live
