// Runs a fault plan from its first instant to its end.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "testkit/simulator/fault_plan.hpp"
#include "testkit/simulator/situations.hpp"
#include "testkit/simulator/trace.hpp"
#include "testkit/simulator/world.hpp"

namespace strandline::testkit::sim {

struct run_counts {
    std::uint64_t runs = 0;
    base::duration consumer_time{};  // of all consumers that ran
    std::uint64_t records = 0;       // read by applications
    std::uint64_t records_written = 0;
    std::uint64_t faults = 0;
    std::uint64_t turns = 0;
    std::uint64_t events = 0;
    run_counts& operator+=(const run_counts& other) noexcept;
};

struct run_result {
    std::vector<complaint> complaints;  // the first one is what matters
    run_counts counts;
    situations reached;
    std::uint64_t trace_checksum = 0;  // of a run with a trace
    bool good() const noexcept { return complaints.empty(); }
};

struct run_options {
    bool checked = true;
    bool traced = false;    // a checksum over the trace
    trace::sink lines = {}; // and its lines
};

run_result run(const fault_plan& plan, const run_options& options = {});

}  // namespace strandline::testkit::sim
