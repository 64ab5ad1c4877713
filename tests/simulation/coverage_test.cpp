#include "tests/simulation/coverage.hpp"

#include <gtest/gtest.h>

namespace strandline::simulation {
namespace {

const std::vector<std::string> all{"member a -> b", "member b -> a", "fault x"};

testkit::sim::situations reached(std::initializer_list<const char*> names) {
    testkit::sim::situations made;
    for (const auto* name : names) made.reach(name);
    return made;
}

TEST(coverage, a_star_stands_for_any_text) {
    EXPECT_TRUE(fits("member *, * under way", "member stable, heartbeat under way"));
    EXPECT_TRUE(fits("*", ""));
    EXPECT_FALSE(fits("member *", "fault x"));
    EXPECT_FALSE(fits("member a", "member ab"));
}

TEST(coverage, what_is_neither_reached_nor_excepted_is_wrong) {
    const auto made = compare(all, reached({"member a -> b", "fault x", "something else"}), {});
    EXPECT_EQ(made.listed, 3U);
    EXPECT_EQ(made.reached, 2U);
    EXPECT_EQ(made.wrong, std::vector<std::string>{"not reached: member b -> a"});
}

TEST(coverage, what_cannot_be_must_not_be_reached_and_what_is_rare_may_be) {
    const std::vector<std::string> exceptions{"never member * | no members here", "rare fault x | hardly ever"};
    const auto made = compare(all, reached({"member a -> b"}), exceptions);
    EXPECT_EQ(made.impossible, 1U);
    EXPECT_EQ(made.rare_not_reached, std::vector<std::string>{"fault x"});
    EXPECT_EQ(made.wrong, std::vector<std::string>{"reached 'member a -> b', which cannot be: no members here"});
    EXPECT_TRUE(compare(all, reached({"fault x"}), exceptions).wrong.empty());
}

TEST(coverage, an_exception_has_a_reason_and_fits_something) {
    const auto made = compare(all, reached({"member a -> b", "member b -> a", "fault x"}),
                              {"rare fault y | nobody knows", "never fault x |", "fault x"});
    ASSERT_EQ(made.wrong.size(), 3U);
    EXPECT_EQ(made.wrong.back(), "'fault y' fits no situation that there is");
}

}  // namespace
}  // namespace strandline::simulation
