// The real code of handoff in every interleaving of small scenarios. Prints how many there were, and their bound.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/interleavings/exploring.hpp"
#include "tests/interleavings/scenarios/all.hpp"

namespace strandline::interleavings {

static void PrintTo(const scenario<exploring>& what, std::ostream* out) { *out << what.name; }

namespace {

class meeting : public testing::TestWithParam<scenario<exploring>> {};

TEST_P(meeting, holds_in_every_interleaving_of) {
    const auto found = explore(GetParam().prepare, {.tails = GetParam().frees});
    fmt::print("{}: {}\n", GetParam().name, found.text());
    EXPECT_EQ(found.found, fault::none) << found.text();
    EXPECT_TRUE(found.complete) << found.text();
    EXPECT_GE(found.interleavings, 2U) << "the actors of a scenario meet";
}

INSTANTIATE_TEST_SUITE_P(scenario, meeting, testing::ValuesIn(all_scenarios<exploring>()),
                         [](const auto& of) { return std::string(of.param.name); });

}  // namespace
}  // namespace strandline::interleavings
