// Where reading starts and ends: -o in all its forms, -c, -e, -p, and a log that was cut at its beginning.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/live/one_broker.hpp"
#include "tests/live/patience.hpp"
#include "tests/live/record_lines.hpp"
#include "tests/live/tool.hpp"

namespace strandline::live {
namespace {

using namespace std::chrono_literals;

class positions : public one_broker_test {
protected:
    std::vector<std::int64_t> offsets_of(const arguments& given) {
        auto with_end = given;
        with_end.push_back("-e");
        const auto run = consume(cluster(), with_end);
        EXPECT_EQ(run.status, 0) << run.errors;
        std::vector<std::int64_t> offsets;
        for (const auto& record : records_of(run.lines)) offsets.push_back(record.offset);
        return offsets;
    }

    // One partition, record i with time stamp 1000 + i.
    void produce_timed(int count) {
        kafka().create_topic(topic, 1);
        json::array records;
        for (int i = 0; i < count; ++i) {
            records.push_back({{"partition", 0}, {"value", std::to_string(i)}, {"timestamp", 1000 + i}});
        }
        kafka().produce(topic, std::move(records));
    }
};

TEST_F(positions, can_be_named_by_offset_by_distance_from_the_end_and_by_time) {
    produce_timed(10);
    EXPECT_THAT(offsets_of({"-o", "beginning", "-p", "0", topic}), testing::SizeIs(10));
    EXPECT_THAT(offsets_of({"-o", "8", topic}), testing::ElementsAre(8, 9));
    EXPECT_THAT(offsets_of({"-o", "-3", topic}), testing::ElementsAre(7, 8, 9));
    EXPECT_THAT(offsets_of({"-o", "-30", topic}), testing::SizeIs(10));
    EXPECT_THAT(offsets_of({"-o", "@1006", topic}), testing::ElementsAre(6, 7, 8, 9));
    EXPECT_THAT(offsets_of({"-o", "@5000", topic}), testing::IsEmpty());
    EXPECT_THAT(offsets_of({"-o", "end", topic}), testing::IsEmpty());
}

TEST_F(positions, beyond_the_end_and_partitions_that_do_not_exist_are_refused) {
    produce_timed(3);
    EXPECT_EQ(consume(cluster(), {"-o", "4", topic}).status, 1);
    EXPECT_EQ(consume(cluster(), {"-p", "0,3", topic}).status, 1);
    EXPECT_EQ(consume(cluster(), {topic + ".missing"}).status, 1);
}

TEST_F(positions, stop_after_exactly_n_records) {
    produce_timed(10);
    EXPECT_THAT(consume(cluster(), {"-c", "4", topic}).lines, testing::SizeIs(4));
}

TEST_F(positions, from_the_end_see_only_what_comes_later) {
    produce_timed(100);
    kafka().call("produce_start", {{"id", topic}, {"topic", topic}, {"rate", 100}});
    const auto run = consume(cluster(), {"-o", "end", "-c", "20", topic});
    kafka().call("produce_stop", {{"id", topic}});
    const auto records = records_of(run.lines);
    ASSERT_EQ(records.size(), 20U) << run.errors;
    EXPECT_GE(records.front().offset, 100);
    EXPECT_EQ(records.back().offset, records.front().offset + 19) << "nothing is left out";
}

TEST_F(positions, below_the_log_start_begin_there_and_say_so) {
    produce_timed(10);
    kafka().delete_records(topic, 0, 6);
    const auto run = consume(cluster(), {"-o", "2", "-e", topic});
    EXPECT_EQ(run.status, 0);
    EXPECT_TRUE(same_records(run.lines, kafka().read(topic)));
    EXPECT_THAT(run.errors, testing::HasSubstr(topic));
}

TEST_F(positions, of_a_group_below_the_log_start_follow_the_reset_policy_and_say_so) {
    produce_timed(10);
    kafka().call("commit", {{"group", group}, {"topic", topic}, {"offset", 2}});
    kafka().delete_records(topic, 0, 6);
    const auto none = consume(cluster(), {"-g", group, "-X", "auto.offset.reset=none", "-e", topic});
    EXPECT_EQ(none.status, 1) << none.errors;
    EXPECT_THAT(none.lines, testing::IsEmpty());
    const auto run = consume(cluster(), {"-g", group, "-o", "beginning", "-e", topic});
    EXPECT_EQ(run.status, 0) << run.errors;
    EXPECT_TRUE(same_records(run.lines, kafka().read(topic)));
    EXPECT_THAT(run.errors, testing::HasSubstr(topic));
}

TEST_F(positions, that_the_log_start_overtakes_while_reading_go_on_behind_it) {
    kafka().create_topic(topic, 1);
    kafka().produce_many(topic, 1, 10);
    const auto run = start_consume(cluster(), {"-g", group, "-o", "beginning", topic});
    ASSERT_TRUE(run->output().wait_for_lines(10, 20s)) << run->errors().text();
    // What comes now is deleted before or after it was read; whatever the log still holds must come.
    kafka().produce_many(topic, 1, 5);
    kafka().delete_records(topic, 0, 15);
    kafka().produce_many(topic, 1, 5);
    eventually("the last record was printed", 20s, [&] {
        const auto records = records_of(run->output().lines());
        return !records.empty() && records.back().offset == 19;
    });
    const auto result = interrupt(*run);
    EXPECT_EQ(result.status, 0) << result.errors;
    EXPECT_TRUE(no_record_missing({result.lines}, kafka().read(topic)));
    EXPECT_TRUE(committed_as_printed(kafka().committed(group), result.lines));
}

}  // namespace
}  // namespace strandline::live
