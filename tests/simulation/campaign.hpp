// Runs many plans, some at a time, and adds up what they came to.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "testkit/simulator/fault_plan.hpp"
#include "testkit/simulator/simulated_run.hpp"

namespace strandline::simulation {

struct failed_run {
    testkit::sim::fault_plan plan;
    std::vector<testkit::sim::complaint> complaints;
};

struct campaign_result {
    testkit::sim::run_counts counts;
    testkit::sim::situations reached;
    std::vector<failed_run> failures;  // in the order of the plans
    std::uint64_t last_seed = 0;
    double cpu_seconds = 0;
};

struct campaign_options {
    int jobs = 1;
    bool twice = false;
    base::duration enough = base::duration::max();  // consumer time after which no more plans are begun
};

// `next` gives the plans, until it gives none; it is called by one thread at a time.
campaign_result run_campaign(const std::function<std::optional<testkit::sim::fault_plan>()>& next,
                             const campaign_options& how);
// A run twice, and that both are the same.
testkit::sim::run_result run_once(const testkit::sim::fault_plan& plan, bool twice);

}  // namespace strandline::simulation
