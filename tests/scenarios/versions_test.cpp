// Brokers of every age that we claim to speak with, one API at a time.
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "protocol/api_versions.hpp"
#include "protocol/messages/api_versions.hpp"
#include "tests/scenarios/watched_group.hpp"

namespace strandline::testkit::sim::scenarios {

namespace {

using protocol::api_key;

// What every broker of `where` answers from now on: everything, but `limited` only up to `newest`.
void limit(world& where, api_key limited, std::int16_t newest) {
    where.intercept(api_key::api_versions, [limited, newest](const fake::request_seen& seen) {
        protocol::messages::api_versions_response answer;
        for (const auto& api : protocol::spoken_apis()) {
            const auto top = api.key == limited ? newest : api.versions.max;
            answer.api_keys.push_back({.api_key = api.key, .min_version = api.versions.min, .max_version = top});
        }
        if (seen.header.api_version > protocol::spoken_versions(api_key::api_versions)->max) return fake::intercepted{};
        return fake::intercepted{.what = fake::intercepted::fate::answer, .answer = fake::any_response(answer)};
    });
}

// Reads two partitions by hand, and commits for a group.
program reading_by_hand(bool& done) {
    return [&done](application& self) -> task<> {
        partitions all;
        all.push_back({"orders", 0});
        all.push_back({"orders", 1});
        co_await self.consumer().assign(std::move(all));
        while (self.records() < 20) {
            for (const auto& record : co_await self.consumer().poll(1s)) self.took(record);
        }
        co_await self.consumer().commit(10s);
        done = true;
    };
}

// tickets: B69 M12
TEST(versions, records_are_read_and_committed_with_every_version_of_every_api) {
    int runs = 0;
    for (const auto api : {api_key::metadata, api_key::find_coordinator, api_key::offset_fetch, api_key::offset_commit,
                           api_key::list_offsets, api_key::offset_for_leader_epoch, api_key::fetch}) {
        const auto range = *protocol::spoken_versions(api);
        for (auto newest = range.min; newest <= range.max; ++newest) {
            bool done = false;
            world where({.seed = 1});
            limit(where, api, newest);
            where.create_topic("orders", 2);
            where.produce("orders", 0, 10);
            where.produce("orders", 1, 10);
            auto& app = where.start(member_of("billing"), reading_by_hand(done));
            EXPECT_TRUE(where.run_until([&] { return done; }, 30s))
                << "API " << static_cast<int>(api) << " up to " << newest << ": " << app.records() << " records, "
                << to_string(app.consumer().explain());
            EXPECT_EQ(where.committed("billing").size(), 2u) << static_cast<int>(api) << " up to " << newest;
            EXPECT_EQ(app.failure(), "");
            ++runs;
        }
    }
    EXPECT_GT(runs, 40);
}

// tickets: B69
TEST(versions, a_broker_that_is_too_old_for_groups_is_named_and_read_from_by_hand) {
    std::optional<error> told;
    world where({.seed = 1});
    where.intercept(api_key::api_versions, [](const fake::request_seen&) {
        protocol::messages::api_versions_response answer;
        for (const auto& api : protocol::spoken_apis()) {
            if (api.key == api_key::consumer_group_heartbeat) continue;
            answer.api_keys.push_back(
                {.api_key = api.key, .min_version = api.versions.min, .max_version = api.versions.max});
        }
        return fake::intercepted{.what = fake::intercepted::fate::answer, .answer = fake::any_response(answer)};
    });
    where.create_topic("orders");
    where.produce("orders", 0, 10);
    where.start(member_of("billing"), [&](application& self) -> task<> {
        co_await self.consumer().subscribe("orders");
        while (!told) {
            auto polled = co_await self.consumer().try_poll(1s);
            if (!polled) told = polled.error();
        }
    });
    auto& by_hand = where.start({.auto_offset_reset = offset_reset::earliest}, [](application& self) -> task<> {
        partitions all;
        all.push_back({"orders", 0});
        co_await self.consumer().assign(std::move(all));
        for (;;) {
            for (const auto& record : co_await self.consumer().poll(1s)) self.took(record);
        }
    });
    where.run_for(10s);
    ASSERT_TRUE(told.has_value());
    EXPECT_TRUE(*told == errc::unsupported_version) << told->message();
    EXPECT_TRUE(told->fatal());
    EXPECT_EQ(by_hand.records(), 10u);
}

}  // namespace

}  // namespace strandline::testkit::sim::scenarios
