// Something wrong with a configuration, and how all of it is told at once.
#pragma once

#include <string>
#include <vector>

#include <strandline/error.hpp>

namespace strandline::client::configuration {

struct problem {
    std::string key;  // the property's name, as it was written where it was written
    std::string text;
    friend bool operator==(const problem&, const problem&) = default;
};

using problems = std::vector<problem>;

// invalid_configuration, about the first key; nothing when there is no problem.
result<void> verdict_on(const problems& found);

}  // namespace strandline::client::configuration
