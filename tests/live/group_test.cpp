// Members of a group: they resume where they stopped, share the work while others come and go, and take over from those
// that die.
#include <csignal>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/live/group_run.hpp"
#include "tests/live/one_broker.hpp"
#include "tests/live/patience.hpp"
#include "tests/live/record_lines.hpp"
#include "tests/live/tool.hpp"

namespace strandline::live {
namespace {

using namespace std::chrono_literals;
using group_members = one_broker_test;

TEST_F(group_members, resume_exactly_after_a_restart) {
    kafka().create_topic(topic, 3);
    kafka().call("produce_many",
                 {{"topic", topic}, {"partitions", 3}, {"count", 3000}, {"compression", "zstd"}, {"value_size", 50}});
    std::vector<std::vector<std::string>> runs;
    for (const auto* count : {"1", "137", "1000"}) {
        const auto run = consume(cluster(), {"-g", group, "-o", "beginning", "-c", count, topic});
        ASSERT_EQ(run.status, 0) << run.errors;
        EXPECT_EQ(run.lines.size(), static_cast<std::size_t>(std::stoi(count)));
        runs.push_back(run.lines);
    }
    const auto rest = consume(cluster(), {"-g", group, "-o", "beginning", "-e", topic});
    ASSERT_EQ(rest.status, 0) << rest.errors;
    runs.push_back(rest.lines);
    EXPECT_TRUE(each_record_once(runs, kafka().read(topic)));
    EXPECT_EQ(kafka().committed(group),
              (std::map<std::string, std::int64_t>{{topic + "-0", 1000}, {topic + "-1", 1000}, {topic + "-2", 1000}}));
    const auto nothing = consume(cluster(), {"-g", group, "-o", "beginning", "-e", topic});
    EXPECT_EQ(nothing.status, 0) << nothing.errors;
    EXPECT_THAT(nothing.lines, testing::IsEmpty());
}

TEST_F(group_members, have_committed_what_they_printed_and_left_when_interrupted) {
    kafka().create_topic(topic, 2);
    group_run run(cluster(), group, topic);
    run.start_producing(2, 2000);
    std::vector<std::string> printed;
    for (const int signal : {SIGINT, SIGTERM}) {
        auto& member = run.join();
        ASSERT_TRUE(member.output().wait_for_lines(1000, 20s)) << member.errors().text();
        member.send_signal(signal);
        const auto result = finish(member, 5s);
        EXPECT_EQ(kafka().group_state(group), "empty") << "left, not timed out";
        EXPECT_EQ(result.status, 0) << result.errors;
        EXPECT_EQ(member.output().unfinished(), "");
        for (const auto& line : result.lines) printed.push_back(line);
        EXPECT_TRUE(committed_as_printed(kafka().committed(group), printed));
    }
    run.stop_producing();
    const auto rest = consume(cluster(), {"-g", group, "-o", "beginning", "-e", topic});
    auto runs = run.lines();
    runs.push_back(rest.lines);
    EXPECT_TRUE(each_record_once(runs, kafka().read(topic)));
}

TEST_F(group_members, share_every_record_once_while_a_third_comes_and_goes) {
    constexpr int partitions = 6;
    kafka().create_topic(topic, partitions);
    group_run run(cluster(), group, topic);
    run.start_producing(partitions, 2000);
    run.join();
    run.join();
    run.await_members(2, partitions);
    run.await_lines_of_each(500);

    auto& third = run.join();
    run.await_members(3, partitions);
    run.await_lines_of_each(500);

    const auto left = interrupt(third);
    EXPECT_EQ(left.status, 0) << left.errors;
    run.await_members(2, partitions);

    const auto produced = run.stop_producing();
    run.await_lines_in_all(produced);
    run.interrupt_all();
    EXPECT_TRUE(each_record_once(run.lines(), kafka().read(topic)));
    EXPECT_EQ(kafka().group_state(group), "empty");
}

TEST_F(group_members, share_with_kafkas_own_consumer) {
    constexpr int partitions = 4;
    kafka().create_topic(topic, partitions);
    group_run run(cluster(), group, topic);
    run.start_producing(partitions, 500);
    run.join();
    run.await_members(1, partitions);
    kafka().call("member_start", {{"id", group}, {"group", group}, {"topics", json::array{topic}}});
    run.await_members(2, partitions);
    const auto theirs_so_far = [&] { return kafka().call("member_lines", {{"id", group}}).as_array().size(); };
    eventually("Kafka's consumer has its part", 20s, [&] { return theirs_so_far() > 200; });
    const auto theirs = json::value_to<std::vector<std::string>>(kafka().call("member_stop", {{"id", group}}));
    run.await_members(1, partitions);
    const auto produced = run.stop_producing();
    run.await_lines_in_all(produced - theirs.size());
    run.interrupt_all();
    auto runs = run.lines();
    runs.push_back(theirs);
    EXPECT_TRUE(each_record_once(runs, kafka().read(topic)));
}

TEST_F(group_members, take_over_from_one_that_was_killed_and_repeat_only_what_it_had_not_committed) {
    constexpr int partitions = 4;
    kafka().create_topic(topic, partitions);
    group_run run(cluster(), group, topic);
    run.start_producing(partitions, 1000);
    auto& victim = run.join();
    run.join();
    run.await_members(2, partitions);
    run.await_lines_of_each(1500);

    victim.send_signal(SIGKILL);
    victim.wait(10s);
    // Nobody else commits for its partitions before its session has run out.
    const auto committed = kafka().committed(group);
    run.await_members(1, partitions);
    const auto produced = run.stop_producing();
    run.await_lines_in_all(produced);
    eventually("the survivor has printed the end of every partition", 20s, [&] {
        const auto ends = next_offsets(run.member(1).output().lines());
        std::int64_t total = 0;
        for (const auto& [partition, next] : ends) total += next;
        return total == static_cast<std::int64_t>(produced);
    });
    run.interrupt_all();

    EXPECT_TRUE(no_record_missing(run.lines(), kafka().read(topic)));
    const auto victims = records_of(run.lines()[0]);
    const std::set<record_line> printed_before(victims.begin(), victims.end());
    for (const auto& record : records_of(run.lines()[1])) {
        if (!printed_before.contains(record)) continue;
        const auto partition = record.topic + "-" + std::to_string(record.partition);
        ASSERT_TRUE(!committed.contains(partition) || record.offset >= committed.at(partition))
            << "printed again although it was committed: " << record.text;
    }
}

}  // namespace
}  // namespace strandline::live
