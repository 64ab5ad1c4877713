#include "reactor/stop_reason.hpp"

#include <new>
#include <stdexcept>
#include <system_error>

#include <gtest/gtest.h>

namespace strandline::reactor {
namespace {

TEST(stop_reason, only_an_allocation_that_failed_is_called_out_of_memory) {
    EXPECT_EQ(failure_reason(std::bad_alloc()).code(), std::errc::not_enough_memory);
    const auto fault = failure_reason(std::logic_error("no owner"));
    EXPECT_EQ(fault, errc::internal_failure);
    EXPECT_NE(fault.message().find("no owner"), std::string::npos);
}

TEST(stop_reason, a_failure_is_fatal_whatever_it_was) {
    EXPECT_TRUE(failure_reason(std::bad_alloc()).fatal());
    EXPECT_TRUE(failure_reason(std::logic_error("no owner")).fatal());
    EXPECT_FALSE(failure_reason(std::logic_error("no owner")).retriable());
}

}  // namespace
}  // namespace strandline::reactor
