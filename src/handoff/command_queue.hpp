// Commands on their way to the reactor.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/boundary/command.hpp"

namespace strandline::handoff {

// Bounded: a call that waits has one command here at most, and asynchronous commits beyond the limit fold into
// newer ones. Plain data, guarded by the inbox's lock.
class command_queue {
public:
    // The operation whose commit was folded into this one, if it came to that: it ends as superseded.
    std::optional<core::boundary::operation_token> push(core::boundary::submitted_command command);
    bool empty() const noexcept { return commands_.empty(); }
    // Everything, in the order of submission; `into` is cleared first.
    void take(std::vector<core::boundary::submitted_command>& into);

private:
    std::optional<core::boundary::operation_token> fold();

    std::vector<core::boundary::submitted_command> commands_;
    std::size_t async_commits_ = 0;
};

}  // namespace strandline::handoff
