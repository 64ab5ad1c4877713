// Topics that change under a member: made after it subscribed, grown, deleted and made again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/live/group_run.hpp"
#include "tests/live/one_broker.hpp"
#include "tests/live/patience.hpp"
#include "tests/live/record_lines.hpp"

namespace strandline::live {
namespace {

using namespace std::chrono_literals;
using changing_topics = one_broker_test;

TEST_F(changing_topics, made_after_the_subscription_are_read) {
    group_run run(cluster(), group, topic);
    auto& member = run.join();
    eventually("the member has joined", 20s,
               [&] { return !kafka().describe_group(group).at("members").as_array().empty(); });
    EXPECT_TRUE(member.errors().wait_for_text(topic, 10s)) << "it says that the topic is missing";
    kafka().create_topic(topic, 2);
    kafka().produce_many(topic, 2, 10);
    run.await_lines_in_all(10);
    run.interrupt_all();
    EXPECT_TRUE(same_records(run.lines()[0], kafka().read(topic)));
}

TEST_F(changing_topics, that_grow_are_read_whole) {
    kafka().create_topic(topic, 1);
    kafka().produce_many(topic, 1, 10);
    group_run run(cluster(), group, topic);
    run.join();
    run.await_lines_in_all(10);
    kafka().create_partitions(topic, 4);
    kafka().produce_many(topic, 4, 40);
    run.await_lines_in_all(50);
    run.await_members(1, 4);
    run.interrupt_all();
    EXPECT_TRUE(same_records(run.lines()[0], kafka().read(topic)));
    EXPECT_TRUE(committed_as_printed(kafka().committed(group), run.lines()[0]));
}

TEST_F(changing_topics, made_again_under_the_same_name_are_read_from_their_beginning) {
    const auto first_id = kafka().create_topic(topic, 2);
    kafka().produce_many(topic, 2, 20);
    group_run run(cluster(), group, topic);
    auto& member = run.join();
    run.await_lines_in_all(20);
    const auto old_records = kafka().read(topic);
    EXPECT_TRUE(same_records(member.output().lines(), old_records));

    kafka().delete_topic(topic);
    EXPECT_NE(kafka().create_topic(topic, 2), first_id);
    kafka().produce_many(topic, 2, 6);
    run.await_lines_in_all(26);
    run.interrupt_all();
    // Smaller offsets than before: nothing of the old topic's positions may be used for the new one.
    EXPECT_TRUE(same_records(member.output().lines_from(20), kafka().read(topic)));
    EXPECT_EQ(kafka().committed(group), (std::map<std::string, std::int64_t>{{topic + "-0", 3}, {topic + "-1", 3}}));
}

}  // namespace
}  // namespace strandline::live
