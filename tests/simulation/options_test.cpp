#include "tests/simulation/options.hpp"

#include <gtest/gtest.h>

namespace strandline::simulation {
namespace {

std::string refusal(const std::vector<std::string>& words) {
    const auto parsed = parse_options(words);
    return parsed ? "" : parsed.error().message();
}
bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(options, seeds_hours_jobs_and_profile_are_read_with_and_without_an_equals_sign) {
    const auto parsed = parse_options({"--seeds=3..9", "--jobs", "2", "--profile", "churn", "--shrink"});
    ASSERT_TRUE(parsed);
    EXPECT_EQ(parsed->first_seed, 3U);
    EXPECT_EQ(parsed->last_seed, 9U);
    EXPECT_EQ(parsed->jobs, 2);
    EXPECT_EQ(parsed->profile, "churn");
    EXPECT_TRUE(parsed->shrinks);
    const auto hours = parse_options({"--seed", "5", "--hours", "0.5"});
    ASSERT_TRUE(hours);
    EXPECT_EQ(hours->hours, 0.5);
}

TEST(options, what_is_wrong_is_named_with_what_would_be_right) {
    EXPECT_TRUE(says(refusal({}), "say what to run"));
    EXPECT_TRUE(says(refusal({"--speed", "9"}), "unknown option '--speed'"));
    EXPECT_TRUE(says(refusal({"--seed"}), "--seed needs a value"));
    EXPECT_TRUE(says(refusal({"--seed", "one"}), "--seed 'one': give a number"));
    EXPECT_TRUE(says(refusal({"--seeds", "5"}), "as in 1..100"));
    EXPECT_TRUE(says(refusal({"--seeds", "5..1"}), "must not be above"));
    EXPECT_TRUE(says(refusal({"--hours", "-1"}), "give consumer-hours"));
    EXPECT_TRUE(says(refusal({"--seed", "1", "--jobs", "0"}), "from 1 to 64"));
    EXPECT_TRUE(says(refusal({"--seed", "1", "--profile", "loud"}), "known: mixed"));
    EXPECT_TRUE(says(refusal({"--seed", "1", "--standard"}), "say one of"));
    EXPECT_TRUE(says(refusal({"--seed", "1", "--checkers"}), "say one of"));
    EXPECT_TRUE(says(refusal({"--seeds", "1..2", "--trace"}), "--trace goes with one run"));
    EXPECT_TRUE(says(refusal({"--standard", "--hours", "1"}), "--hours goes with seeds only"));
}

TEST(options, help_needs_nothing_else_and_names_every_profile) {
    ASSERT_TRUE(parse_options({"--help"}));
    EXPECT_TRUE(says(usage(), "transactions"));
    EXPECT_TRUE(says(usage(), "--shrink"));
}

}  // namespace
}  // namespace strandline::simulation
