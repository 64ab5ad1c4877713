// By hand: which partitions, and where each begins and ends.
#pragma once

#include "apps/consume/session.hpp"

namespace strandline::apps::consume {

// Assigns the partitions that were asked for and sets their positions and ends. False: session::failure says what is
// missing or wrong, or the run is over.
bool assign_by_hand(session& run);

}  // namespace strandline::apps::consume
