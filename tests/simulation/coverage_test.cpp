#include "tests/simulation/coverage.hpp"

#include <gtest/gtest.h>

namespace strandline::simulation {
namespace {

const std::vector<std::string> all{"member a -> b", "member b -> a", "fault x"};

testkit::sim::situations reached(std::initializer_list<const char*> names) {
    testkit::sim::situations made;
    for (const auto* name : names) made.reach(name, 100);
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

TEST(coverage, an_exception_of_what_is_reached_is_stale) {
    const auto everything = reached({"member a -> b", "member b -> a", "fault x"});
    EXPECT_EQ(compare(all, everything, {"rare fault x | hardly ever"}).wrong,
              std::vector<std::string>{
                  "'fault x' excepts nothing: all 1 that fit are reached, or excepted by a line before it"});
    EXPECT_EQ(compare(all, everything, {"rare member * | hardly ever"}).wrong.size(), 1U);
}

TEST(coverage, an_exception_stands_while_what_it_excepts_is_reached_by_chance_only) {
    auto some = reached({"member a -> b", "member b -> a"});
    some.reach("fault x");
    EXPECT_TRUE(compare(all, some, {"rare fault x | hardly ever"}).wrong.empty());
    EXPECT_TRUE(compare(all, some, {}).wrong.empty());
}

TEST(coverage, an_exception_of_what_another_one_excepts_already_is_stale) {
    const std::vector<std::string> exceptions{"rare member * | hardly ever", "rare member a -> b | hardly ever"};
    const auto made = compare(all, reached({"fault x"}), exceptions);
    ASSERT_EQ(made.wrong.size(), 1U);
    EXPECT_NE(made.wrong.front().find("'member a -> b' excepts nothing"), std::string::npos);
}

TEST(coverage, an_exception_is_too_wide_if_most_of_what_fits_it_is_reached) {
    const std::vector<std::string> exceptions{"rare * | hardly ever"};
    EXPECT_TRUE(compare(all, reached({"fault x"}), exceptions).wrong.empty());
    EXPECT_EQ(compare(all, reached({"fault x", "member a -> b"}), exceptions).wrong,
              std::vector<std::string>{"'*' is too wide: 2 of the 3 that fit are reached; name the others"});
}

TEST(coverage, what_cannot_be_must_not_be_reached_and_what_is_rare_may_be) {
    const std::vector<std::string> exceptions{"never member * | no members here", "rare fault x | hardly ever"};
    const auto made = compare(all, reached({"member a -> b"}), exceptions);
    EXPECT_EQ(made.impossible, 1U);
    EXPECT_EQ(made.rare_not_reached, std::vector<std::string>{"fault x"});
    EXPECT_EQ(made.wrong, std::vector<std::string>{"reached 'member a -> b', which cannot be: no members here"});
}

TEST(coverage, an_exception_has_a_reason_and_fits_something) {
    const auto made = compare(all, reached({"member a -> b", "member b -> a", "fault x"}),
                              {"rare fault y | nobody knows", "never fault x |", "fault x"});
    ASSERT_EQ(made.wrong.size(), 3U);
    EXPECT_EQ(made.wrong.back(), "'fault y' fits no situation that there is");
}

}  // namespace
}  // namespace strandline::simulation
