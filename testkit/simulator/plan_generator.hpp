// Draws a fault plan from a seed: a world of some shape, and a few kinds of faults of all there are.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "testkit/simulator/fault_plan.hpp"

namespace strandline::testkit::sim {

// What kind of worlds and faults.
struct profile {
    std::string_view name;
    std::string_view what;  // for people
};
// The first is the usual one: it takes one of the others, by seed.
std::span<const profile> profiles() noexcept;
bool is_profile(std::string_view name) noexcept;

// `profile` must be one. Swarmed: most kinds of faults are off in most seeds.
fault_plan make_plan(std::uint64_t seed, std::string_view profile);

}  // namespace strandline::testkit::sim
