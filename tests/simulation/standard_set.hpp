// The runs that every check of the repository makes, and the situations that they must reach.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tests/simulation/campaign.hpp"
#include "tests/simulation/coverage.hpp"

namespace strandline::simulation {

struct standard_result {
    campaign_result runs;
    coverage situations;
    std::map<std::string, std::uint64_t> open;  // complaints of checkers that are not settled yet
};

// Each plan twice; the regression list first. `folder` holds the lists: regressions.txt, encounters.txt, situations.txt
// and open_findings.txt; and in staged/ the plans that were made by hand.
standard_result run_standard_set(const std::string& folder, int jobs);

}  // namespace strandline::simulation
