// The rules that a configuration must keep, wherever its values come from.
#pragma once

#include <strandline/consumer_config.hpp>

#include "client/configuration/problem.hpp"

namespace strandline::client::configuration {

// All that is wrong, but for missing bootstrap servers: a file may leave them to the program.
problems check_values(const consumer_config& config);
problems check_complete(const consumer_config& config);

}  // namespace strandline::client::configuration
