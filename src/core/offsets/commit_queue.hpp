// Commits that wait for their turn or their answer, in the order in which they were asked for.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>

#include "core/boundary/identity.hpp"
#include "core/offsets/pending_commit.hpp"

namespace strandline::core::offsets {

class commit_queue {
public:
    // Returns the operation whose commit was folded into a newer one, if any.
    std::optional<boundary::operation_token> push(pending_commit commit);
    pending_commit& front() noexcept { return commits_.front(); }
    void pop();
    bool empty() const noexcept { return commits_.empty(); }
    std::deque<pending_commit>& all() noexcept { return commits_; }
    // While the front one is in flight nothing may fold into it.
    void set_in_flight(bool in_flight) noexcept { in_flight_ = in_flight; }

private:
    std::deque<pending_commit> commits_;
    bool in_flight_ = false;
};

}  // namespace strandline::core::offsets
