// Busy loops, wakes without progress, lost wakes, interrupts: the public failures of other clients, and what ours does.
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "tests/scenarios/watched_group.hpp"

namespace strandline::testkit::sim::scenarios {

namespace {

using protocol::api_key;
using protocol::broker_error;

// Turns of the reactor, and ends of the application's waits, over some time.
struct cost {
    std::uint64_t turns;
    std::uint64_t wakeups;
};

cost over(world& where, application& whom, base::duration time) {
    const cost before{whom.turns(), whom.wakeups()};
    where.run_for(time);
    return {whom.turns() - before.turns, whom.wakeups() - before.wakeups};
}

// In polls of a minute each; errors are what such a poll ends with at times, and no reason to stop.
program waiting_for_records() {
    return [](application& self) -> task<> {
        co_await self.consumer().subscribe("orders");
        for (;;) {
            auto polled = co_await self.consumer().try_poll(60s);
            if (!polled) continue;
            for (const auto& record : *polled) self.took(record);
        }
    };
}

program waiting_for_records_of(const partitions& which) {
    return [which](application& self) -> task<> {
        co_await self.consumer().assign(which);
        for (;;) {
            auto polled = co_await self.consumer().try_poll(60s);
            if (!polled) continue;
            for (const auto& record : *polled) self.took(record);
        }
    };
}

// tickets: KAFKA-20253 (A1) KAFKA-21010 (A4) M4; invariants: V1 V2
TEST(waking, an_unknown_coordinator_makes_nobody_run) {
    world where({.seed = 1});
    where.create_topic("orders", 4);
    where.inject({.what = fault_kind::error_answer,
                  .lasts = 10min,
                  .api = number(api_key::find_coordinator),
                  .error = number(broker_error::coordinator_load_in_progress),
                  .amount = 1'000'000});
    auto config = member_of("billing");
    config.auto_commit_interval = 100ms;
    auto& app = where.start(config, waiting_for_records());
    where.run_for(10s);
    const auto seen = over(where, app, 60s);
    EXPECT_LT(seen.turns, 60u * 5);
    EXPECT_LE(seen.wakeups, 2u);
}

// tickets: KAFKA-20426 (A2); invariants: V1
TEST(waking, assigning_by_hand_with_a_group_costs_no_more_than_without) {
    std::uint64_t turns[2] = {};
    for (const bool in_group : {false, true}) {
        world where({.seed = 1});
        where.create_topic("orders");
        consumer_config config{.auto_offset_reset = offset_reset::earliest};
        if (in_group) config.group_id = "billing";
        auto& app = where.start(config, waiting_for_records_of({{"orders", 0}}));
        where.run_for(10s);
        turns[in_group ? 1 : 0] = over(where, app, 60s).turns;
    }
    EXPECT_LE(turns[1], turns[0] + 15) << "the coordinator's connection and automatic commits";
    EXPECT_LT(turns[1], 60u * 5);
}

// tickets: KAFKA-20970 (A3); invariants: V1
TEST(waking, names_that_do_not_resolve_make_nobody_run) {
    world where({.seed = 1});
    where.create_topic("orders");
    where.inject({.what = fault_kind::no_name, .lasts = 10min});
    auto config = member_of("billing");
    config.auto_commit_interval = 50ms;
    auto& app = where.start(config, waiting_for_records());
    where.run_for(60s);
    const auto seen = over(where, app, 60s);
    EXPECT_LT(seen.turns, 60u);
    EXPECT_LE(seen.wakeups, 2u);
}

// tickets: KAFKA-21031 (A5); invariants: V1 V3
TEST(waking, a_heartbeat_that_is_not_answered_makes_nobody_run) {
    world where({.seed = 1});
    where.create_topic("orders");
    auto& app = where.start(member_of("billing"), waiting_for_records());
    where.run_for(10s);
    where.inject(
        {.what = fault_kind::no_answer, .lasts = 25s, .api = number(api_key::consumer_group_heartbeat), .amount = 1});
    const auto seen = over(where, app, 25s);
    EXPECT_LT(seen.turns, 25u * 5);
    EXPECT_LE(seen.wakeups, 1u);
}

// tickets: KAFKA-21049 (A6); invariants: V1
TEST(waking, a_back_off_of_zero_makes_nobody_run) {
    world where({.seed = 1});
    where.create_topic("orders");
    auto config = member_of("billing");
    config.retry_backoff = 0ms;
    config.retry_backoff_max = 0ms;
    auto& app = where.start(config, waiting_for_records());
    where.run_for(10s);
    for (const auto api : {api_key::find_coordinator, api_key::fetch, api_key::metadata}) {
        where.inject({.what = fault_kind::stop_broker, .lasts = 20s, .broker = 1});
        const auto seen = over(where, app, 20s);
        EXPECT_LT(seen.turns, 20u * 10) << number(api);
        where.run_for(10s);
    }
}

// tickets: KAFKA-5263 (A10); invariants: V1 V3
TEST(waking, a_coordinator_that_cannot_be_reached_makes_nobody_run_and_is_found_again) {
    reader_orders orders;
    world where({.seed = 1, .brokers = 2});
    where.create_topic("orders", 2, 2);
    auto& app = where.start(member_of("billing"), waiting_for_records());
    where.run_for(10s);
    ASSERT_EQ(where.members("billing").size(), 1u);
    for (const std::int32_t broker : {1, 2}) {
        where.inject({.what = fault_kind::stop_broker, .lasts = 20s, .broker = broker});
        EXPECT_LT(over(where, app, 20s).turns, 20u * 10) << "broker " << broker;
        where.run_for(20s);
    }
    EXPECT_EQ(where.members("billing").size(), 1u);
    where.produce("orders", 0, 5);
    EXPECT_TRUE(where.run_until([&] { return app.records() == 5; }, 5s));
}

// tickets: KAFKA-18376 KAFKA-20535 (A9) B86; invariants: V6
TEST(waking, draining_a_fetch_in_small_polls_wakes_the_reactor_once_for_it) {
    world where({.seed = 1});
    where.create_topic("orders");
    for (int batch = 0; batch < 20; ++batch) where.produce("orders", 0, 500);
    consumer_config config{.auto_offset_reset = offset_reset::earliest, .max_poll_records = 5};
    auto& app = where.start(config, waiting_for_records_of({{"orders", 0}}));
    ASSERT_TRUE(where.run_until([&] { return app.records() == 10'000; }, 60s));
    const auto fetches = where.requests(api_key::fetch);
    EXPECT_LT(app.signals(), fetches + 20) << fetches << " fetches, 2,000 polls";
}

// tickets: KAFKA-20854 (B1); invariants: V4
TEST(waking, fetches_that_bring_nothing_do_not_wake_the_application) {
    world where({.seed = 1});
    where.create_topic("orders");
    auto& app = where.start({.auto_offset_reset = offset_reset::earliest}, waiting_for_records_of({{"orders", 0}}));
    where.run_for(5s);
    EXPECT_LE(over(where, app, 50s).wakeups, 2u) << "idle";
    where.inject({.what = fault_kind::stop_broker, .lasts = 50s, .broker = 1});
    EXPECT_LE(over(where, app, 50s).wakeups, 2u) << "the broker is gone";
}

// tickets: KAFKA-21084 (B2); invariants: V4
TEST(waking, what_is_buffered_of_paused_partitions_wakes_nobody) {
    world where({.seed = 1});
    where.create_topic("orders", 2);
    for (std::int32_t partition : {0, 1}) where.produce("orders", partition, 100);
    consumer_config config{.auto_offset_reset = offset_reset::earliest, .max_poll_records = 5};
    auto& app = where.start(config, [](application& self) -> task<> {
        partitions all;
        all.push_back({"orders", 0});
        all.push_back({"orders", 1});
        co_await self.consumer().assign(all);
        for (const auto& record : co_await self.consumer().poll(5s)) self.took(record);
        co_await self.consumer().pause(all);
        for (;;) {
            for (const auto& record : co_await self.consumer().poll(60s)) self.took(record);
        }
    });
    where.run_for(10s);
    const auto before = app.records();
    const auto seen = over(where, app, 60s);
    EXPECT_LE(seen.wakeups, 2u);
    EXPECT_LT(seen.turns, 60u * 4);
    EXPECT_EQ(app.records(), before);
}

// tickets: KAFKA-20904 (B3); invariants: V2 V5
TEST(waking, at_steady_state_there_is_one_fetch_for_each_time_that_a_fetch_may_wait) {
    world where({.seed = 1});
    where.create_topic("orders");
    auto& app = where.start({.auto_offset_reset = offset_reset::earliest}, waiting_for_records_of({{"orders", 0}}));
    where.run_for(5s);
    const auto before = where.requests(api_key::fetch);
    const auto seen = over(where, app, 60s);
    const auto fetches = where.requests(api_key::fetch) - before;
    EXPECT_LE(fetches, 121u) << "one in 500 ms";
    EXPECT_LE(seen.turns, 3 * fetches + 20);
}

// tickets: KAFKA-20780 (B4); invariants: V3
TEST(waking, a_poll_that_waits_gets_each_record_at_once) {
    std::vector<base::duration> delays;
    world where({.seed = 1});
    where.create_topic("orders");
    std::optional<base::instant> produced;
    where.start({.auto_offset_reset = offset_reset::earliest}, [&](application& self) -> task<> {
        partitions all;
        all.push_back({"orders", 0});
        co_await self.consumer().assign(std::move(all));
        for (;;) {
            for (const auto& record : co_await self.consumer().poll(60s)) self.took(record);
            if (produced) delays.push_back(self.now() - *produced);
            produced.reset();
        }
    });
    for (int i = 0; i < 50; ++i) {
        where.at(5s + 730ms * i, [&] {
            produced = where.now();
            where.produce("orders", 0, 1);
        });
    }
    where.run_for(60s);
    ASSERT_EQ(delays.size(), 50u);
    for (const auto delay : delays) EXPECT_LT(delay, 50ms);
}

// tickets: KAFKA-20397 (B5) KAFKA-18813 B77; invariants: V5
TEST(waking, an_error_ends_a_poll_that_waits_at_once) {
    std::optional<base::duration> took;
    std::optional<error> told;
    world where({.seed = 1});
    where.create_topic("orders");
    auto& app = where.start(member_of("billing"), [&](application& self) -> task<> {
        co_await self.consumer().subscribe("orders");
        co_await self.consumer().poll(8s);
        const auto begun = self.now();
        auto polled = co_await self.consumer().try_poll(10min);
        took = self.now() - begun;
        if (!polled) told = polled.error();
        for (;;) {
            auto more = co_await self.consumer().try_poll(1s);
            if (!more) continue;
            for (const auto& record : *more) self.took(record);
        }
    });
    where.run_for(9s);
    where.inject({.what = fault_kind::error_answer,
                  .lasts = 30s,
                  .api = number(api_key::consumer_group_heartbeat),
                  .error = number(broker_error::topic_authorization_failed),
                  .amount = 1});
    ASSERT_TRUE(where.run_until([&] { return took.has_value(); }, 30s));
    EXPECT_LT(*took, 10s) << "with the heartbeat after it";
    EXPECT_TRUE(told.has_value());
    // The member stays, and reads on.
    where.run_for(10s);
    EXPECT_EQ(where.members("billing").size(), 1u);
    where.produce("orders", 0, 5);
    EXPECT_TRUE(where.run_until([&] { return app.records() == 5; }, 10s));
}

// tickets: KAFKA-14208 KAFKA-20232 (E5) (E3); invariants: V16
TEST(waking, a_wakeup_interrupts_the_next_poll_once_and_nothing_else) {
    std::vector<std::string> woken;
    bool done = false;
    world where({.seed = 1});
    where.create_topic("orders");
    auto& app = where.start(member_of("billing"), [&](application& self) -> task<> {
        const topic_partition first{"orders", 0};
        const partitions all(1, first);
        auto& consumer = self.consumer();
        const auto note = [&](const char* call, const error& why) {
            if (why == errc::woken_up) woken.emplace_back(call);
        };
        co_await consumer.assign(all);
        co_await consumer.poll(1s);
        consumer.wakeup();
        consumer.wakeup();
        if (auto made = co_await consumer.try_commit(5s); !made) note("commit", made.error());
        if (auto made = co_await consumer.try_committed(all, 5s); !made) note("committed", made.error());
        if (auto made = co_await consumer.try_position(first, 5s); !made) note("position", made.error());
        if (auto made = co_await consumer.try_seek(first, 0); !made) note("seek", made.error());
        if (auto made = co_await consumer.try_commit_async(); !made) note("commit_async", made.error());
        for (int polls = 0; polls < 3; ++polls) {
            if (auto made = co_await consumer.try_poll(1s); !made) note("poll", made.error());
        }
        done = true;
    });
    ASSERT_TRUE(where.run_until([&] { return done; }, 30s)) << app.failure();
    EXPECT_EQ(woken, std::vector<std::string>{"poll"});
}

// tickets: KAFKA-16608 KAFKA-4387 (E6) KAFKA-16577 (E2); invariants: V16
TEST(waking, a_poll_that_does_not_wait_meets_a_wakeup_too_and_one_that_waits_at_once) {
    std::vector<bool> woken;
    std::optional<base::duration> took;
    world where({.seed = 1});
    where.create_topic("orders");
    auto& app = where.start({.auto_offset_reset = offset_reset::earliest}, [&](application& self) -> task<> {
        partitions all;
        all.push_back({"orders", 0});
        co_await self.consumer().assign(std::move(all));
        co_await self.consumer().poll(1s);
        self.consumer().wakeup();
        for (int polls = 0; polls < 2; ++polls) {
            auto polled = co_await self.consumer().try_poll(0ms);
            woken.push_back(!polled && polled.error() == errc::woken_up);
        }
        const auto begun = self.now();
        auto polled = co_await self.consumer().try_poll(10min);
        woken.push_back(!polled && polled.error() == errc::woken_up);
        took = self.now() - begun;
    });
    where.run_for(5s);
    app.consumer().wakeup();
    ASSERT_TRUE(where.run_until([&] { return took.has_value(); }, 1s));
    EXPECT_EQ(woken, (std::vector{true, false, true}));
}

// tickets: KAFKA-15555 KAFKA-4569 (E4); invariants: V7 V16
TEST(waking, wakeups_at_any_moment_lose_no_record_and_repeat_none) {
    std::vector<std::int64_t> seen;
    world where({.seed = 5});
    where.create_topic("orders");
    auto& app = where.start({.auto_offset_reset = offset_reset::earliest, .max_poll_records = 7},
                            [&](application& self) -> task<> {
                                partitions all;
                                all.push_back({"orders", 0});
                                co_await self.consumer().assign(std::move(all));
                                for (;;) {
                                    auto polled = co_await self.consumer().try_poll(1s);
                                    if (!polled) continue;
                                    for (const auto& record : *polled) seen.push_back(record.offset());
                                }
                            });
    for (int i = 0; i < 100; ++i) {
        where.at(20ms * i, [&] { where.produce("orders", 0, 13); });
    }
    for (int i = 0; i < 1000; ++i) {
        where.at(2300us * i, [&] { app.consumer().wakeup(); });
    }
    where.run_for(20s);
    ASSERT_EQ(seen.size(), 1300u);
    for (std::size_t i = 0; i < seen.size(); ++i) ASSERT_EQ(seen[i], static_cast<std::int64_t>(i));
}

// tickets: M20; invariants: V5
TEST(waking, a_poll_goes_on_when_fetch_sessions_end_under_it) {
    world where({.seed = 1, .brokers = 3});
    where.create_topic("orders", 6, 3);
    auto& app = where.start(member_of("billing"), waiting_for_records());
    for (int i = 0; i < 60; ++i) {
        where.at(500ms * i, [&where, i] { where.produce("orders", i % 6, 10); });
    }
    for (int i = 0; i < 6; ++i) {
        where.at(5s + 4s * i,
                 [&where, i] { where.inject({.what = fault_kind::stop_broker, .lasts = 2s, .broker = 1 + i % 3}); });
    }
    EXPECT_TRUE(where.run_until([&] { return app.records() == 600; }, 120s)) << app.records();
    EXPECT_EQ(app.failure(), "");
}

// tickets: M13; invariants: V13
TEST(waking, a_topic_that_is_deleted_with_data_at_hand_holds_up_neither_the_others_nor_close) {
    reader_orders orders;
    world where({.seed = 1});
    where.create_topic("orders");
    where.create_topic("bills");
    where.produce("orders", 0, 100);
    where.produce("bills", 0, 100);
    bool closed = false;
    auto config = member_of("billing");
    config.max_poll_records = 3;
    auto& app = where.start(config, [&](application& self) -> task<> {
        std::vector<std::string> topics;
        topics.emplace_back("orders");
        topics.emplace_back("bills");
        co_await self.consumer().subscribe(std::move(topics));
        while (self.now() - first_instant < 30s) {
            auto polled = co_await self.consumer().try_poll(1s);
            if (!polled) continue;
            for (const auto& record : *polled) self.took(record);
            co_await self.sleep(50ms);
        }
        co_await self.consumer().close(10s);
        closed = true;
    });
    ASSERT_TRUE(where.run_until([&] { return app.records() > 10; }, 20s));
    where.inject({.what = fault_kind::delete_topic, .lasts = 10min, .topic = "bills"});
    where.run_for(20s);
    where.produce("orders", 0, 1);
    EXPECT_TRUE(where.run_until([&] { return app.records({"orders", 0}) == 101; }, 10s));
    EXPECT_TRUE(where.run_until([&] { return closed; }, 30s));
    EXPECT_EQ(app.failure(), "");
}

}  // namespace

}  // namespace strandline::testkit::sim::scenarios
