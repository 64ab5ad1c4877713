// Members of a group: joining, giving up, committing, being thrown out.
#include <atomic>
#include <mutex>

#include <gtest/gtest.h>

#include "tests/system/consumer_test_rig.hpp"

namespace strandline::system_tests {
namespace {

struct recording_listener final : rebalance_listener {
    void on_assigned(strandline::access, const partitions& added) override {
        assigned.insert(added.begin(), added.end());
    }
    void on_revoked(strandline::access access, const partitions& leaving) override {
        revoked.insert(leaving.begin(), leaving.end());
        if (commits) access.commit();
    }
    void on_lost(strandline::access, const partitions& gone) override { lost.insert(gone.begin(), gone.end()); }

    std::set<topic_partition> assigned, revoked, lost;
    bool commits = false;
};

TEST(group, a_member_reads_its_topics_and_its_close_commits_and_leaves) {
    testkit::fake_cluster cluster({.topics = {{"orders", 2}}});
    cluster.produce("orders", 0, numbered(0, 5));
    cluster.produce("orders", 1, numbered(5, 5));
    consumer reader(member_of(cluster, "billing"));
    reader.subscribe({"orders"});
    EXPECT_EQ(read(reader, 10).size(), 10u);
    EXPECT_TRUE(reader.close().complete());
    const auto committed = cluster.committed("billing");
    ASSERT_EQ(committed.size(), 2u);
    EXPECT_EQ(committed.at({"orders", 0}).offset, 5);
    EXPECT_EQ(committed.at({"orders", 1}).offset, 5);
    EXPECT_TRUE(cluster.members("billing").empty());
}

TEST(group, what_an_exception_left_unhandled_is_not_committed) {
    testkit::fake_cluster cluster({.topics = {{"orders", 1}}});
    cluster.produce("orders", 0, numbered(0, 5));
    const auto read_until_it_breaks = [&] {
        consumer reader(member_of(cluster, "careful"));
        reader.subscribe({"orders"});
        static_cast<void>(poll_until(
            reader, [] { return false; },
            [](const record& one) {
                if (one.offset() == 3) throw std::runtime_error("cannot handle this one");
            }));
    };
    EXPECT_THROW(read_until_it_breaks(), std::runtime_error);
    EXPECT_EQ(cluster.committed("careful").at({"orders", 0}).offset, 3);
}

TEST(group, a_restarted_member_goes_on_exactly_where_it_stopped) {
    testkit::fake_cluster cluster({.topics = {{"orders", 1}}});
    cluster.produce("orders", 0, numbered(0, 10));
    std::vector<std::string> all;
    for (int run = 0; run < 5; ++run) {
        auto config = member_of(cluster, "billing");
        config.max_poll_records = 2;
        consumer reader(config);
        reader.subscribe({"orders"});
        for (auto& value : read(reader, 2)) all.push_back(value);
    }
    EXPECT_EQ(all, (std::vector<std::string>{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}));
}

TEST(group, two_members_share_without_losing_or_repeating_a_record_when_one_joins_and_leaves) {
    testkit::fake_cluster cluster({.topics = {{"orders", 6}}, .heartbeat_interval = 100ms});
    std::mutex guard;
    std::multiset<int> seen;
    const auto note = [&](const record& one) {
        const std::lock_guard held(guard);
        seen.insert(std::stoi(std::string(*one.value_text())));
    };
    std::atomic<int> produced{0};
    std::atomic<bool> producing{true};
    worker producer([&] {
        while (producing) {
            const int next = produced;
            cluster.produce("orders", next % 6, numbered(next, 1));
            ++produced;
        }
    });
    const auto all_seen = [&] {
        const std::lock_guard held(guard);
        return !producing && static_cast<int>(seen.size()) >= produced;
    };
    {
        consumer first(member_of(cluster, "shared"));
        first.subscribe({"orders"});
        ASSERT_TRUE(poll_until(first, [&] { return first.assignment().size() == 6; }, note));
        worker second([&] {
            consumer other(member_of(cluster, "shared"));
            other.subscribe({"orders"});
            EXPECT_TRUE(poll_until(other, [&] { return other.assignment().size() == 3; }, note));
            std::size_t more = 0;
            EXPECT_TRUE(poll_until(
                other, [&] { return more >= 20; },
                [&](const record& one) {
                    ++more;
                    note(one);
                }));
        });
        ASSERT_TRUE(poll_until(first, [&] { return first.assignment().size() == 3; }, note));
        ASSERT_TRUE(poll_until(first, [&] { return first.assignment().size() == 6; }, note));
        second.join();
        producing = false;
        producer.join();
        ASSERT_TRUE(poll_until(first, all_seen, note));
    }
    ASSERT_EQ(static_cast<int>(seen.size()), produced);
    for (int i = 0; i < produced; ++i) EXPECT_EQ(seen.count(i), 1u) << "record " << i;
}

TEST(group, the_listener_hears_of_everything_before_it_happens) {
    testkit::fake_cluster cluster({.topics = {{"orders", 2}}, .heartbeat_interval = 100ms});
    cluster.produce("orders", 0, numbered(0, 1));
    recording_listener listener;
    listener.commits = true;
    {
        consumer reader(member_of(cluster, "listening"));
        reader.subscribe({"orders"}, listener);
        ASSERT_EQ(read(reader, 1).size(), 1u);
        EXPECT_EQ(listener.assigned.size(), 2u);
        EXPECT_TRUE(listener.revoked.empty());
    }
    EXPECT_EQ(listener.revoked.size(), 2u);
    EXPECT_TRUE(listener.lost.empty());
    EXPECT_EQ(cluster.committed("listening").at({"orders", 0}).offset, 1);
}

TEST(group, a_fenced_member_loses_its_partitions_and_joins_again) {
    testkit::fake_cluster cluster({.topics = {{"orders", 2}}, .heartbeat_interval = 50ms});
    recording_listener listener;
    consumer reader(member_of(cluster, "fenced"));
    reader.subscribe({"orders"}, listener);
    ASSERT_TRUE(poll_until(reader, [&] { return listener.assigned.size() == 2; }));
    std::atomic<int> left{1};
    constexpr std::int16_t fenced_member_epoch = 110;
    const auto control =
        cluster.control(testkit::api::consumer_group_heartbeat, [&](testkit::controlled_request& request) {
            if (left.fetch_sub(1) == 1) request.fail(fenced_member_epoch);
        });
    ASSERT_TRUE(poll_until(reader, [&] { return listener.lost.size() == 2; }));
    cluster.uncontrol(control);
    listener.assigned.clear();
    cluster.produce("orders", 1, numbered(5, 1));
    EXPECT_EQ(read(reader, 1), std::vector<std::string>{"5"});
}

TEST(group, a_member_that_does_not_poll_in_time_is_told_so_by_its_next_poll_and_comes_back) {
    testkit::fake_cluster cluster({.topics = {{"orders", 1}}, .heartbeat_interval = 50ms});
    auto config = member_of(cluster, "slow");
    config.max_poll_interval = 300ms;
    consumer reader(config);
    reader.subscribe({"orders"});
    ASSERT_TRUE(poll_until(reader, [&] { return reader.assignment().size() == 1; }));
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while (!cluster.members("slow").empty() && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
    ASSERT_TRUE(cluster.members("slow").empty());
    auto told = reader.try_poll(100ms);
    ASSERT_FALSE(told);
    EXPECT_EQ(told.error(), errc::max_poll_exceeded);
    cluster.produce("orders", 0, numbered(1, 1));
    EXPECT_EQ(read(reader, 1), std::vector<std::string>{"1"});
}

TEST(group, commits_go_on_after_the_coordinator_moved) {
    testkit::fake_cluster cluster({.topics = {{"orders", 1}}, .brokers = 2});
    cluster.produce("orders", 0, numbered(0, 3));
    cluster.move_coordinator("moving", 1);
    consumer reader(member_of(cluster, "moving"));
    reader.subscribe({"orders"});
    ASSERT_EQ(read(reader, 3).size(), 3u);
    cluster.move_coordinator("moving", 2);
    reader.commit(10s);
    EXPECT_EQ(cluster.committed("moving").at({"orders", 0}).offset, 3);
}

TEST(group, an_asynchronous_commit_tells_its_result_inside_a_later_poll) {
    testkit::fake_cluster cluster({.topics = {{"orders", 1}}});
    cluster.produce("orders", 0, numbered(0, 3));
    consumer reader(member_of(cluster, "async"));
    reader.subscribe({"orders"});
    ASSERT_EQ(read(reader, 3).size(), 3u);
    std::optional<commit_result> told;
    const auto here = std::this_thread::get_id();
    reader.commit_async([&](const strandline::access&, const commit_result& result) {
        EXPECT_EQ(std::this_thread::get_id(), here);
        told = result;
    });
    ASSERT_TRUE(poll_until(reader, [&] { return told.has_value(); }));
    EXPECT_TRUE(*told);
    EXPECT_EQ(cluster.committed("async").at({"orders", 0}).offset, 3);
}

TEST(group, a_pattern_takes_in_a_topic_that_is_made_later) {
    testkit::fake_cluster cluster({.topics = {{"orders-a", 1}}, .heartbeat_interval = 50ms});
    consumer by_broker(member_of(cluster, "broker-pattern"));
    by_broker.subscribe(subscription_pattern("orders-.*"));
    auto config = member_of(cluster, "client-pattern");
    config.metadata_max_age = 100ms;
    consumer by_client(config);
    by_client.subscribe(topic_pattern("orders-.*"));
    cluster.create_topic({"orders-b", 1});
    cluster.produce("orders-b", 0, numbered(1, 1));
    EXPECT_EQ(read(by_broker, 1), std::vector<std::string>{"1"});
    EXPECT_EQ(read(by_client, 1), std::vector<std::string>{"1"});
}

}  // namespace
}  // namespace strandline::system_tests
