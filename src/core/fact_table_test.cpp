#include "core/fact_table.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace strandline::core::fact_table {
namespace {

// Whether `target` can be reached from `start` along the edges.
bool reaches(std::size_t start, std::size_t target) {
    std::vector<bool> seen(kinds);
    std::vector<std::size_t> open{start};
    while (!open.empty()) {
        const auto at = open.back();
        open.pop_back();
        for (const auto& one : edges) {
            if (one.handled != at || seen[one.emitted]) continue;
            if (one.emitted == target) return true;
            seen[one.emitted] = true;
            open.push_back(one.emitted);
        }
    }
    return false;
}

TEST(fact_table, no_fact_leads_back_to_itself) {
    for (std::size_t kind = 0; kind < kinds; ++kind) EXPECT_FALSE(reaches(kind, kind)) << "kind " << kind;
}

TEST(fact_table, a_way_that_is_not_in_it_is_refused) {
    EXPECT_TRUE(allows(kind_of<exchange::leader_hint>(), kind_of<exchange::leadership_changed>()));
    EXPECT_FALSE(allows(kind_of<exchange::partition_changed>(), kind_of<exchange::assignment_changed>()));
}

}  // namespace
}  // namespace strandline::core::fact_table
