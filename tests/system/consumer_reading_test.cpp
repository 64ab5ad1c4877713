// A consumer reads from the fake cluster, by hand and in a group.
#include <gtest/gtest.h>

#include "tests/system/consumer_test_rig.hpp"

namespace strandline::system_tests {
namespace {

using texts = std::vector<std::string>;

TEST(reading, an_assigned_partition_is_read_from_its_beginning) {
    testkit::fake_cluster cluster({.topics = {{"orders", 1}}});
    cluster.produce("orders", 0, numbered(0, 3));
    consumer reader({.bootstrap_servers = cluster.bootstrap_servers()});
    reader.assign({{"orders", 0}});
    reader.seek_to_beginning();
    EXPECT_EQ(read(reader, 3), (texts{"0", "1", "2"}));
}

TEST(reading, null_and_empty_keys_values_and_headers_are_kept_apart) {
    testkit::fake_cluster cluster({.topics = {{"odd", 1}}});
    cluster.produce("odd", 0,
                    {{.key = "", .value = ""},
                     {.headers = {{"a", "1"}, {"a", std::nullopt}, {"", ""}}},
                     {.key = "k", .value = std::nullopt}});
    consumer reader({.bootstrap_servers = cluster.bootstrap_servers()});
    reader.assign({{"odd", 0}});
    reader.seek_to_beginning();
    std::vector<owned_record> got;
    ASSERT_TRUE(
        poll_until(reader, [&] { return got.size() >= 3; }, [&](const record& one) { got.push_back(one.to_owned()); }));
    EXPECT_TRUE(got[0].key && got[0].key->empty());
    EXPECT_TRUE(got[0].value && got[0].value->empty());
    EXPECT_FALSE(got[1].key);
    EXPECT_FALSE(got[1].value);
    ASSERT_EQ(got[1].headers.size(), 3u);
    EXPECT_TRUE(got[1].headers[0].value);
    EXPECT_FALSE(got[1].headers[1].value);
    EXPECT_TRUE(got[1].headers[2].value && got[1].headers[2].value->empty());
    EXPECT_TRUE(got[2].key);
    EXPECT_FALSE(got[2].value);
}

TEST(reading, records_that_come_later_end_a_waiting_poll) {
    testkit::fake_cluster cluster({.topics = {{"orders", 1}}});
    consumer reader({.bootstrap_servers = cluster.bootstrap_servers()});
    reader.assign({{"orders", 0}});
    reader.seek_to_beginning();
    ASSERT_EQ(reader.position({"orders", 0}), 0);
    worker producer([&] { cluster.produce("orders", 0, numbered(7, 1)); });
    EXPECT_EQ(read(reader, 1), texts{"7"});
}

TEST(reading, after_a_seek_only_what_was_asked_for_is_delivered) {
    testkit::fake_cluster cluster({.topics = {{"orders", 1}}});
    for (int batch = 0; batch < 10; ++batch) cluster.produce("orders", 0, numbered(batch * 10, 10));
    consumer reader({.bootstrap_servers = cluster.bootstrap_servers()});
    reader.assign({{"orders", 0}});
    reader.seek_to_beginning();
    ASSERT_FALSE(read(reader, 1).empty());
    for (const std::int64_t offset : {50, 3, 99, 0, 42}) {
        reader.seek({"orders", 0}, offset);
        EXPECT_EQ(read(reader, 1).front(), std::to_string(offset));
    }
}

TEST(reading, a_paused_partition_delivers_nothing_and_loses_nothing) {
    testkit::fake_cluster cluster({.topics = {{"orders", 2}}});
    consumer reader({.bootstrap_servers = cluster.bootstrap_servers()});
    const topic_partition paused{"orders", 0};
    const topic_partition flowing{"orders", 1};
    reader.assign({paused, flowing});
    reader.seek_to_beginning();
    reader.pause({paused});
    cluster.produce("orders", 0, numbered(0, 5));
    cluster.produce("orders", 1, numbered(100, 5));
    EXPECT_EQ(read(reader, 5), (texts{"100", "101", "102", "103", "104"}));
    EXPECT_EQ(reader.paused(), partitions{paused});
    reader.resume({paused});
    EXPECT_EQ(read(reader, 5), (texts{"0", "1", "2", "3", "4"}));
}

TEST(reading, offsets_are_found_by_time_and_at_both_ends) {
    testkit::fake_cluster cluster({.topics = {{"orders", 1}}});
    const std::chrono::sys_time<std::chrono::milliseconds> noon(1'700'000'000'000ms);
    cluster.produce("orders", 0, {{.value = "a", .timestamp = noon}, {.value = "b", .timestamp = noon + 1h}});
    cluster.delete_records_before("orders", 0, 1);
    consumer asker({.bootstrap_servers = cluster.bootstrap_servers()});
    const topic_partition partition{"orders", 0};
    EXPECT_EQ(asker.beginning_offsets({partition}).at(partition), 1);
    EXPECT_EQ(asker.end_offsets({partition}).at(partition), 2);
    const auto found = asker.offsets_for_times({{partition, noon + 1min}});
    ASSERT_TRUE(found.at(partition));
    EXPECT_EQ(found.at(partition)->offset, 1);
    EXPECT_FALSE(asker.offsets_for_times({{partition, noon + 2h}}).at(partition));
}

TEST(reading, the_cluster_can_be_asked_what_it_has) {
    testkit::fake_cluster cluster({.topics = {{"orders", 3}, {"bills", 1}}, .auto_create_topics = false});
    consumer asker({.bootstrap_servers = cluster.bootstrap_servers()});
    EXPECT_EQ(asker.partitions_for("orders").size(), 3u);
    EXPECT_TRUE(asker.partitions_for("nothing").empty());
    const auto topics = asker.list_topics();
    EXPECT_TRUE(topics.contains("orders") && topics.contains("bills"));
}

TEST(reading, goes_on_after_its_leader_moved_and_after_the_broker_came_back) {
    testkit::fake_cluster cluster({.topics = {{"orders", 1, 2}}, .brokers = 2});
    cluster.produce("orders", 0, numbered(0, 1));
    consumer reader({.bootstrap_servers = cluster.bootstrap_servers()});
    reader.assign({{"orders", 0}});
    reader.seek_to_beginning();
    ASSERT_EQ(read(reader, 1), texts{"0"});
    cluster.move_leader("orders", 0, 2);
    cluster.produce("orders", 0, numbered(1, 1));
    EXPECT_EQ(read(reader, 1), texts{"1"});
    cluster.stop_broker(2);
    cluster.produce("orders", 0, numbered(2, 1));
    EXPECT_EQ(read(reader, 1), texts{"2"});
    cluster.stop_broker(1);
    cluster.start_broker(1);
    cluster.produce("orders", 0, numbered(3, 1));
    EXPECT_EQ(read(reader, 1), texts{"3"});
}

TEST(reading, a_log_start_behind_the_position_resets_by_policy) {
    testkit::fake_cluster cluster({.topics = {{"orders", 1}}});
    cluster.produce("orders", 0, numbered(0, 10));
    cluster.delete_records_before("orders", 0, 10);
    cluster.produce("orders", 0, numbered(10, 2));
    auto config = member_of(cluster, "late");
    consumer reader(config);
    reader.assign({{"orders", 0}});
    reader.seek({"orders", 0}, 2);
    EXPECT_EQ(read(reader, 2), (texts{"10", "11"}));
}

TEST(reading, a_topic_that_is_made_again_is_another_topic) {
    testkit::fake_cluster cluster({.topics = {{"orders", 1}}, .auto_create_topics = false});
    cluster.produce("orders", 0, numbered(0, 5));
    auto config = member_of(cluster, "again");
    config.metadata_max_age = 200ms;
    consumer reader(config);
    reader.subscribe({"orders"});
    ASSERT_EQ(read(reader, 5).size(), 5u);
    reader.commit();
    cluster.delete_topic("orders");
    cluster.create_topic({"orders", 1});
    cluster.produce("orders", 0, numbered(50, 2));
    EXPECT_EQ(read(reader, 2), (texts{"50", "51"}));
}

}  // namespace
}  // namespace strandline::system_tests
