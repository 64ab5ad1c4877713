// Where the tool starts, where it ends, and what it prints in between.
#include <atomic>
#include <regex>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/system/tool_test_rig.hpp"

namespace strandline::system_tests {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

TEST(tool_consume, reads_every_partition_by_hand_and_commits_nothing) {
    testkit::fake_cluster cluster({.topics = {{"orders", 2}}});
    cluster.produce("orders", 0, numbered(0, 2));
    cluster.produce("orders", 1, numbered(2, 2));
    const auto tool = run_tool(consume(cluster, {"-e", "-f", "%p:%o=%s\\n", "orders"}));
    EXPECT_EQ(tool.status, 0) << tool.errors;
    EXPECT_THAT(tool.output, UnorderedElementsAre("0:0=0", "0:1=1", "1:0=2", "1:1=3"));
    EXPECT_EQ(tool.errors, "");
    EXPECT_EQ(cluster.requests_seen(testkit::api::consumer_group_heartbeat), 0U);
}

TEST(tool_consume, reads_only_the_partitions_it_was_told_to) {
    testkit::fake_cluster cluster({.topics = {{"orders", 4}}});
    for (int p = 0; p < 4; ++p) cluster.produce("orders", p, numbered(p, 1));
    const auto tool = run_tool(consume(cluster, {"-e", "-p", "0,2-3", "orders"}));
    EXPECT_THAT(tool.output, UnorderedElementsAre("0", "2", "3"));
    const auto missing = run_tool(consume(cluster, {"-p", "4", "orders"}));
    EXPECT_EQ(missing.status, 1);
    EXPECT_THAT(missing.errors, HasSubstr("partition 4 of topic orders does not exist"));
}

TEST(tool_consume, starts_where_it_is_told_to) {
    testkit::fake_cluster cluster({.topics = {{"orders", 1}}});
    auto records = numbered(0, 10);
    for (int i = 0; i < 10; ++i) {
        records[static_cast<std::size_t>(i)].timestamp =
            std::chrono::sys_time<std::chrono::milliseconds>(std::chrono::milliseconds(1'700'000'000'000 + i * 1000));
    }
    cluster.produce("orders", 0, records);
    const auto from = [&](const std::string& where) {
        return run_tool(consume(cluster, {"-e", "-o", where, "orders"})).output;
    };
    EXPECT_EQ(from("beginning"), numbers(0, 10));
    EXPECT_EQ(from("end"), numbers(0, 0));
    EXPECT_EQ(from("7"), numbers(7, 3));
    EXPECT_EQ(from("10"), numbers(0, 0));
    EXPECT_EQ(from("-2"), numbers(8, 2));
    EXPECT_EQ(from("-100"), numbers(0, 10));
    EXPECT_EQ(from("@1700000004000"), numbers(4, 6));
    EXPECT_EQ(from("@2023-11-14T22:13:24.001Z"), numbers(5, 5));
    EXPECT_EQ(from("@-1h"), numbers(0, 0));
}

// tickets: B103
TEST(tool_consume, starts_at_the_log_start_with_a_note_and_refuses_what_lies_above_the_end) {
    testkit::fake_cluster cluster({.topics = {{"orders", 1}}});
    cluster.produce("orders", 0, numbered(0, 10));
    cluster.delete_records_before("orders", 0, 6);
    const auto below = run_tool(consume(cluster, {"-e", "-o", "2", "orders"}));
    EXPECT_EQ(below.status, 0);
    EXPECT_EQ(below.output, numbers(6, 4));
    EXPECT_THAT(below.errors, HasSubstr("orders-0: nothing is left below 6"));
    EXPECT_EQ(run_tool(consume(cluster, {"-q", "-e", "-o", "2", "orders"})).errors, "");

    const auto above = run_tool(consume(cluster, {"-o", "11", "orders"}));
    EXPECT_EQ(above.status, 1);
    EXPECT_THAT(above.errors, HasSubstr("orders-0 ends at 10"));
}

TEST(tool_consume, says_that_a_topic_does_not_exist_and_does_not_make_it) {
    testkit::fake_cluster cluster({.auto_create_topics = true});
    const auto tool = run_tool(consume(cluster, {"nosuch"}));
    EXPECT_EQ(tool.status, 1);
    EXPECT_THAT(tool.errors, HasSubstr("topic nosuch does not exist"));
    EXPECT_EQ(run_tool(consume(cluster, {"nosuch"})).status, 1);
}

// tickets: B102
TEST(tool_consume, ends_at_the_end_that_each_partition_had_though_more_is_produced) {
    testkit::fake_cluster cluster({.topics = {{"orders", 2}}});
    cluster.produce("orders", 0, numbered(0, 100));
    std::atomic<bool> done = false;
    std::thread producer([&] {
        for (int i = 100; !done; ++i) cluster.produce("orders", i % 2, numbered(i, 1));
    });
    const auto by_hand = run_tool(consume(cluster, {"-e", "orders"}));
    const auto in_group = run_tool(consume(cluster, {"-e", "-g", "g", "-o", "beginning", "orders"}));
    done = true;
    producer.join();
    EXPECT_EQ(by_hand.status, 0);
    EXPECT_GE(by_hand.output.size(), 100U);
    EXPECT_EQ(in_group.status, 0);
    EXPECT_EQ(static_cast<std::int64_t>(in_group.output.size()),
              committed(cluster, "g", "orders", 0) + committed(cluster, "g", "orders", 1));
}

// tickets: B102
TEST(tool_consume, ends_at_once_on_empty_topics) {
    testkit::fake_cluster cluster({.topics = {{"orders", 3}}});
    EXPECT_EQ(run_tool(consume(cluster, {"-e", "orders"})).status, 0);
    EXPECT_EQ(run_tool(consume(cluster, {"-e", "-g", "g", "orders"})).status, 0);
    EXPECT_EQ(committed(cluster, "g", "orders", 2), 0);
}

TEST(tool_consume, stops_after_exactly_as_many_records) {
    testkit::fake_cluster cluster({.topics = {{"orders", 1}}});
    cluster.produce("orders", 0, numbered(0, 10));
    EXPECT_EQ(run_tool(consume(cluster, {"-c", "4", "orders"})).output, numbers(0, 4));
    EXPECT_EQ(run_tool(consume(cluster, {"-c", "50", "-e", "orders"})).output, numbers(0, 10));
}

TEST(tool_consume, stops_when_its_time_is_over) {
    testkit::fake_cluster cluster({.topics = {{"orders", 1}}});
    cluster.produce("orders", 0, numbered(0, 3));
    const auto before = std::chrono::steady_clock::now();
    const auto tool = run_tool(consume(cluster, {"--timeout", "700ms", "orders"}));
    const auto took = std::chrono::steady_clock::now() - before;
    EXPECT_EQ(tool.status, 0);
    EXPECT_EQ(tool.output, numbers(0, 3));
    EXPECT_GE(took, 650ms);
    EXPECT_LT(took, 10s);
}

TEST(tool_consume, prints_odd_values_as_json_that_can_be_read_back) {
    testkit::fake_cluster cluster({.topics = {{"odd", 1}}});
    const auto at = std::chrono::sys_time<std::chrono::milliseconds>(1700ms);
    cluster.produce("odd", 0, {{.timestamp = at}});
    cluster.produce("odd", 0,
                    {{.key = "", .value = "", .headers = {{"h", "1"}, {"h", {}}, {"\xff", ""}}, .timestamp = at}});
    cluster.produce("odd", 0, {{.key = "\xff\xfe", .value = std::string("a\"\\\n\0z", 6), .timestamp = at}});
    const auto tool = run_tool(consume(cluster, {"-e", "-J", "odd"}));
    ASSERT_EQ(tool.output.size(), 3U);
    const std::string begin = R"({"topic":"odd","partition":0,"offset":)";
    const std::string middle = R"(,"timestamp":1700,"timestamp_type":"create","leader_epoch":0,)";
    EXPECT_EQ(tool.output[0], begin + "0" + middle + R"("key":null,"value":null,"headers":[]})");
    EXPECT_EQ(tool.output[1],
              begin + "1" + middle + R"("key":"","value":"","headers":[["h","1"],["h",null],[{"base64":"/w=="},""]]})");
    EXPECT_EQ(tool.output[2],
              begin + "2" + middle + R"("key":{"base64":"//4="},"value":"a\"\\\n\u0000z","headers":[]})");
}

TEST(tool_consume, prints_keys_and_delimiters) {
    testkit::fake_cluster cluster({.topics = {{"orders", 1}}});
    cluster.produce("orders", 0, numbered(0, 2));
    EXPECT_EQ(run_tool(consume(cluster, {"-e", "-K", "\\t", "-D", ";\\n", "orders"})).output,
              (std::vector<std::string>{"k\t0;", "k\t1;"}));
}

TEST(tool_consume, ends_with_one_line_of_figures) {
    testkit::fake_cluster cluster({.topics = {{"orders", 1}}});
    cluster.produce("orders", 0, numbered(0, 10));
    const auto tool = run_tool(consume(cluster, {"-q", "-e", "--stats", "orders"}));
    const std::regex figures(R"(records=10 bytes=20 seconds=\d+\.\d+ records_per_s=\d+ mb_per_s=\d+\.\d+\n)");
    EXPECT_TRUE(std::regex_match(tool.errors, figures)) << tool.errors;
}

}  // namespace
}  // namespace strandline::system_tests
