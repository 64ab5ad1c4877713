// What other threads of the application may do while one of them polls, and while the cluster under it changes.
#include <atomic>
#include <limits>
#include <thread>

#include <gtest/gtest.h>

#include "tests/system/consumer_test_rig.hpp"

namespace strandline::system_tests {
namespace {

using clock = std::chrono::steady_clock;

constexpr std::int16_t coordinator_not_available = 15;

// tickets: M21; invariants: V13 V19
TEST(threads, look_while_timers_run_out_metadata_changes_and_a_close_finds_no_coordinator) {
    testkit::fake_cluster cluster({.topics = {{"orders", 4, 2}}, .brokers = 2, .heartbeat_interval = 10ms});
    cluster.produce("orders", 0, numbered(0, 20));
    for (int life = 0; life < 3; ++life) {
        const auto group = "watched-" + std::to_string(life);
        auto config = member_of(cluster, group);
        config.metadata_max_age = 5ms;
        config.auto_commit_interval = 5ms;
        consumer reader(config);
        std::atomic<bool> over = false;
        worker looker([&] {
            while (!over) {
                const auto told = reader.explain();
                reader.assignment();
                reader.lag({"orders", 0});
                reader.memory_in_use();
                reader.group_metadata();
            }
        });
        std::atomic<int> changes = 0;
        std::atomic<int> allowed = 0;  // a leader that moves all the time is never read from
        worker changer([&] {
            for (int i = 0; !over; ++i) {
                while (changes >= allowed && !over) std::this_thread::yield();
                const auto name = "made-" + std::to_string(i);
                const auto broker = 1 + i % 2;
                cluster.create_topic({name, 3});
                cluster.move_leader("orders", 0, broker);
                cluster.move_coordinator(group, broker);
                cluster.delete_topic(name);
                ++changes;
            }
        });
        reader.subscribe(topic_pattern("orders|made-.*"));
        std::size_t records = 0;
        EXPECT_TRUE(poll_until(
            reader,
            [&] {
                if (changes < 20) allowed = changes + 1;
                return records >= 20 && changes >= 20;
            },
            [&](const record&) { ++records; }))
            << records << " records, " << changes << " changes: " << to_string(reader.explain());
        const auto none = [](testkit::controlled_request& request) { request.fail(coordinator_not_available); };
        std::vector<std::uint64_t> controls;
        for (const auto api :
             {testkit::api::find_coordinator, testkit::api::consumer_group_heartbeat, testkit::api::offset_commit}) {
            controls.push_back(cluster.control(api, none));
        }
        allowed = std::numeric_limits<int>::max();
        const auto begun = clock::now();
        reader.close(1s);
        EXPECT_LT(clock::now() - begun, 10s);
        over = true;
        looker.join();
        changer.join();
        for (const auto control : controls) cluster.uncontrol(control);
    }
}

}  // namespace
}  // namespace strandline::system_tests
