// What scenarios stand on: the world itself, with small programs in it.
#include "testkit/simulator/world.hpp"

#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "testkit/simulator/trace.hpp"

namespace strandline::testkit::sim {
namespace {

using namespace std::chrono_literals;
using protocol::api_key;

const topic_partition orders_0{"orders", 0};

consumer_config reader(const char* group = "billing") {
    consumer_config config;
    config.group_id = group;
    config.auto_offset_reset = offset_reset::earliest;
    return config;
}

// Reads whatever comes and commits it.
task<> read_on(application& self) {
    co_await self.consumer().subscribe(std::vector<std::string>(1, "orders"));
    for (;;) {
        {
            auto polled = co_await self.consumer().poll(1s);
            for (const auto& record : polled) self.took(record);
        }
        co_await self.consumer().commit();
    }
}

class a_world : public ::testing::Test {
protected:
    void begin(int brokers = 1, std::int32_t partitions = 1, std::int16_t replication = 1) {
        made_.emplace(world_config{.seed = 1, .brokers = brokers});
        made_->create_topic("orders", partitions, replication);
    }
    world& in() { return *made_; }

private:
    std::optional<world> made_;
};

TEST_F(a_world, a_program_reads_what_was_produced_and_commits_it) {
    begin();
    auto& app = in().start(reader(), read_on);
    in().produce("orders", 0, 100);
    EXPECT_TRUE(in().run_until([&] { return app.records() == 100; }, 30s));
    EXPECT_TRUE(in().run_until([&] { return in().committed("billing").contains(orders_0); }, 5s));
    EXPECT_EQ(in().committed("billing").at(orders_0).offset, 100);
    EXPECT_EQ(in().members("billing").size(), 1U);
    EXPECT_EQ(in().log("orders", 0).high_watermark(), 100);
}

TEST_F(a_world, time_passes_without_taking_any) {
    begin();
    auto& app = in().start(reader(), read_on);
    in().run_for(1h);
    EXPECT_EQ(in().elapsed(), 1h);
    // Two fetches a second and their answers, heartbeats, and the polls.
    EXPECT_LT(app.turns(), 5U * 3600);
    EXPECT_GT(in().requests(api_key::fetch), 7000U);
}

TEST_F(a_world, a_crashed_program_begins_anew_from_what_was_committed) {
    begin();
    auto& app = in().start(reader(), read_on);
    in().produce("orders", 0, 10);
    EXPECT_TRUE(in().run_until([&] { return in().committed("billing").contains(orders_0); }, 30s));
    in().crash(app);
    EXPECT_FALSE(app.is_running());
    in().produce("orders", 0, 5);
    in().run_for(1s);
    EXPECT_EQ(app.records(), 10U);
    in().restart(app);
    // The member that crashed has to be given up by the group first.
    EXPECT_TRUE(in().run_until([&] { return app.records() == 15; }, 2min));
}

TEST_F(a_world, the_partitions_of_a_stopped_broker_are_read_from_its_followers) {
    begin(3, 6, 3);
    auto& app = in().start(reader(), read_on);
    in().run_for(5s);
    in().inject({.what = fault_kind::stop_broker, .lasts = 30s, .broker = 1});
    for (std::int32_t i = 0; i < 6; ++i) in().produce("orders", i, 10);
    EXPECT_TRUE(in().run_until([&] { return app.records() == 60; }, 10s));
}

TEST_F(a_world, nothing_arrives_from_a_broker_that_stands_still_and_all_of_it_afterwards) {
    begin();
    auto& app = in().start(reader(), read_on);
    in().run_for(5s);
    in().inject({.what = fault_kind::pause_broker, .lasts = 10s});
    in().produce("orders", 0, 10);
    in().run_for(9s);
    EXPECT_EQ(app.records(), 0U);
    EXPECT_TRUE(in().run_until([&] { return app.records() == 10; }, 5s));
}

TEST_F(a_world, a_connection_on_which_nothing_is_asked_is_closed_or_forgotten_and_made_again_when_it_is_needed) {
    for (const bool is_forgotten : {false, true}) {
        begin();
        in().network().limit_idle(2min, is_forgotten);
        auto config = reader();
        config.connections_max_idle = 1h;
        config.max_poll_interval = 1h;
        auto& app = in().start(config, [](application& self) -> task<> {
            co_await self.consumer().assign(partitions(1, orders_0));
            for (;;) {
                co_await self.sleep(10min);
                for (const auto& record : co_await self.consumer().poll(5min)) self.took(record);
            }
        });
        in().run_for(1min);
        in().produce("orders", 0, 10);
        EXPECT_TRUE(in().run_until([&] { return app.records() == 10; }, 20min));
        EXPECT_LT(in().elapsed(), 12min);
    }
}

TEST_F(a_world, names_lead_to_a_brokers_former_address_until_its_move_is_known) {
    begin();
    auto& app = in().start(reader(), read_on);
    in().run_for(10s);
    in().inject({.what = fault_kind::moved_broker, .lasts = 5min, .broker = 1});
    in().produce("orders", 0, 10);
    in().run_for(4min);
    EXPECT_EQ(app.records(), 0U);
    EXPECT_TRUE(in().run_until([&] { return app.records() == 10; }, 2min));
}

TEST_F(a_world, only_groups_without_members_lose_what_they_committed) {
    begin();
    auto& app = in().start(reader(), read_on);
    in().produce("orders", 0, 10);
    EXPECT_TRUE(in().run_until([&] { return in().committed("billing").contains(orders_0); }, 30s));
    in().inject({.what = fault_kind::expire_offsets});
    EXPECT_FALSE(in().committed("billing").empty());
    in().crash(app);
    in().run_for(2min);
    in().inject({.what = fault_kind::expire_offsets});
    EXPECT_TRUE(in().committed("billing").empty());
    in().restart(app);
    // From the beginning.
    EXPECT_TRUE(in().run_until([&] { return app.records() == 20; }, 1min));
}

TEST_F(a_world, requests_of_an_api_can_be_dropped) {
    begin();
    auto& app = in().start(reader(), read_on);
    in().run_for(5s);
    const auto hook = in().intercept(api_key::offset_commit, [](const fake::request_seen&) {
        return fake::intercepted{.what = fake::intercepted::fate::drop, .answer = {}, .delay = {}};
    });
    in().produce("orders", 0, 10);
    in().run_for(20s);
    EXPECT_EQ(app.records(), 10U);
    EXPECT_TRUE(in().committed("billing").empty());
    in().forget_interceptor(hook);
    EXPECT_TRUE(in().run_until([&] { return in().committed("billing").contains(orders_0); }, 1min));
}

TEST_F(a_world, a_process_that_stands_still_neither_turns_nor_reads) {
    begin();
    auto& app = in().start(reader(), read_on);
    in().run_for(5s);
    const auto turns = app.turns();
    in().inject({.what = fault_kind::stall, .lasts = 20s, .consumer = 1});
    in().produce("orders", 0, 10);
    in().run_for(19s);
    EXPECT_EQ(app.turns(), turns);
    EXPECT_TRUE(in().run_until([&] { return app.records() == 10; }, 5s));
}

TEST_F(a_world, an_allocation_that_fails_ends_the_consumer_and_its_program_goes_on) {
    begin();
    std::string told;
    auto& app = in().start(reader(), [&told](application& self) -> task<> {
        co_await self.consumer().subscribe(std::vector<std::string>(1, "orders"));
        for (;;) {
            auto polled = co_await self.consumer().try_poll(1s);
            if (polled) continue;
            told = polled.error().message();
            break;
        }
        static_cast<void>(co_await self.consumer().try_close(1s));
    });
    in().run_for(5s);
    in().inject({.what = fault_kind::fail_allocation, .lasts = 10s, .consumer = 1, .amount = 100});
    EXPECT_TRUE(in().run_until([&] { return app.has_ended(); }, 30s));
    EXPECT_NE(told.find("stopped because of an internal failure"), std::string::npos) << told;
    EXPECT_EQ(app.failure(), "");
}

TEST_F(a_world, what_escapes_a_program_ends_it_and_is_kept) {
    begin();
    auto& app = in().start(reader(), [](application& self) -> task<> {
        co_await self.sleep(1s);
        throw std::runtime_error("enough");
    });
    in().run_for(2s);
    EXPECT_TRUE(app.has_ended());
    EXPECT_EQ(app.failure(), "enough");
}

TEST_F(a_world, actions_run_at_their_time) {
    begin();
    base::duration at{};
    in().at(90s, [&] { at = in().elapsed(); });
    in().run_for(2min);
    EXPECT_EQ(at, 90s);
}

TEST_F(a_world, the_same_seed_gives_the_same_trace_and_another_seed_another) {
    const auto checksum_of = [](std::uint64_t seed) {
        world one({.seed = seed, .brokers = 3});
        trace kept;
        one.told().report_to(kept);
        one.create_topic("orders", 3, 3);
        one.start(reader(), read_on);
        one.start(reader(), read_on);
        one.inject({.what = fault_kind::latency, .lasts = 1min, .delay = 20ms});
        for (std::int32_t i = 0; i < 3; ++i) one.produce("orders", i, 10);
        one.run_for(2min);
        EXPECT_GT(kept.lines(), 100U);
        return kept.checksum();
    };
    EXPECT_EQ(checksum_of(1), checksum_of(1));
    EXPECT_NE(checksum_of(1), checksum_of(2));
}

}  // namespace
}  // namespace strandline::testkit::sim
