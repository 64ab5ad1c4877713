#include "core/connection/in_flight_table.hpp"

#include <chrono>

#include <gtest/gtest.h>

namespace strandline::core::connection {
namespace {

using namespace std::chrono_literals;

constexpr base::instant t0{1000s};

in_flight_request expiring_at(base::instant when) {
    in_flight_request request;
    request.expires_at = when;
    return request;
}

TEST(in_flight_table, answers_are_taken_in_the_order_of_their_requests) {
    in_flight_table table;
    const auto first = table.add({});
    const auto second = table.add({});
    EXPECT_NE(first, second);
    EXPECT_FALSE(table.take(second).has_value());
    EXPECT_EQ(table.size(), 2U);
    EXPECT_EQ(table.take(first)->correlation, first);
    EXPECT_FALSE(table.take(first).has_value());
    EXPECT_EQ(table.take(second)->correlation, second);
    EXPECT_TRUE(table.empty());
    EXPECT_FALSE(table.take(second).has_value());
}

TEST(in_flight_table, the_earliest_expiry_counts_whatever_the_order) {
    in_flight_table table;
    EXPECT_EQ(table.earliest_expiry(), base::never);
    table.add(expiring_at(t0 + 30s));
    table.add(expiring_at(t0 + 10s));
    table.add(expiring_at(t0 + 20s));
    EXPECT_EQ(table.earliest_expiry(), t0 + 10s);
}

}  // namespace
}  // namespace strandline::core::connection
