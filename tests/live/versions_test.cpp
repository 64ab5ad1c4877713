// The basic cases against brokers of other versions: what we speak down to, and where groups exist.
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/live/kafka_cluster.hpp"
#include "tests/live/patience.hpp"
#include "tests/live/record_lines.hpp"
#include "tests/live/tool.hpp"

namespace strandline::live {
namespace {

using namespace std::chrono_literals;

class broker_version : public testing::TestWithParam<const char*> {
public:
    kafka_cluster cluster{{.name = std::string("version-") + GetParam(), .version = GetParam()}};
    kafka_helper& kafka() { return cluster.kafka(); }
};

class broker_version_with_groups : public broker_version {};

TEST_P(broker_version, is_read_by_hand_in_every_codec_and_isolation) {
    kafka().create_topic("values", 2);
    for (const auto* codec : {"none", "gzip", "snappy", "lz4", "zstd"}) {
        kafka().call("produce_many", {{"topic", "values"}, {"partitions", 2}, {"count", 200}, {"compression", codec}});
        kafka().call("transaction_begin", {{"id", "t"}});
        kafka().call("transaction_send",
                     {{"id", "t"}, {"topic", "values"}, {"records", {{{"partition", 0}, {"value", nullptr}}}}});
        kafka().call("transaction_abort", {{"id", "t"}});
    }
    for (const auto* isolation : {"read_committed", "read_uncommitted"}) {
        const auto run = consume(cluster, {"-e", "-X", std::string("isolation.level=") + isolation, "values"});
        EXPECT_EQ(run.status, 0) << run.errors;
        EXPECT_TRUE(same_records(run.lines, kafka().read("values", isolation)));
    }
    const auto tail = consume(cluster, {"-p", "1", "-o", "-3", "-e", "values"});
    EXPECT_EQ(tail.lines.size(), 3U) << tail.errors;

    const auto run = start_consume(cluster, {"-o", "end", "values"});
    kafka().call("produce_start", {{"id", "s"}, {"topic", "values"}, {"rate", 200}});
    ASSERT_TRUE(run->output().wait_for_lines(100, 20s)) << run->errors().text();
    kafka().call("produce_stop", {{"id", "s"}});
    EXPECT_EQ(interrupt(*run).status, 0);
}

TEST_P(broker_version_with_groups, resumes_and_shares_in_a_group) {
    kafka().create_topic("shared", 3);
    kafka().produce_many("shared", 3, 300);
    const auto first = consume(cluster, {"-g", "g", "-o", "beginning", "-c", "100", "shared"});
    EXPECT_EQ(first.status, 0) << first.errors;
    const auto member = start_consume(cluster, {"-g", "g", "-o", "beginning", "shared"});
    ASSERT_TRUE(member->output().wait_for_lines(200, 20s)) << member->errors().text();
    const auto other = start_consume(cluster, {"-g", "g", "-o", "beginning", "shared"});
    eventually("both members share", 20s, [&] {
        const auto description = kafka().describe_group("g");
        return description.at("state") == "stable" && description.at("members").as_array().size() == 2;
    });
    kafka().produce_many("shared", 3, 300);
    eventually("everything was printed", 20s,
               [&] { return member->output().count() + other->output().count() >= 500; });
    const auto one = interrupt(*member);
    const auto two = interrupt(*other);
    EXPECT_EQ(one.status, 0) << one.errors;
    EXPECT_EQ(two.status, 0) << two.errors;
    EXPECT_TRUE(each_record_once({first.lines, one.lines, two.lines}, kafka().read("shared")));
    EXPECT_EQ(kafka().committed("g"),
              (std::map<std::string, std::int64_t>{{"shared-0", 200}, {"shared-1", 200}, {"shared-2", 200}}));
}

const auto version_name = [](const auto& info) {
    std::string name = info.param;
    std::ranges::replace(name, '.', '_');
    return name;
};

// 3.9 offers the consumer protocol only as a preview that is switched off.
INSTANTIATE_TEST_SUITE_P(kafka, broker_version, testing::Values("3.9.2", "4.0.2", "4.1.2", "4.2.1", "4.3.1"),
                         version_name);
INSTANTIATE_TEST_SUITE_P(kafka, broker_version_with_groups, testing::Values("4.0.2", "4.1.2", "4.2.1", "4.3.1"),
                         version_name);

}  // namespace
}  // namespace strandline::live
