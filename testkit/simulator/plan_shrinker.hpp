// Makes a failing plan short: what is not needed for its complaint goes.
#pragma once

#include <cstdint>
#include <functional>

#include "testkit/simulator/fault_plan.hpp"

namespace strandline::testkit::sim {

// Whether a plan still fails in the same way.
using fails = std::function<bool(const fault_plan&)>;

struct shrunk_plan {
    fault_plan plan;
    std::uint64_t tries = 0;
};
// Drops faults, then consumers, topics and brokers, then shortens the run, as long as it still fails; at most so many
// tries.
shrunk_plan shrink(fault_plan plan, const fails& still_fails, std::uint64_t tries_at_most = 400);

}  // namespace strandline::testkit::sim
