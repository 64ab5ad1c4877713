// consumer_config in the core's terms.
#pragma once

#include <strandline/consumer_config.hpp>
#include <strandline/error.hpp>

#include "core/boundary/core_config.hpp"

namespace strandline::client {

// Checked: the error has everything that is wrong.
result<core::boundary::core_config> core_settings(const consumer_config& config);

}  // namespace strandline::client
