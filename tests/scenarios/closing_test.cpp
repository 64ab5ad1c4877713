// Close, leave, commits that vanish, threads that are joined: the public failures of other clients, and what ours does.
#include <functional>
#include <optional>
#include <stdexcept>

#include <gtest/gtest.h>

#include "protocol/messages/find_coordinator.hpp"
#include "tests/scenarios/watched_group.hpp"

namespace strandline::testkit::sim::scenarios {

namespace {

using protocol::api_key;
using protocol::broker_error;

// A member that has read something of `orders` when `t` seconds have passed.
struct stable_member {
    explicit stable_member(const world_config& config = {.seed = 1}, consumer_config consumer = member_of("billing"),
                           coroutine_listener* listener = nullptr)
        : where(config) {
        where.create_topic("orders", 2);
        where.produce("orders", 0, 10);
        who = &where.start(std::move(consumer), reading(orders, listener));
        EXPECT_TRUE(where.run_until([&] { return who->records() == 10; }, 30s));
    }
    // Closes, and gives what members the group has a second later.
    std::vector<std::string> close(std::chrono::milliseconds within) {
        orders.closing = within;
        orders.close = true;
        EXPECT_TRUE(where.run_until([&] { return orders.closed; }, base::duration(within) + 2s)) << who->failure();
        where.run_for(1s);
        return where.members("billing");
    }

