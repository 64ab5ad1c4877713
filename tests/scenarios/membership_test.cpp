// Epochs, max.poll.interval, fencing, commits during rebalances: the public failures of other clients, and what ours
// does.
#include <algorithm>
#include <optional>

#include <gtest/gtest.h>

#include "tests/scenarios/watched_group.hpp"

namespace strandline::testkit::sim::scenarios {

namespace {

using protocol::api_key;
using protocol::broker_error;

// tickets: KAFKA-16026 (F1); invariants: V17
TEST(membership, a_poll_that_waits_longer_than_max_poll_interval_keeps_the_member_alive) {
    bool returned = false;
    world where({.seed = 1});
    where.create_topic("orders");
    auto config = member_of("billing");
    config.max_poll_interval = 10s;
    auto& app = where.start(config, [&](application& self) -> task<> {
        co_await self.consumer().subscribe("orders");
        co_await self.consumer().poll(60s);
        returned = true;
    });
    where.run_for(5s);
    for (int seconds = 5; seconds < 59; ++seconds) {
        where.run_for(1s);
        ASSERT_EQ(where.members("billing").size(), 1u) << "after " << seconds << " s";
    }
    where.run_for(5s);
    EXPECT_TRUE(returned);
    EXPECT_EQ(app.failure(), "");
}

// tickets: KAFKA-15818 KAFKA-16243 (F1) M14; invariants: V17
TEST(membership, an_application_that_stays_away_leaves_is_told_so_and_comes_back) {
    std::vector<std::error_code> told;
    world where({.seed = 1});
    where.create_topic("orders");
    auto config = member_of("billing");
    config.max_poll_interval = 10s;
    auto& app = where.start(config, [&](application& self) -> task<> {
        co_await self.consumer().subscribe("orders");
        co_await self.consumer().poll(3s);
        co_await self.sleep(30s);
        for (;;) {
            const auto polled = co_await self.consumer().try_poll(1s);
            if (!polled) told.push_back(polled.error().code());
        }
    });
    where.run_for(5s);
    EXPECT_EQ(where.members("billing").size(), 1u);
    where.run_for(20s);
    EXPECT_TRUE(where.members("billing").empty()) << "ten seconds without a poll have passed";
    where.run_for(20s);
    EXPECT_EQ(where.members("billing").size(), 1u);
    EXPECT_EQ(told, std::vector{make_error_code(errc::max_poll_exceeded)}) << "once";
    EXPECT_EQ(app.failure(), "");
}

// tickets: KAFKA-16251 (F2) (F6) B32 M14; invariants: V17
TEST(membership, a_fenced_member_says_nothing_but_its_whole_join) {
    reader_orders orders;
    world where({.seed = 1});
    where.create_topic("orders", 4);
    where.start(member_of("billing"), reading(orders));
    where.run_for(10s);
    heartbeat_watch heartbeats(where);
    where.inject({.what = fault_kind::error_answer,
                  .lasts = 20s,
                  .api = number(api_key::consumer_group_heartbeat),
                  .error = number(broker_error::fenced_member_epoch),
                  .amount = 1});
    where.run_for(20s);
    // What was fenced was told before it was seen here, or is the first.
    const auto join = std::find_if(heartbeats.all.begin(), heartbeats.all.end(),
                                   [](const auto& one) { return one.said.member_epoch.value() == 0; });
    ASSERT_NE(join, heartbeats.all.end());
    EXPECT_LE(join - heartbeats.all.begin(), 1);
    EXPECT_TRUE(join->said.subscribed_topic_names.has_value());
    EXPECT_GT(join->said.rebalance_timeout_ms, 0);
    ASSERT_TRUE(join->said.topic_partitions.has_value());
    EXPECT_TRUE(join->said.topic_partitions->empty());
    EXPECT_EQ(where.members("billing").size(), 1u);
}

// The coordinator has given the member a newer epoch, and the answer that says so stands before the commit's on the
// wire. tickets: KAFKA-16033 KAFKA-15456 (F5) B41; invariants: V17 V18
TEST(membership, a_commit_with_a_stale_epoch_goes_again_with_a_newer_one) {
    int committed = 0;
    std::vector<std::string> failures;
    reader_orders orders;
    world where({.seed = 1});
    where.create_topic("orders");
    auto config = member_of("billing");
    config.enable_auto_commit = false;
    commit_watch commits(where);
    where.start(config, [&](application& self) -> task<> {
        co_await self.consumer().subscribe("orders");
        for (;;) {
            for (const auto& record : co_await self.consumer().poll(100ms)) self.took(record);
            if (const auto done = co_await self.consumer().try_commit(60s)) {
                ++committed;
            } else {
                failures.push_back(done.error().message());
            }
        }
    });
    for (int i = 0; i < 300; ++i) {
        where.at(100ms * i, [&where] { where.produce("orders", 0, 1); });
    }
    // One partition: the first member keeps it, but gets a newer epoch when the second one joins.
    where.at(6s, [&] { where.start(config, reading(orders)); });
    where.at(7s, [&] {
        where.inject({.what = fault_kind::late_answer,
                      .lasts = 8s,
                      .api = number(api_key::consumer_group_heartbeat),
                      .amount = 4,
                      .delay = 1s});
    });
    where.run_for(30s);
    EXPECT_TRUE(failures.empty()) << failures.front();
    EXPECT_GT(committed, 20);
    std::vector<std::int32_t> epochs;
    for (const auto& one : commits.all) epochs.push_back(one.said.generation_id_or_member_epoch.value());
    EXPECT_TRUE(std::is_sorted(epochs.begin(), epochs.end()));
    EXPECT_GT(epochs.back(), epochs.front());
}

// tickets: KAFKA-19242 (F4) (F5); invariants: V18
TEST(membership, commits_succeed_while_members_come_and_go) {
    std::vector<std::string> failures;
    world where({.seed = 3});
    where.create_topic("orders", 6);
    auto config = member_of("billing");
    config.enable_auto_commit = false;
    const auto commits_often = [&](application& self) -> task<> {
        co_await self.consumer().subscribe("orders");
        const auto leaves = self.now() + 20s + 3s * self.number();
        while (self.now() < leaves) {
            for (const auto& record : co_await self.consumer().poll(100ms)) self.took(record);
            if (const auto done = co_await self.consumer().try_commit(30s); !done)
                failures.push_back(done.error().message());
        }
        co_await self.consumer().close(10s);
    };
    for (int i = 0; i < 5; ++i) {
        where.at(4s * i, [&] { where.start(config, commits_often); });
    }
    for (int i = 0; i < 60; ++i) {
        where.at(1s * i, [&where, i] { where.produce("orders", i % 6, 5); });
    }
    where.run_for(70s);
    EXPECT_TRUE(failures.empty()) << failures.size() << ", first: " << failures.front();
    std::uint64_t read = 0;
    for (std::int32_t number = 1; number <= where.applications(); ++number) {
        read += where.app(number).records();
        EXPECT_EQ(where.app(number).failure(), "");
    }
    EXPECT_GE(read, 200u);
}

struct noting_listener final : coroutine_listener {
    callback_task on_assigned(coroutine_access, const partitions&) override {
        told.emplace_back("assigned");
        co_return;
    }
    callback_task on_revoked(coroutine_access, const partitions&) override {
        told.emplace_back("revoked");
        co_return;
    }
    callback_task on_lost(coroutine_access, const partitions&) override {
        told.emplace_back("lost");
        co_return;
    }
    std::vector<std::string> told;
};

// tickets: (F7) B33; invariants: V17
TEST(membership, what_is_lost_while_its_revocation_waits_is_told_as_lost_and_not_committed) {
    noting_listener listener;
    reader_orders other;
    world where({.seed = 1});
    where.create_topic("orders", 2);
    where.produce("orders", 0, 10);
    where.produce("orders", 1, 10);
    auto config = member_of("billing");
    config.max_poll_interval = 10s;
    config.enable_auto_commit = false;
    auto& slow = where.start(config, [&](application& self) -> task<> {
        co_await self.consumer().subscribe("orders", coroutine_listener_handle(listener));
        while (self.records() < 20) {
            for (const auto& record : co_await self.consumer().poll(200ms)) self.took(record);
        }
        co_await self.sleep(25s);
        for (;;) {
            auto polled = co_await self.consumer().try_poll(1s);
            if (!polled) continue;
            for (const auto& record : *polled) self.took(record);
        }
    });
    ASSERT_TRUE(where.run_until([&] { return slow.records() == 20; }, 30s));
    ASSERT_EQ(listener.told, std::vector<std::string>{"assigned"});
    // The second member's share has to be given up, by an application that is away for longer than it may.
    where.start(config, reading(other));
    where.run_for(40s);
    ASSERT_GE(listener.told.size(), 2u);
    EXPECT_EQ(listener.told[1], "lost");
    EXPECT_EQ(std::count(listener.told.begin(), listener.told.end(), "revoked"), 0);
    EXPECT_EQ(where.members("billing").size(), 2u);
}

// tickets: (F9) B31; invariants: V1 V17
TEST(membership, a_short_commit_interval_does_not_keep_a_group_from_settling) {
    constexpr std::size_t members = 10;
    std::vector<reader_orders> orders(members);
    world where({.seed = 1});
    where.create_topic("orders", 20);
    heartbeat_watch heartbeats(where);
    auto config = member_of("billing");
    config.auto_commit_interval = 50ms;
    for (auto& one : orders) where.start(config, reading(one));
    for (int i = 0; i < 30; ++i) {
        where.at(1s * i, [&where, i] {
            for (std::int32_t partition = 0; partition < 20; ++partition) where.produce("orders", partition, 1 + i % 3);
        });
    }
    where.run_for(40s);
    std::map<std::string, int> joins;
    for (const auto& one : heartbeats.all) joins[one.client_id] += one.said.member_epoch.value() == 0 ? 1 : 0;
    ASSERT_EQ(joins.size(), members);
    for (const auto& [who, count] : joins) EXPECT_LE(count, 2) << who;
    EXPECT_EQ(where.members("billing").size(), members);
}

// tickets: KAFKA-10134 (A11); invariants: V2
TEST(membership, from_subscribing_to_stable_the_reactor_turns_a_bounded_number_of_times) {
    reader_orders orders;
    world where({.seed = 1});
    where.create_topic("orders", 50);
    auto& app = where.start(member_of("billing"), reading(orders));
    where.run_for(5s);
    EXPECT_LT(app.turns(), 200u);
    const auto before = app.turns();
    where.run_for(60s);
    EXPECT_LT(app.turns() - before, 60u * 8) << "at rest: a fetch session, heartbeats, polls of 200 ms";
}

// tickets: (F11); invariants: V2 V6
TEST(membership, the_smallest_memory_reads_everything_and_starves_nobody) {
    reader_orders orders;
    world where({.seed = 1, .brokers = 3});
    where.create_topic("orders", 10);
    for (std::int32_t partition = 0; partition < 10; ++partition) {
        for (int batch = 0; batch < 20; ++batch) where.produce("orders", partition, 200);
    }
    auto config = member_of("billing");
    config.memory_limit = 1024 * 1024;
    auto& app = where.start(config, reading(orders));
    EXPECT_TRUE(where.run_until([&] { return app.records() == 10u * 20 * 200; }, 5min)) << app.records();
    EXPECT_EQ(where.members("billing").size(), 1u);
    // Nothing but long polls, each of which may take all the room there is.
    where.run_for(5s);
    for (std::int32_t partition = 0; partition < 10; ++partition) where.produce("orders", partition, 1);
    where.run_for(5s);
    EXPECT_EQ(app.records(), 10u * 20 * 200 + 10);
}

// tickets: KAFKA-8104 (F3); invariants: V10 V18
TEST(membership, whoever_leaves_while_its_join_is_in_flight_and_subscribes_again_is_a_member_afterwards) {
    world where({.seed = 1});
    where.create_topic("orders");
    where.inject({.what = fault_kind::late_answer,
                  .lasts = 20s,
                  .api = number(api_key::consumer_group_heartbeat),
                  .amount = 1,
                  .delay = 2s});
    auto& app = where.start(member_of("billing"), [&](application& self) -> task<> {
        co_await self.consumer().subscribe("orders");
        co_await self.consumer().poll(500ms);
        co_await self.consumer().unsubscribe(10s);
        co_await self.consumer().subscribe("orders");
        for (;;) co_await self.consumer().poll(1s);
    });
    where.run_for(20s);
    EXPECT_EQ(app.failure(), "");
    EXPECT_EQ(where.members("billing").size(), 1u);
}

// tickets: (F8) B17; invariants: V7 V10
TEST(membership, what_was_processed_before_a_partition_went_and_came_back_is_not_committed_afterwards) {
    world where({.seed = 1});
    where.create_topic("orders", 1);
    where.produce("orders", 0, 20);
    auto config = member_of("billing");
    config.enable_auto_commit = false;
    commit_watch commits(where);
    bool done = false;
    auto& app = where.start(config, [&](application& self) -> task<> {
        co_await self.consumer().subscribe("orders");
        std::optional<polled_records> held;
        while (self.records() < 20) {
            held.emplace(co_await self.consumer().poll(200ms));
            for (const auto& record : *held) self.took(record);
        }
        // Everything of it was read, nothing committed; the partition goes and comes back.
        co_await self.consumer().unsubscribe(10s);
        co_await self.consumer().subscribe("orders");
        while (self.consumer().assignment().empty()) co_await self.consumer().poll(200ms);
        const topic_partition first{"orders", 0};
        co_await self.consumer().seek(first, 5);
        held.reset();
        const auto committed = co_await self.consumer().try_commit(10s);
        EXPECT_TRUE(committed);
        done = true;
    });
    ASSERT_TRUE(where.run_until([&] { return done; }, 60s)) << app.failure();
    for (const auto& one : commits.all) {
        for (const auto& topic : one.said.topics) {
            for (const auto& partition : topic.partitions) EXPECT_LE(partition.committed_offset, 20);
        }
    }
    const auto now_committed = where.committed("billing");
    const auto at = now_committed.find({"orders", 0});
    EXPECT_TRUE(at == now_committed.end() || at->second.offset <= 5) << at->second.offset;
}

// tickets: B17; invariants: V7
TEST(membership, pausing_and_resuming_through_rebalances_never_moves_what_is_committed_back) {
    reader_orders orders;
    world where({.seed = 7});
    where.create_topic("orders", 4);
    commit_watch commits(where);
    auto config = member_of("billing");
    config.auto_commit_interval = 200ms;
    where.start(config, [&](application& self) -> task<> {
        co_await self.consumer().subscribe("orders");
        for (;;) {
            for (const auto& record : co_await self.consumer().poll(100ms)) self.took(record);
            const auto mine = self.consumer().assignment();
            if (mine.empty()) continue;
            if (self.choice().chance(50)) {
                static_cast<void>(co_await self.consumer().try_pause(mine));
                co_await self.sleep(30ms);
                static_cast<void>(co_await self.consumer().try_resume(mine));
            }
        }
    });
    for (int i = 0; i < 200; ++i) {
        where.at(100ms * i, [&where, i] { where.produce("orders", i % 4, 3); });
    }
    // Members that come for a second and go take partitions away and give them back.
    std::vector<reader_orders> guests(8);
    for (std::size_t i = 0; i < guests.size(); ++i) {
        where.at(3s + 2s * static_cast<int>(i),
                 [&where, &config, &guests, i] { where.start(config, reading(guests[i])); });
        where.at(4s + 2s * static_cast<int>(i), [&guests, i] { guests[i].close = true; });
    }
    where.run_for(30s);
    std::map<std::int32_t, std::int64_t> highest;
    for (const auto& one : commits.all) {
        for (const auto& topic : one.said.topics) {
            for (const auto& partition : topic.partitions) {
                auto& known = highest[partition.partition_index.value()];
                EXPECT_GE(partition.committed_offset, known) << "partition " << partition.partition_index.value();
                known = std::max(known, partition.committed_offset);
            }
        }
    }
    const auto committed = where.committed("billing");
    for (std::int32_t partition = 0; partition < 4; ++partition) {
        EXPECT_EQ(committed.at({"orders", partition}).offset, 150) << partition;
    }
}

// tickets: B44 B41; invariants: V9
TEST(membership, partitions_that_stay_flow_on_while_records_of_those_that_leave_are_held) {
    reader_orders other;
    world where({.seed = 1});
    where.create_topic("orders", 10);
    auto config = member_of("billing");
    auto& keeper = where.start(config, [&](application& self) -> task<> {
        co_await self.consumer().subscribe("orders");
        std::vector<polled_records> held;
        for (;;) {
            held.push_back(co_await self.consumer().poll(100ms));
            for (const auto& record : held.back()) self.took(record);
            if (held.size() > 3) held.erase(held.begin());
        }
    });
    for (int i = 0; i < 300; ++i) {
        where.at(100ms * i, [&where] {
            for (std::int32_t partition = 0; partition < 10; ++partition) where.produce("orders", partition, 1);
        });
    }
    where.run_for(10s);
    where.start(config, reading(other));
    where.run_for(5s);
    const auto mine = keeper.consumer().assignment();
    ASSERT_EQ(mine.size(), 5u);
    std::map<topic_partition, std::uint64_t> before;
    for (const auto& partition : mine) before[partition] = keeper.records(partition);
    for (int seconds = 0; seconds < 5; ++seconds) {
        where.run_for(2s);
        for (const auto& partition : mine) {
            EXPECT_GE(keeper.records(partition), before[partition] + 15) << to_string(partition);
            before[partition] = keeper.records(partition);
        }
    }
}

// The poll entry that meets a fence brings what was read until then with it. invariants: V9 V20
TEST(membership, what_was_read_by_the_poll_that_meets_a_fence_is_committed_before_the_partitions_go) {
    constexpr std::int32_t partitions = 4;
    constexpr std::int32_t records_of_each = 20;
    reader_orders orders;
    world where({.seed = 1});
    where.create_topic("orders", partitions);
    for (std::int32_t i = 0; i < partitions; ++i) where.produce("orders", i, records_of_each);
    auto config = member_of("billing");
    config.auto_commit_interval = 1h;
    auto& first = where.start(config, [&](application& self) -> task<> {
        co_await self.consumer().subscribe("orders");
        for (;;) {
            const auto before = self.records();
            for (const auto& record : co_await self.consumer().poll(1s)) self.took(record);
            if (self.records() > before) co_await self.sleep(30s);
        }
    });
    where.run_for(2s);
    ASSERT_EQ(first.records(), std::uint64_t{partitions} * records_of_each) << "in one poll";
    auto& second = where.start(config, reading(orders));
    where.run_for(60s);
    EXPECT_EQ(where.members("billing").size(), 2u);
    EXPECT_EQ(second.records(), 0u) << "nothing twice";
    for (std::int32_t i = 0; i < partitions; ++i) where.produce("orders", i);
    where.run_for(60s);
    EXPECT_EQ(second.records(), 2u) << "half of the partitions are the second one's";
}

}  // namespace

}  // namespace strandline::testkit::sim::scenarios
