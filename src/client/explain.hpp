// Why nothing is received, from the published state.
#pragma once

#include <strandline/explanation.hpp>

#include "client/consumer_state.hpp"

namespace strandline::client {

// Any thread.
explanation explain(const consumer_state& state);

}  // namespace strandline::client
