// Compares the situations that runs came into with those that there are.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "testkit/simulator/situations.hpp"

namespace strandline::simulation {

struct coverage {
    std::size_t listed = 0;
    std::size_t reached = 0;
    std::size_t impossible = 0;
    std::vector<std::string> rare_not_reached;
    std::vector<std::string> wrong;  // what is wrong with it, in words
};

// `exceptions` are lines "never PATTERN | why" and "rare PATTERN | why"; a star stands for any text. Wrong are: what is
// neither reached nor excepted; what was reached although it cannot be; a line that fits nothing, gives no reason,
// excepts only what is reached by more than chance, or is so wide that most of what fits it is.
coverage compare(const std::vector<std::string>& all, const testkit::sim::situations& reached,
                 const std::vector<std::string>& exceptions);

// Whether the text is as the pattern says.
bool fits(std::string_view pattern, std::string_view text) noexcept;

}  // namespace strandline::simulation
