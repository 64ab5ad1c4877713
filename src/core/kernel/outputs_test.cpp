#include <gtest/gtest.h>

#include "core/kernel/plan.hpp"

namespace strandline::core::kernel {
namespace {

TEST(outputs, everything_that_was_gathered_is_given_in_its_order) {
    outputs<int> gathered;
    EXPECT_FALSE(gathered.take().has_value()) << "nothing gathered is no progress";
    for (const int output : {1, 2, 3}) gathered.add(output);
    auto made = gathered.take();
    ASSERT_TRUE(made.has_value());
    EXPECT_TRUE(made->is_progress());
    EXPECT_EQ(made->outputs(), (std::vector{1, 2, 3}));
    EXPECT_TRUE(gathered.empty());
}

}  // namespace
}  // namespace strandline::core::kernel
