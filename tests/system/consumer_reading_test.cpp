// A consumer reads from the fake cluster, by hand and in a group.
#include <chrono>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <strandline/consumer.hpp>
#include <strandline/testkit/fake_cluster.hpp>

namespace strandline {
namespace {

using namespace std::chrono_literals;

std::vector<testkit::fake_record> numbered(int from, int count) {
    std::vector<testkit::fake_record> records;
    for (int i = from; i < from + count; ++i) records.push_back({.key = "k", .value = "value " + std::to_string(i)});
    return records;
}

// Polls until `wanted` records have come, or gives up after ten seconds.
std::vector<std::string> read(consumer& from, std::size_t wanted) {
    std::vector<std::string> values;
    const auto deadline = std::chrono::steady_clock::now() + 10s;
    while (values.size() < wanted && std::chrono::steady_clock::now() < deadline) {
        for (const record& one : from.poll(100ms)) values.emplace_back(one.value_text().value_or("null"));
    }
    return values;
}

TEST(consumer, reads_an_assigned_partition_from_its_beginning) {
    testkit::fake_cluster cluster({.topics = {{"orders", 1}}});
    cluster.produce("orders", 0, numbered(0, 3));
    consumer reader({.bootstrap_servers = cluster.bootstrap_servers()});
    reader.assign({{"orders", 0}});
    reader.seek_to_beginning();
    EXPECT_EQ(read(reader, 3), (std::vector<std::string>{"value 0", "value 1", "value 2"}));
}

TEST(consumer, reads_a_subscribed_topic_as_a_member_and_commits_what_was_processed) {
    testkit::fake_cluster cluster({.topics = {{"orders", 2}}});
    cluster.produce("orders", 0, numbered(0, 5));
    cluster.produce("orders", 1, numbered(5, 5));
    {
        consumer reader({.bootstrap_servers = cluster.bootstrap_servers(),
                         .group_id = "billing",
                         .auto_offset_reset = offset_reset::earliest});
        reader.subscribe({"orders"});
        EXPECT_EQ(read(reader, 10).size(), 10u);
        const auto report = reader.close();
        EXPECT_TRUE(report.complete());
    }
    const auto committed = cluster.committed("billing");
    ASSERT_EQ(committed.size(), 2u);
    EXPECT_EQ(committed.at({"orders", 0}).offset, 5);
    EXPECT_EQ(committed.at({"orders", 1}).offset, 5);
    EXPECT_TRUE(cluster.members("billing").empty());
}

}  // namespace
}  // namespace strandline
