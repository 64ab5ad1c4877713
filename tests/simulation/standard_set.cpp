#include "tests/simulation/standard_set.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "testkit/simulator/plan_generator.hpp"

namespace strandline::simulation {

namespace sim = testkit::sim;

namespace {

struct seeds_of {
    std::string_view profile;
    std::uint64_t first;
    std::uint64_t last;
};
constexpr std::array standard{
    seeds_of{"group", 1, 40}, seeds_of{"assign", 1, 20},       seeds_of{"network", 1, 40}, seeds_of{"cluster", 1, 40},
    seeds_of{"churn", 1, 40}, seeds_of{"transactions", 1, 20}, seeds_of{"large", 1, 4},    seeds_of{"quiet", 1, 4},
};

std::vector<sim::fault_plan> standard_plans() {
    std::vector<sim::fault_plan> plans;
    for (const auto& one : standard) {
        for (auto seed = one.first; seed <= one.last; ++seed) plans.push_back(sim::make_plan(seed, one.profile));
    }
    return plans;
}

}  // namespace

standard_result run_standard_set(int jobs) {
    const auto plans = standard_plans();
    std::size_t at = 0;
    standard_result made;
    made.runs = run_campaign(
        [&]() -> std::optional<sim::fault_plan> {
            if (at == plans.size()) return std::nullopt;
            return plans[at++];
        },
        {.jobs = jobs, .twice = true});
    return made;
}

}  // namespace strandline::simulation