    reader_orders orders;
    world where;
    application* who = nullptr;
};

// tickets: KAFKA-18569 (D1); invariants: V14
TEST(closing, seeks_no_coordinator_when_nothing_is_left_that_needs_one) {
    std::optional<base::duration> took;
    world where({.seed = 1});
    where.create_topic("orders");
    auto config = member_of("billing");
    config.enable_auto_commit = false;
    where.start(config, [&](application& self) -> task<> {
        partitions all(1, topic_partition{"orders", 0});
        co_await self.consumer().assign(std::move(all));
        co_await self.consumer().poll(2s);
        const auto begun = self.now();
        co_await self.consumer().close(30s);
        took = self.now() - begun;
    });
    where.run_for(1s);
    where.inject({.what = fault_kind::stop_broker, .lasts = 10min, .broker = 1});
    ASSERT_TRUE(where.run_until([&] { return took.has_value(); }, 40s));
    EXPECT_LT(*took, 1s);
}

// tickets: KAFKA-19357 (D2); invariants: V13 V14
TEST(closing, ends_an_asynchronous_commit_for_which_there_is_no_coordinator) {
    int ended = 0;
    std::optional<base::duration> took;
    world where({.seed = 1});
    where.create_topic("orders");
    where.inject({.what = fault_kind::error_answer,
                  .lasts = 10min,
                  .api = number(api_key::find_coordinator),
                  .error = number(broker_error::coordinator_not_available),
                  .amount = 1'000'000});
    auto& app = where.start(member_of("billing"), [&](application& self) -> task<> {
        partitions all(1, topic_partition{"orders", 0});
        co_await self.consumer().assign(std::move(all));
        offsets named;
        named.emplace(topic_partition{"orders", 0}, offset_and_metadata(5));
        co_await self.consumer().commit_async(std::move(named),
                                              [&](coroutine_access, const commit_result& result) -> callback_task {
                                                  EXPECT_FALSE(result);
                                                  ++ended;
                                                  co_return;
                                              });
        const auto begun = self.now();
        co_await self.consumer().close(5s);
        took = self.now() - begun;
    });
    ASSERT_TRUE(where.run_until([&] { return took.has_value(); }, 10s)) << app.failure();
    EXPECT_LE(*took, 5s);
    EXPECT_EQ(ended, 1);
}

// tickets: KAFKA-18034 (D3); invariants: V13 V20
TEST(closing, and_every_commit_ends_at_once_when_the_coordinator_is_refused_for_good) {
    std::optional<base::duration> took;
    std::optional<result<void>> outcome;
    world where({.seed = 1});
    where.create_topic("orders");
    where.intercept(api_key::find_coordinator, [](const fake::request_seen&) {
        protocol::messages::find_coordinator_response refusal;
        auto& ours = refusal.coordinators.emplace_back();
        ours.key = "billing";
        ours.node_id = protocol::no_broker;
        ours.error_code = broker_error::group_authorization_failed;
        return fake::intercepted{.what = fake::intercepted::fate::answer, .answer = fake::any_response(refusal)};
    });
    auto& app = where.start(member_of("billing"), [&](application& self) -> task<> {
        partitions all(1, topic_partition{"orders", 0});
        co_await self.consumer().assign(std::move(all));
        offsets named;
        named.emplace(topic_partition{"orders", 0}, offset_and_metadata(5));
        const auto begun = self.now();
        outcome = co_await self.consumer().try_commit(std::move(named), 60s);
        took = self.now() - begun;
    });
    ASSERT_TRUE(where.run_until([&] { return took.has_value(); }, 90s)) << app.failure();
    EXPECT_FALSE(*outcome);
    EXPECT_LT(*took, 2s);
}

// tickets: KAFKA-16639 (D4); invariants: V14
TEST(closing, sends_its_leave_beside_a_heartbeat_whose_answer_takes_its_time) {
    stable_member member;
    member.where.inject({.what = fault_kind::late_answer,
                         .lasts = 8s,
                         .api = number(api_key::consumer_group_heartbeat),
                         .amount = 1,
                         .delay = 3s});
    member.where.run_for(7s);
    EXPECT_TRUE(member.close(10s).empty());
    EXPECT_LT(member.orders.close_took, 5s);
}

// tickets: KAFKA-16985 KAFKA-17518 (D5) B81; invariants: V14 V16
TEST(closing, leaves_the_group_without_any_time_to_do_it_in) {
    stable_member member;
    EXPECT_TRUE(member.close(0ms).empty());
    EXPECT_LT(member.orders.close_took, 100ms);
}

// tickets: B81
TEST(closing, stays_in_the_group_when_it_is_told_to) {
    stable_member member;
    member.orders.membership = group_membership::remain;
    EXPECT_EQ(member.close(5s).size(), 1u);
}

struct throwing_listener final : coroutine_listener {
    callback_task on_revoked(coroutine_access, const partitions&) override {
        ++calls;
        throw std::runtime_error("not today");
        co_return;
    }
    int calls = 0;
};

// tickets: KAFKA-16933 (D6) B94; invariants: V14 V15
TEST(closing, leaves_the_group_after_a_listener_that_threw) {
    throwing_listener listener;
    stable_member member({.seed = 1}, member_of("billing"), &listener);
    EXPECT_TRUE(member.close(5s).empty());
    EXPECT_EQ(listener.calls, 1);
    EXPECT_FALSE(member.orders.report.undone.empty()) << "what was thrown is told";
}

// tickets: KAFKA-16103 KAFKA-16599 (D7); invariants: V13
TEST(closing, calls_back_every_asynchronous_commit_in_their_order_before_it_ends) {
    std::vector<int> ended;
    bool closed = false;
    world where({.seed = 1});
    where.create_topic("orders");
    where.inject({.what = fault_kind::late_answer,
                  .lasts = 10s,
                  .api = number(api_key::offset_commit),
                  .amount = 1,
                  .delay = 500ms});
    auto& app = where.start(member_of("billing"), [&](application& self) -> task<> {
        partitions all(1, topic_partition{"orders", 0});
        co_await self.consumer().assign(std::move(all));
        for (int i = 0; i < 3; ++i) {
            offsets named;
            named.emplace(topic_partition{"orders", 0}, offset_and_metadata(5 + i));
            co_await self.consumer().commit_async(std::move(named),
                                                  [&ended, i](coroutine_access, const commit_result&) -> callback_task {
                                                      ended.push_back(i);
                                                      co_return;
                                                  });
        }
        co_await self.consumer().close(10s);
        closed = true;
    });
    ASSERT_TRUE(where.run_until([&] { return closed; }, 20s)) << app.failure();
    EXPECT_EQ(ended, (std::vector{0, 1, 2}));
    EXPECT_EQ(where.committed("billing").at({"orders", 0}).offset, 7);
}

// tickets: (D10); invariants: V14
TEST(closing, leaves_the_group_although_its_last_commit_takes_longer_than_its_stage) {
    auto config = member_of("billing");
    config.auto_commit_interval = 60s;  // the last commit is the only one
    stable_member member({.seed = 1}, config);
    member.where.inject({.what = fault_kind::late_answer,
                         .lasts = 10min,
                         .api = number(api_key::offset_commit),
                         .amount = 1'000'000,
                         .delay = 3s});
    member.where.produce("orders", 1, 5);
    ASSERT_TRUE(member.where.run_until([&] { return member.who->records() == 15; }, 10s));
    EXPECT_TRUE(member.close(5s).empty());
    EXPECT_LE(member.orders.close_took, 5s);
}

struct asking_listener final : coroutine_listener {
    callback_task on_revoked(coroutine_access access, const partitions& leaving) override {
        co_await access.try_committed(leaving, 1s);
        ++answered;
        co_await access.try_position(leaving.front(), 1s);
        ++answered;
    }
    int answered = 0;
};

// tickets: (D11) B79; invariants: V13 V15
TEST(closing, answers_what_the_listener_asks_while_the_consumer_closes) {
    asking_listener listener;
    stable_member member({.seed = 1}, member_of("billing"), &listener);
    EXPECT_TRUE(member.close(10s).empty());
    EXPECT_EQ(listener.answered, 2);
    EXPECT_LT(member.orders.close_took, 5s);
}

// Asks what nobody will answer, with all the time in the world.
struct patient_listener final : coroutine_listener {
    callback_task on_revoked(coroutine_access access, const partitions& leaving) override {
        for (int i = 0; i < 3; ++i) {
            const auto told = co_await access.try_committed(leaving, 1h);
            if (!told && told.error() == errc::consumer_closed) ++refused;
        }
        ended_at = now();
    }
    std::function<base::duration()> now;
    int refused = 0;
    base::duration ended_at{};
};

// invariants: V13 V14
TEST(closing, ends_by_its_deadline_though_the_listener_waits_for_silent_brokers) {
    patient_listener listener;
    stable_member member({.seed = 1}, member_of("billing"), &listener);
    listener.now = [&] { return member.where.elapsed(); };
    member.where.inject({.what = fault_kind::black_hole, .lasts = 10min});
    const auto begun = member.where.elapsed();
    member.close(4s);
    EXPECT_EQ(listener.refused, 3);
    EXPECT_LE(listener.ended_at, begun + 4s);
    EXPECT_LE(member.orders.close_took, 4s);
}

// tickets: (D12) B79 B80; invariants: V14 V19
TEST(closing, ends_by_its_deadline_at_whatever_moment_the_brokers_fall_silent) {
    for (base::duration silent = 0ms; silent < 4s; silent += 250ms) {
        reader_orders orders;
        orders.closing = 2s;
        world where({.seed = 1, .brokers = 2});
        where.create_topic("orders", 2);
        where.produce("orders", 0, 10);
        auto& app = where.start(member_of("billing"), reading(orders));
        where.run_for(silent);
        where.inject({.what = fault_kind::black_hole, .lasts = 10min});
        where.run_for(500ms);
        orders.close = true;
        ASSERT_TRUE(where.run_until([&] { return orders.closed; }, 3s)) << "silent after " << silent / 1ms << " ms";
        EXPECT_LE(orders.close_took, 2s);
        EXPECT_EQ(app.failure(), "");
    }
}

// tickets: KAFKA-19394 (D8) (D12); invariants: V13 V19
TEST(closing, a_consumer_may_be_destroyed_at_any_moment) {
    for (base::duration gone = 0ms; gone < 3s; gone += 150ms) {
        reader_orders orders;
        world where({.seed = 1});
        where.create_topic("orders", 2);
        where.produce("orders", 0, 10);
        auto& app = where.start(member_of("billing"), reading(orders));
        where.run_for(gone);
        where.crash(app);
        where.run_for(1s);
        EXPECT_TRUE(where.complaints().empty());
    }
}

}  // namespace

}  // namespace strandline::testkit::sim::scenarios
