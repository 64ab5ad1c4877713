// Is the consumer closing, and how far is it? Owned by the lifecycle manager; managers read what is asked of them.
#pragma once

#include <cstdint>

#include "base/instant.hpp"
#include "core/boundary/command.hpp"

namespace strandline::core::exchange {

// The stages of close, in their order. A stage ends when its manager has emitted stage_finished, or with its share of
// the budget.
enum class close_stage : std::uint8_t {
    open,        // not closing
    commit,      // commit manager: send what is processed (automatic commit) and finish commits in flight
    callbacks,   // membership manager: fence, let the listener give up the partitions
    commit_more, // commit manager: what the callbacks added
    leave,       // membership manager: the leave heartbeat
    drain,       // fetch manager: close fetch sessions; connections: finish writing
    stopped,     // nothing more is sent
};

struct lifecycle_view {
    close_stage stage = close_stage::open;
    boundary::command::leave_option leave = boundary::command::leave_option::by_default;
    base::instant stage_deadline = base::never;
};

}  // namespace strandline::core::exchange
