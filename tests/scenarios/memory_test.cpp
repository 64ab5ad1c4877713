// Memory that one thing holds and another needs: the public failures of other clients, and what ours does.
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/scenarios/watched_group.hpp"

namespace strandline::testkit::sim::scenarios {

namespace {

constexpr std::int32_t batches = 30;
constexpr std::int32_t records_of_a_batch = 10;
constexpr std::int32_t partitions_of_orders = 24;

partitions all_of_orders() {
    partitions all;
    for (std::int32_t i = 0; i < partitions_of_orders; ++i) all.emplace_back("orders", i);
    return all;
}

}  // namespace

TEST(memory, paused_data_does_not_starve_others_when_memory_is_short_and_comes_once_when_it_is_resumed) {
    world where({.seed = 1, .checked = true});
    where.create_topic("orders", partitions_of_orders);
    where.create_topic("bills");
    for (std::int32_t i = 0; i < partitions_of_orders; ++i) {
        for (std::int32_t batch = 0; batch < batches; ++batch) {
            where.logs().append("orders", i, {.records = records_of_a_batch, .value_bytes = 1000});
        }
    }
    bool paused = false;
    bool resume = false;
    consumer_config config{.auto_offset_reset = offset_reset::earliest};
    config.memory_limit = 1024 * 1024;
    config.max_poll_records = 25;
    auto& app = where.start(config, [&](application& self) -> task<> {
        auto assigned = all_of_orders();
        assigned.emplace_back("bills", 0);
        co_await self.consumer().assign(std::move(assigned));
        for (;;) {
            auto polled = co_await self.consumer().try_poll(200ms);
            if (polled) {
                for (const auto& record : *polled) self.took(record);
            }
            if (!paused && self.records() > 0) {
                // What is ahead of the application by now fills the memory.
                co_await self.sleep(5s);
                co_await self.consumer().pause(all_of_orders());
                paused = true;
            }
            if (std::exchange(resume, false)) co_await self.consumer().resume(all_of_orders());
        }
    });
    ASSERT_TRUE(where.run_until([&] { return paused; }, 30s));
    const auto before = app.records();
    where.produce("bills", 0, 10);
    EXPECT_TRUE(where.run_until([&] { return app.records({"bills", 0}) == 10; }, 10s));
    where.produce("bills", 0, 90);
    EXPECT_TRUE(where.run_until([&] { return app.records({"bills", 0}) == 100; }, 10s));
    EXPECT_EQ(app.records(), before + 100) << "nothing of what is paused";

    resume = true;
    constexpr std::uint64_t all = std::uint64_t{partitions_of_orders} * batches * records_of_a_batch;
    EXPECT_TRUE(where.run_until([&] { return app.records() == all + 100; }, 60s));
    where.run_for(2s);
    EXPECT_EQ(app.records(), all + 100) << "each of them once";
    for (const auto& one : where.complaints()) ADD_FAILURE() << one.checker << ": " << one.words;
}

// Whoever frees memory may do so without a call. invariants: V3 V6
TEST(memory, what_an_application_lets_go_of_lets_the_next_fetch_begin) {
    world where({.seed = 1, .checked = true});
    where.create_topic("orders");
    for (std::int32_t batch = 0; batch < 10 * batches; ++batch) {
        where.logs().append("orders", 0, {.records = records_of_a_batch, .value_bytes = 1000});
    }
    std::vector<polled_records> kept;
    int told = 0;
    consumer_config config{.auto_offset_reset = offset_reset::earliest};
    config.memory_limit = 1024 * 1024;
    auto& app = where.start(config, [&](application& self) -> task<> {
        co_await self.consumer().assign(partitions(1, {"orders", 0}));
        for (;;) {
            auto polled = co_await self.consumer().try_poll(2s);
            if (!polled) {
                ++told;
                co_await self.sleep(1s);
                continue;
            }
            for (const auto& record : *polled) self.took(record);
            kept.push_back(*std::move(polled));
        }
    });
    ASSERT_TRUE(where.run_until([&] { return told > 0; }, 60s)) << "what is kept fills the memory";
    const auto before = app.records();
    kept.clear();
    EXPECT_TRUE(where.run_until([&] { return app.records() > before; }, 3s));
    for (const auto& one : where.complaints()) ADD_FAILURE() << one.checker << ": " << one.words;
}

}  // namespace strandline::testkit::sim::scenarios
