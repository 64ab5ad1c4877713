// What one turn collects from the application: everything that arrived since the turn before.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/boundary/command.hpp"
#include "core/boundary/delivery.hpp"

namespace strandline::handoff {

struct reactor_inputs {
    std::vector<core::boundary::submitted_command> commands;  // in the order of their submission
    // Present if the application told anything since the last time; `inside_poll` is the newest.
    std::optional<core::boundary::checkpoint> checkpoint;
    // To be applied after the checkpoint: what the application did before it met the fence is in there.
    std::vector<core::boundary::fence_acknowledged> fences;
    std::vector<core::boundary::buffer_drained> drained;
    // Of the account: buffered, held by the application, decompressed.
    std::size_t bytes_in_use = 0;
};

}  // namespace strandline::handoff
