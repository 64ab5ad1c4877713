// Beginning and end: threads, wakeup, close in every weather.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "tests/system/consumer_test_rig.hpp"

namespace strandline::system_tests {
namespace {

using clock = std::chrono::steady_clock;

// Names of this process's threads, as the operating system shows them.
std::multiset<std::string> thread_names() {
    std::multiset<std::string> names;
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
        std::string name;
        std::getline(std::ifstream(task.path() / "comm") >> std::ws, name);
        names.insert(name);
    }
    return names;
}

TEST(lifecycle, a_consumer_has_exactly_one_thread_of_its_documented_name) {
    testkit::fake_cluster cluster({.topics = {{"orders", 1}}, .heartbeat_interval = 50ms});
    cluster.produce("orders", 0, numbered(0, 1));
    const auto before = thread_names();
    {
        auto config = member_of(cluster, "counted");
        // A name that nobody resolves, beside one that works.
        config.bootstrap_servers = "no-such-host.invalid:9092," + config.bootstrap_servers;
        consumer reader(config);
        EXPECT_EQ(thread_names().size(), before.size() + 1);
        reader.subscribe({"orders"});
        ASSERT_EQ(read(reader, 1).size(), 1u);
        EXPECT_EQ(thread_names().size(), before.size() + 1);
        EXPECT_EQ(thread_names().count("strandline"), before.count("strandline") + 1);
    }
    EXPECT_EQ(thread_names(), before);
}

// tickets: KAFKA-19394 (D8) B97
TEST(lifecycle, construction_reports_everything_that_is_wrong_at_once) {
    consumer_config config;
    config.fetch_min_bytes = -1;
    config.request_timeout = -5ms;
    const auto made = consumer::create(config);
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error(), errc::invalid_configuration);
    for (const char* key : {"bootstrap.servers", "fetch.min.bytes", "request.timeout.ms"}) {
        EXPECT_NE(made.error().message().find(key), std::string::npos) << made.error().message();
    }
}

TEST(lifecycle, wakeup_interrupts_exactly_one_poll) {
    testkit::fake_cluster cluster({.topics = {{"orders", 1}}});
    consumer reader({.bootstrap_servers = cluster.bootstrap_servers()});
    reader.assign({{"orders", 0}});
    reader.wakeup();
    reader.wakeup();
    const auto interrupted = reader.try_poll(10s);
    ASSERT_FALSE(interrupted);
    EXPECT_EQ(interrupted.error(), errc::woken_up);
    EXPECT_TRUE(reader.try_poll(10ms));
    worker waker([&] { reader.wakeup(); });
    const auto again = reader.try_poll(20s);
    ASSERT_FALSE(again);
    EXPECT_EQ(again.error(), errc::woken_up);
}

TEST(lifecycle, close_is_quick_with_a_long_poll_in_flight) {
    testkit::fake_cluster cluster({.topics = {{"orders", 1}}});
    auto config = member_of(cluster, "quick");
    config.fetch_max_wait = 20s;
    consumer reader(config);
    reader.subscribe({"orders"});
    ASSERT_TRUE(poll_until(reader, [&] { return cluster.requests_seen(testkit::api::fetch) > 0; }));
    const auto begun = clock::now();
    EXPECT_TRUE(reader.close(10s).complete());
    EXPECT_LT(clock::now() - begun, 5s);
    EXPECT_TRUE(cluster.members("quick").empty());
}

// tickets: (D12) KAFKA-18569 (D1)
TEST(lifecycle, close_returns_by_its_deadline_when_the_brokers_are_gone_and_says_what_was_left) {
    testkit::fake_cluster cluster({.topics = {{"orders", 1}}});
    cluster.produce("orders", 0, numbered(0, 3));
    consumer reader(member_of(cluster, "stranded"));
    reader.subscribe({"orders"});
    ASSERT_EQ(read(reader, 3).size(), 3u);
    cluster.stop_broker(1);
    const auto begun = clock::now();
    const auto report = reader.close(2s);
    EXPECT_LT(clock::now() - begun, 4s);
    EXPECT_FALSE(report.complete());
    EXPECT_EQ(report.uncommitted.at({"orders", 0}).offset, 3);
}

// tickets: (D12) B80
TEST(lifecycle, close_returns_by_its_deadline_when_a_broker_hangs) {
    testkit::fake_cluster cluster({.topics = {{"orders", 1}}});
    cluster.produce("orders", 0, numbered(0, 3));
    consumer reader(member_of(cluster, "frozen"));
    reader.subscribe({"orders"});
    ASSERT_EQ(read(reader, 3).size(), 3u);
    cluster.control(testkit::api::offset_commit, [](testkit::controlled_request& request) { request.drop(); });
    const auto begun = clock::now();
    EXPECT_FALSE(reader.close(1s).complete());
    EXPECT_LT(clock::now() - begun, 3s);
}

TEST(lifecycle, close_before_anything_was_asked_for_touches_no_network) {
    consumer reader({.bootstrap_servers = "127.0.0.1:1"});
    const auto begun = clock::now();
    EXPECT_TRUE(reader.close(5s).complete());
    EXPECT_LT(clock::now() - begun, 1s);
    EXPECT_EQ(reader.try_poll(1s).error(), errc::consumer_closed);
}

TEST(lifecycle, records_outlive_their_consumer) {
    testkit::fake_cluster cluster({.topics = {{"orders", 1}}});
    cluster.produce("orders", 0, numbered(0, 3));
    std::vector<partition_records> kept;
    {
        consumer reader({.bootstrap_servers = cluster.bootstrap_servers()});
        reader.assign({{"orders", 0}});
        reader.seek_to_beginning();
        const auto deadline = clock::now() + patience;
        while (kept.empty() && clock::now() < deadline) kept = reader.poll(100ms).by_partition();
    }
    std::vector<std::string> values;
    for (auto& part : kept) {
        for (const record& one : part) values.emplace_back(*one.value_text());
    }
    EXPECT_EQ(values, (std::vector<std::string>{"0", "1", "2"}));
}

TEST(lifecycle, an_unreachable_cluster_is_named_with_its_reason) {
    consumer reader({.bootstrap_servers = "127.0.0.1:1"});
    reader.assign({{"orders", 0}});
    const auto deadline = clock::now() + patience;
    std::string why;
    while (why.find("127.0.0.1:1") == std::string::npos && clock::now() < deadline) {
        EXPECT_TRUE(reader.poll(50ms).empty());
        why = to_string(reader.explain());
    }
    EXPECT_NE(why.find("refused"), std::string::npos) << why;
}

}  // namespace
}  // namespace strandline::system_tests
