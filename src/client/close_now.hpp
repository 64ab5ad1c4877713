// Closing by whoever is inside already.
#pragma once

#include <strandline/close.hpp>

#include "client/consumer_state.hpp"

namespace strandline::client {

// Returns by the deadline; the consumer is closed afterwards, whatever could not be done.
close_report close_now(consumer_state& state, base::instant deadline, group_membership membership);

}  // namespace strandline::client
