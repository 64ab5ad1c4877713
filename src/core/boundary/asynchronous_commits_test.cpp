#include "core/boundary/asynchronous_commits.hpp"

#include <optional>
#include <string>
#include <utility>

#include <gtest/gtest.h>

namespace strandline::core::boundary {
namespace {

using fold = std::optional<std::pair<std::ptrdiff_t, std::ptrdiff_t>>;

// n: named, p: processed, c: a commit that somebody waits for, -: something else.
fold fold_of(const std::string& waiting) {
    const auto role_of = [](char one) {
        if (one == 'n') return folding_role::named;
        if (one == 'p') return folding_role::processed;
        return one == 'c' ? folding_role::barrier : folding_role::no_commit;
    };
    const auto found = find_fold(waiting, role_of);
    if (!found) return std::nullopt;
    return std::pair(found->first - waiting.begin(), found->second - waiting.begin());
}

TEST(asynchronous_commits, the_newest_takes_in_its_neighbour) {
    EXPECT_EQ(fold_of("nnn"), fold({1, 2}));
    EXPECT_EQ(fold_of("nn-"), fold({0, 1}));
    EXPECT_EQ(fold_of("n--n"), fold({0, 3}));
}

TEST(asynchronous_commits, nothing_folds_across_a_commit_of_another_kind) {
    EXPECT_EQ(fold_of("ncn"), std::nullopt);
    EXPECT_EQ(fold_of("npn"), std::nullopt);
    EXPECT_EQ(fold_of("nncn"), fold({0, 1}));
    EXPECT_EQ(fold_of("nnp"), fold({0, 1}));
}

TEST(asynchronous_commits, what_was_processed_is_carried_by_any_later_commit_of_it) {
    EXPECT_EQ(fold_of("pnpn"), fold({0, 2}));
    EXPECT_EQ(fold_of("pcp"), fold({0, 2}));
    EXPECT_EQ(fold_of("pc"), std::nullopt);
}

TEST(asynchronous_commits, two_kinds_in_turn_are_bounded_all_the_same) { EXPECT_TRUE(fold_of("npnp").has_value()); }

}  // namespace
}  // namespace strandline::core::boundary
