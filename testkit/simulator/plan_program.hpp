// What the applications of a fault plan do, as programs.
#pragma once

#include <strandline/consumer_config.hpp>

#include "testkit/simulator/application.hpp"
#include "testkit/simulator/fault_plan.hpp"

namespace strandline::testkit::sim {

// `number` from 1.
consumer_config config_of(const fault_plan& plan, std::int32_t number);
program program_of(const fault_plan& plan, std::int32_t number);

}  // namespace strandline::testkit::sim
