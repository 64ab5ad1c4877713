#include "core/connection/address_race.hpp"

#include <chrono>

#include <gtest/gtest.h>

namespace strandline::core::connection {
namespace {

using namespace std::chrono_literals;

constexpr base::instant t0{1000s};

std::vector<ip_endpoint> addresses(std::size_t count) {
    std::vector<ip_endpoint> made;
    for (std::size_t i = 0; i < count; ++i) made.push_back({"10.0.0." + std::to_string(i + 1), 9092});
    return made;
}

TEST(address_race, the_next_address_starts_when_one_fails) {
    address_race race(addresses(2));
    ASSERT_TRUE(race.wants_another(t0));
    EXPECT_EQ(race.start(connection_id(1), nullptr, t0).address, "10.0.0.1");
    EXPECT_FALSE(race.wants_another(t0));
    race.on_failed(connection_id(1), "Connection refused");
    ASSERT_TRUE(race.wants_another(t0));
    EXPECT_EQ(race.start(connection_id(2), nullptr, t0).address, "10.0.0.2");
    EXPECT_FALSE(race.is_lost());
    race.on_failed(connection_id(2), "");
    EXPECT_TRUE(race.is_lost());
    EXPECT_FALSE(race.wants_another(t0));
    EXPECT_EQ(race.failures(), 2);
    EXPECT_EQ(race.what(), "Connection refused (10.0.0.1), closed by the peer (10.0.0.2)");
}

TEST(address_race, the_next_address_starts_beside_one_that_does_not_answer) {
    address_race race(addresses(2));
    race.start(connection_id(1), nullptr, t0);
    EXPECT_EQ(race.next_start(), t0 + 250ms);
    EXPECT_FALSE(race.wants_another(t0 + 249ms));
    ASSERT_TRUE(race.wants_another(t0 + 250ms));
    race.start(connection_id(2), nullptr, t0 + 250ms);
    EXPECT_EQ(race.next_start(), base::never) << "there is no third";
    EXPECT_EQ(race.runners().size(), 2U);
    const auto winner = race.take(connection_id(1));
    ASSERT_TRUE(winner);
    EXPECT_EQ(winner->to.address, "10.0.0.1");
    ASSERT_EQ(race.runners().size(), 1U);
    EXPECT_EQ(race.runners()[0].id, connection_id(2));
}

TEST(address_race, only_so_many_addresses_are_tried) {
    address_race race(addresses(1000));
    std::uint64_t id = 0;
    while (race.wants_another(t0)) {
        race.start(connection_id(++id), nullptr, t0);
        race.on_failed(connection_id(id), "refused");
    }
    EXPECT_EQ(id, address_race::most_addresses);
}

}  // namespace
}  // namespace strandline::core::connection
