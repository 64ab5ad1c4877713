// The tool as a member of a group: what was printed is what is committed.
#include <csignal>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/system/tool_test_rig.hpp"

namespace strandline::system_tests {
namespace {

using testing::HasSubstr;

TEST(tool_group, commits_exactly_the_records_it_was_to_print_inside_a_batch) {
    testkit::fake_cluster cluster({.topics = {{"orders", 1}}});
    cluster.produce("orders", 0, numbered(0, 10));
    const auto next = [&](const std::string& count) {
        const auto tool = run_tool(consume(cluster, {"-g", "g", "-o", "beginning", "-c", count, "orders"}));
        EXPECT_EQ(tool.status, 0) << tool.errors;
        EXPECT_EQ(tool.errors, "");
        EXPECT_TRUE(cluster.members("g").empty());
        return tool.output;
    };
    EXPECT_EQ(next("3"), numbers(0, 3));
    EXPECT_EQ(committed(cluster, "g", "orders"), 3);
    EXPECT_EQ(next("4"), numbers(3, 4));
    EXPECT_EQ(next("3"), numbers(7, 3));
    EXPECT_EQ(committed(cluster, "g", "orders"), 10);
}

TEST(tool_group, commits_the_positions_of_the_partitions_it_printed_nothing_of) {
    testkit::fake_cluster cluster({.topics = {{"orders", 4}}});
    for (int p = 0; p < 3; ++p) cluster.produce("orders", p, numbered(p * 10, 5));
    ASSERT_EQ(run_tool(consume(cluster, {"-g", "g", "-o", "beginning", "-c", "7", "orders"})).status, 0);
    std::int64_t sum = 0;
    for (int p = 0; p < 4; ++p) {
        ASSERT_GE(committed(cluster, "g", "orders", p), 0) << p;
        sum += committed(cluster, "g", "orders", p);
    }
    EXPECT_EQ(sum, 7);
    // Without an offset these would be skipped: a new member begins at the end.
    const auto rest = run_tool(consume(cluster, {"-g", "g", "-e", "orders"}));
    EXPECT_EQ(rest.output.size(), 8U);
}

TEST(tool_group, commits_what_it_printed_and_leaves_when_it_is_interrupted) {
    testkit::fake_cluster cluster({.topics = {{"orders", 2}}});
    cluster.produce("orders", 0, numbered(0, 5));
    cluster.produce("orders", 1, numbered(5, 5));
    tool_process tool(consume(cluster, {"-g", "g", "-o", "beginning", "orders"}));
    EXPECT_EQ(tool.lines(10).size(), 10U);
    tool.send(SIGINT);
    EXPECT_EQ(tool.status(), 0);
    EXPECT_EQ(tool.errors(), "");
    EXPECT_EQ(committed(cluster, "g", "orders", 0), 5);
    EXPECT_EQ(committed(cluster, "g", "orders", 1), 5);
    EXPECT_TRUE(cluster.members("g").empty());
}

TEST(tool_group, says_what_is_not_committed_when_the_coordinator_does_not_answer) {
    testkit::fake_cluster cluster({.topics = {{"orders", 1}}});
    cluster.produce("orders", 0, numbered(0, 5));
    cluster.control(testkit::api::offset_commit, [](testkit::controlled_request& request) { request.drop(); });
    tool_process tool(consume(cluster, {"-g", "g", "-o", "beginning", "orders"}));
    EXPECT_EQ(tool.lines(5).size(), 5U);
    const auto before = std::chrono::steady_clock::now();
    tool.send(SIGTERM);
    EXPECT_EQ(tool.status(), 1);
    EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::milliseconds(6500));
    EXPECT_THAT(tool.errors(), HasSubstr("orders-0 up to 5"));
}

TEST(tool_group, ends_at_once_at_a_second_signal) {
    testkit::fake_cluster cluster({.topics = {{"orders", 1}}});
    cluster.produce("orders", 0, numbered(0, 5));
    cluster.control(testkit::api::offset_commit, [](testkit::controlled_request& request) { request.drop(); });
    tool_process tool(consume(cluster, {"-g", "g", "-o", "beginning", "orders"}));
    EXPECT_EQ(tool.lines(5).size(), 5U);
    tool.send(SIGINT);
    EXPECT_TRUE(eventually([&] { return cluster.requests_seen(testkit::api::offset_commit) > 0; }));
    tool.send(SIGINT);
    EXPECT_EQ(tool.status(), 130);
}

TEST(tool_group, repeats_and_never_skips_after_it_was_killed_before_its_commit) {
    testkit::fake_cluster cluster({.topics = {{"orders", 1}}, .session_timeout = std::chrono::seconds(1)});
    cluster.produce("orders", 0, numbered(0, 20));
    // Written, and the commit never arrives.
    const auto control =
        cluster.control(testkit::api::offset_commit, [](testkit::controlled_request& request) { request.drop(); });
    {
        tool_process tool(consume(cluster, {"-g", "g", "-o", "beginning", "orders"}));
        EXPECT_EQ(tool.lines(20), numbers(0, 20));
        tool.send(SIGKILL);
        EXPECT_EQ(tool.status(), -SIGKILL);
    }
    EXPECT_EQ(committed(cluster, "g", "orders"), -1);
    cluster.uncontrol(control);
    cluster.produce("orders", 0, numbered(20, 5));
    const auto again =
        run_tool(consume(cluster, {"-g", "g", "-o", "beginning", "-c", "25", "--timeout", "20s", "orders"}));
    EXPECT_EQ(again.output, numbers(0, 25));
}

TEST(tool_group, continues_behind_its_last_commit_after_it_was_killed) {
    testkit::fake_cluster cluster({.topics = {{"orders", 1}}, .session_timeout = std::chrono::seconds(1)});
    cluster.produce("orders", 0, numbered(0, 20));
    std::set<std::string> printed;
    {
        tool_process tool(
            consume(cluster, {"-g", "g", "-o", "beginning", "-X", "auto.commit.interval.ms=1", "orders"}));
        for (const auto& line : tool.lines(20)) printed.insert(line);
        EXPECT_TRUE(eventually([&] { return committed(cluster, "g", "orders") > 0; }));
        tool.send(SIGKILL);
        EXPECT_EQ(tool.status(), -SIGKILL);
    }
    const auto kept = committed(cluster, "g", "orders");
    cluster.produce("orders", 0, numbered(20, 5));
    const auto again = run_tool(consume(
        cluster, {"-g", "g", "-o", "beginning", "-c", std::to_string(25 - kept), "--timeout", "20s", "orders"}));
    EXPECT_EQ(again.output, numbers(static_cast<int>(kept), static_cast<int>(25 - kept)));
}

// `| less`, and a long look at the first page.
TEST(tool_group, comes_back_to_the_group_when_its_output_stood_for_longer_than_the_poll_interval) {
    testkit::fake_cluster cluster({.topics = {{"orders", 1}}, .heartbeat_interval = std::chrono::milliseconds(50)});
    cluster.produce("orders", 0, numbered(0, 20, std::string(100'000, '.')));
    tool_process tool(consume(cluster, {"-g", "g", "-o", "beginning", "-e", "-X", "max.poll.records=5", "-X",
                                        "max.poll.interval.ms=300", "orders"}));
    ASSERT_TRUE(eventually([&] { return !cluster.members("g").empty(); }));
    ASSERT_TRUE(eventually([&] { return cluster.members("g").empty(); }));
    const auto read = tool.rest();
    ASSERT_FALSE(read.empty());
    EXPECT_TRUE(read.back().starts_with("19."));
    EXPECT_GE(read.size(), 20U);
    EXPECT_TRUE(tool.says("max.poll.interval.ms"));
    EXPECT_EQ(tool.status(), 0);
    EXPECT_EQ(committed(cluster, "g", "orders"), 20);
}

TEST(tool_group, waits_for_a_topic_that_does_not_exist_with_a_note) {
    testkit::fake_cluster cluster({.auto_create_topics = true});
    tool_process tool(
        consume(cluster, {"-g", "g", "-o", "beginning", "-c", "2", "-X", "metadata.max.age.ms=200", "later"}));
    EXPECT_TRUE(tool.says("topic later does not exist"));
    cluster.create_topic({"later", 1});
    cluster.produce("later", 0, numbered(0, 2));
    EXPECT_EQ(tool.lines(2), numbers(0, 2));
    EXPECT_EQ(tool.status(), 0);
}

TEST(tool_group, ends_as_a_member_without_partitions) {
    testkit::fake_cluster cluster({.topics = {{"orders", 1}}});
    cluster.produce("orders", 0, numbered(0, 2));
    tool_process owner(consume(cluster, {"-g", "g", "-o", "beginning", "orders"}));
    EXPECT_EQ(owner.lines(2).size(), 2U);
    const auto second = run_tool(consume(cluster, {"-g", "g", "-e", "orders"}));
    EXPECT_EQ(second.status, 0);
    EXPECT_TRUE(second.output.empty());
    owner.send(SIGINT);
    EXPECT_EQ(owner.status(), 0);
}

TEST(tool_group, fails_where_there_is_no_offset_and_none_is_to_be_found) {
    testkit::fake_cluster cluster({.topics = {{"orders", 1}}});
    const auto tool = run_tool(consume(cluster, {"-g", "g", "-X", "auto.offset.reset=none", "orders"}));
    EXPECT_EQ(tool.status, 1);
    EXPECT_THAT(tool.errors, testing::AllOf(HasSubstr("orders-0"), HasSubstr("auto.offset.reset")));
}

TEST(tool_group, notes_that_a_committed_offset_is_out_of_range) {
    testkit::fake_cluster cluster({.topics = {{"orders", 1}}});
    cluster.produce("orders", 0, numbered(0, 10));
    ASSERT_EQ(run_tool(consume(cluster, {"-g", "g", "-o", "beginning", "-c", "3", "orders"})).status, 0);
    cluster.delete_records_before("orders", 0, 6);
    const auto tool = run_tool(consume(cluster, {"-g", "g", "-o", "beginning", "-c", "4", "orders"}));
    EXPECT_EQ(tool.output, numbers(6, 4));
    EXPECT_THAT(tool.errors, HasSubstr("orders-0: the committed offset 3 is out of range"));
}

}  // namespace
}  // namespace strandline::system_tests
