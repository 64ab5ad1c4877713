// What the application tells of itself when it enters a poll, commits, or leaves.
#pragma once

#include <optional>
#include <vector>

#include "core/boundary/delivery.hpp"

namespace strandline::handoff {

struct slot_era {
    core::boundary::slot_id slot;
    core::boundary::incarnation era;
};

struct application_progress {
    std::vector<core::boundary::progress> changed;
    // Everything that was handed out of these is processed and counted.
    std::vector<slot_era> settled;
    std::optional<base::instant> polled;  // a poll was entered or left
    std::optional<bool> inside_poll;
    // A poll entry: fences of what the application still holds are met here, after `changed`.
    bool meets_fences = false;
};

}  // namespace strandline::handoff
