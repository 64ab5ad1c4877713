// Three brokers that stop, die, freeze and come back while we consume.
#include <csignal>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/live/group_run.hpp"
#include "tests/live/kafka_cluster.hpp"
#include "tests/live/patience.hpp"
#include "tests/live/record_lines.hpp"
#include "tests/live/tool.hpp"

namespace strandline::live {
namespace {

using namespace std::chrono_literals;

kafka_cluster& three_brokers() {
    static kafka_cluster cluster({.name = "three-brokers", .brokers = 3, .heap_megabytes = 384});
    return cluster;
}

class broker_failures : public testing::Test {
protected:
    static constexpr int partitions = 6;

    kafka_cluster& cluster() { return three_brokers(); }
    kafka_helper& kafka() { return cluster().kafka(); }

    void SetUp() override {
        cluster().restore();
        kafka().create_topic(topic, partitions);
    }

    // Lines that came after this call, so that progress after a failure is seen.
    void await_progress(group_run& run) {
        std::size_t before = 0;
        for (const auto& lines : run.lines()) before += lines.size();
        run.await_lines_in_all(before + 500);
    }

    void finish_and_compare(group_run& run) {
        const auto produced = run.stop_producing();
        run.await_lines_in_all(produced);
        run.interrupt_all();
        EXPECT_TRUE(each_record_once(run.lines(), kafka().read(topic)));
        EXPECT_EQ(kafka().group_state(group), "empty");
    }

public:
    std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
    std::string topic = name + ".topic";
    std::string group = name + ".group";
};

TEST_F(broker_failures, one_after_another_stopped_and_started_lose_and_repeat_nothing) {
    group_run run(cluster(), group, topic);
    run.start_producing(partitions, 1000);
    run.join();
    run.await_members(1, partitions);
    for (int broker = 1; broker <= cluster().brokers(); ++broker) {
        cluster().stop(broker);
        await_progress(run);
        cluster().start(broker);
        await_progress(run);
    }
    finish_and_compare(run);
}

TEST_F(broker_failures, a_leader_killed_while_two_members_read_loses_and_repeats_nothing) {
    group_run run(cluster(), group, topic);
    run.start_producing(partitions, 1000);
    run.join();
    run.join();
    run.await_members(2, partitions);
    run.await_lines_of_each(500);
    // Not the coordinator: its loss is another test.
    const int coordinator = kafka().coordinator_of(group);
    int victim = kafka().leader_of(topic, 0);
    for (int partition = 1; partition < partitions && victim == coordinator; ++partition) {
        victim = kafka().leader_of(topic, partition);
    }
    cluster().kill(victim);
    await_progress(run);
    cluster().start(victim);
    await_progress(run);
    finish_and_compare(run);
}

TEST_F(broker_failures, the_coordinator_stopped_keeps_the_member_and_its_commits) {
    group_run run(cluster(), group, topic);
    run.start_producing(partitions, 1000);
    run.join();
    run.await_members(1, partitions);
    run.await_lines_of_each(500);
    const auto member_id = kafka().describe_group(group).at("members").at(0).at("id");
    const int coordinator = kafka().coordinator_of(group);
    cluster().stop(coordinator);
    await_progress(run);
    run.await_members(1, partitions);
    EXPECT_EQ(kafka().describe_group(group).at("members").at(0).at("id"), member_id) << "the same member as before";
    EXPECT_NE(kafka().coordinator_of(group), coordinator);
    const auto produced = run.stop_producing();
    run.await_lines_in_all(produced);
    run.interrupt_all();
    EXPECT_TRUE(each_record_once(run.lines(), kafka().read(topic)));
    EXPECT_TRUE(committed_as_printed(kafka().committed(group), run.lines()[0]));
}

TEST_F(broker_failures, leaders_that_move_are_followed) {
    group_run run(cluster(), group, topic);
    run.start_producing(partitions, 1000);
    run.join();
    run.await_members(1, partitions);
    for (int round = 0; round < 2; ++round) {
        for (int partition = 0; partition < partitions; ++partition) {
            const int next = kafka().leader_of(topic, partition) % cluster().brokers() + 1;
            kafka().call("move_leader", {{"topic", topic}, {"partition", partition}, {"to", next}});
        }
        await_progress(run);
    }
    finish_and_compare(run);
}

TEST_F(broker_failures, a_frozen_leader_does_not_stop_the_other_partitions) {
    group_run run(cluster(), group, topic);
    run.start_producing(partitions, 1000);
    run.join();
    run.await_members(1, partitions);
    run.await_lines_of_each(500);
    const int coordinator = kafka().coordinator_of(group);
    const int frozen = coordinator % cluster().brokers() + 1;
    cluster().freeze(frozen);
    await_progress(run);
    cluster().thaw(frozen);
    cluster().await_alive();
    await_progress(run);
    finish_and_compare(run);
}

TEST_F(broker_failures, of_all_brokers_end_an_interrupted_run_within_its_bound) {
    kafka().produce_many(topic, partitions, 1000);
    group_run run(cluster(), group, topic);
    auto& member = run.join();
    run.await_lines_in_all(1000);
    cluster().stop_all();
    const auto begin = std::chrono::steady_clock::now();
    const auto result = interrupt(member, 8s);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 6s) << result.errors;
    EXPECT_EQ(result.status, 1) << result.errors;
    EXPECT_EQ(result.lines.size(), 1000U);
}

TEST_F(broker_failures, to_answer_end_an_interrupted_run_within_its_bound) {
    kafka().produce_many(topic, partitions, 1000);
    group_run run(cluster(), group, topic);
    auto& member = run.join();
    run.await_lines_in_all(1000);
    for (int broker = 1; broker <= cluster().brokers(); ++broker) cluster().freeze(broker);
    const auto begin = std::chrono::steady_clock::now();
    const auto result = interrupt(member, 8s);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 6s) << result.errors;
    EXPECT_EQ(result.status, 1) << result.errors;
}

}  // namespace
}  // namespace strandline::live
