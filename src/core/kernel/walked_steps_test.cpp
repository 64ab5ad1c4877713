#include "core/kernel/walked_steps.hpp"

#include <gtest/gtest.h>

namespace strandline::core::kernel {
namespace {

TEST(walked_steps, knows_each_step_that_was_made_and_how_many_different_ones) {
    walked_steps walked;
    EXPECT_EQ(walked.distinct(), 0U);
    walked.note(0, 1);
    walked.note(1, 31);
    walked.note(0, 1);
    EXPECT_TRUE(walked.has(0, 1));
    EXPECT_TRUE(walked.has(1, 31));
    EXPECT_FALSE(walked.has(1, 0));
    EXPECT_EQ(walked.distinct(), 2U);
}

TEST(walked_steps, staying_is_no_step) {
    walked_steps walked;
    walked.note(3, 3);
    EXPECT_EQ(walked.distinct(), 0U);
    EXPECT_FALSE(walked.has(3, 3));
}

}  // namespace
}  // namespace strandline::core::kernel
