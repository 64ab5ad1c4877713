// How far an assigned partition is on its way to being fetched.
#pragma once

#include <cstdint>

namespace strandline::core::boundary {

enum class partition_phase : std::uint8_t {
    awaiting_committed,   // its committed offset is being looked up
    awaiting_reset,       // the reset policy, or a seek to an end, is being looked up
    awaiting_validation,  // the leader's epoch history is being asked whether the position still exists (KIP-320)
    fetching,             // the position is valid
    stopped,              // stands with an error until the application seeks
};

}  // namespace strandline::core::boundary
