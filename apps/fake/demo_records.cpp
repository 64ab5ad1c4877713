#include "apps/fake/demo_records.hpp"

#include <array>
#include <string_view>

#include <fmt/format.h>

namespace strandline::apps::fake {

namespace {

constexpr std::array<std::string_view, 7> customers{"ada", "barbara", "edsger", "grace", "ken", "leslie", "tony"};
constexpr std::array<std::string_view, 5> wares{"lantern", "rope", "compass", "oilskin", "sextant"};

}  // namespace

testkit::fake_record demo_record(std::uint64_t number) {
    const auto customer = customers[number % customers.size()];
    return {.key = std::string(customer),
            .value = fmt::format(R"({{"order":{},"customer":"{}","item":"{}","quantity":{}}})", number, customer,
                                 wares[number * 3 % wares.size()], 1 + number % 4),
            .headers = {{"source", "demo"}}};
}

std::int32_t demo_partition(std::uint64_t number, std::int32_t partitions) {
    return static_cast<std::int32_t>(number % customers.size() % static_cast<std::uint64_t>(partitions));
}

}  // namespace strandline::apps::fake
