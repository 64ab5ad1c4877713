// The runs that every check of the repository makes, and the situations that they must reach.
#pragma once

#include <string>
#include <vector>

#include "tests/simulation/campaign.hpp"

namespace strandline::simulation {

struct standard_result {
    campaign_result runs;
    std::vector<std::string> missing;  // situations
};

// Each plan twice; the regression list first.
standard_result run_standard_set(int jobs);

}  // namespace strandline::simulation
