// Draws a plan that goes on for hours: what comes once in minutes or hours, and what hours add up to.
#pragma once

#include <cstdint>
#include <string_view>

#include "testkit/simulator/fault_plan.hpp"

namespace strandline::testkit::sim {

inline constexpr std::string_view days_profile = "days";

fault_plan make_days(std::uint64_t seed);

}  // namespace strandline::testkit::sim
