// Runs many plans, some at a time, and adds up what they came to.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "testkit/simulator/fault_plan.hpp"
#include "testkit/simulator/simulated_run.hpp"

namespace strandline::simulation {

struct failed_run {
    testkit::sim::fault_plan plan;
    std::vector<testkit::sim::complaint> complaints;
};

// A run's trace as one number: equal for equal traces.
struct trace_digest {
    std::uint64_t seed = 0;
    std::string profile;
    std::uint64_t checksum = 0;
};

// How fast the plans of one profile were.
struct profile_speed {
    std::uint64_t runs = 0;
    base::duration consumer_time{};
    double cpu_seconds = 0;
    double hours_per_cpu_hour() const noexcept {
        return cpu_seconds > 0 ? std::chrono::duration<double>(consumer_time).count() / cpu_seconds : 0;
    }
};

struct campaign_result {
    testkit::sim::run_counts counts;
    testkit::sim::situations reached;
    std::vector<failed_run> failures;  // in the order of the plans
    std::uint64_t last_seed = 0;
    std::vector<trace_digest> digests;  // of runs with a trace, in the order of the plans
    double cpu_seconds = 0;
    std::map<std::string, profile_speed> speeds;  // by profile; a plan that was run twice counts as two runs
};

struct campaign_options {
    int jobs = 1;
    bool twice = false;
    bool traced = false;
    base::duration enough = base::duration::max();  // consumer time after which no more plans are begun
};

// `next` gives the plans, until it gives none; it is called by one thread at a time.
campaign_result run_campaign(const std::function<std::optional<testkit::sim::fault_plan>()>& next,
                             const campaign_options& how);

}  // namespace strandline::simulation
