// Why nothing is received, from the published state and from what the application is doing.
#pragma once

#include <strandline/explanation.hpp>

#include "client/consumer_state.hpp"

namespace strandline::client {

// Any thread; waits for no turn.
explanation explain(const consumer_state& state);

}  // namespace strandline::client
