#include "core/connection/connection_phase.hpp"

#include <set>
#include <utility>

#include <gtest/gtest.h>

namespace strandline::core::connection {
namespace {

using enum connection_phase;

TEST(connection_phase, only_the_steps_of_the_table_are_legal) {
    const std::set<std::pair<connection_phase, connection_phase>> legal{
        {awaiting_address, queued}, {awaiting_address, closed}, {queued, resolving},   {queued, connecting},
        {queued, closed},           {resolving, connecting},    {resolving, closed},   {connecting, handshaking},
        {connecting, closed},       {handshaking, ready},       {handshaking, closed}, {ready, closed},
    };
    for (int from = 0; from <= static_cast<int>(closed); ++from) {
        for (int to = 0; to <= static_cast<int>(closed); ++to) {
            const std::pair step{static_cast<connection_phase>(from), static_cast<connection_phase>(to)};
            EXPECT_EQ(may_follow(step.first, step.second), legal.contains(step))
                << to_string(step.first) << " -> " << to_string(step.second);
        }
    }
}

}  // namespace
}  // namespace strandline::core::connection
