#include "core/offsets/commit_queue.hpp"

#include <algorithm>
#include <utility>

namespace strandline::core::offsets {

namespace {

bool is_asynchronous(const pending_commit& commit) {
    return commit.from == pending_commit::origin::application && !commit.retry;
}

// What `newer` does not name itself.
void take_in(pending_commit& newer, const pending_commit& older) {
    for (const auto& item : older.items) {
        const bool is_named = std::any_of(newer.items.begin(), newer.items.end(),
                                          [&](const commit_item& own) { return own.partition == item.partition; });
        if (!is_named) newer.items.push_back(item);
    }
}

}  // namespace

std::optional<boundary::operation_token> commit_queue::push(pending_commit commit) {
    std::optional<boundary::operation_token> folded;
    if (is_asynchronous(commit) && commits_.size() > (in_flight_ ? 1U : 0U) && is_asynchronous(commits_.back())) {
        const auto first = commits_.begin() + (in_flight_ ? 1 : 0);
        const auto waiting = std::count_if(first, commits_.end(), is_asynchronous);
        // Only its neighbour: taking in an older one would undo what was asked for in between.
        if (static_cast<std::size_t>(waiting) >= asynchronous_limit) {
            take_in(commit, commits_.back());
            folded = commits_.back().token;
            commits_.pop_back();
        }
    }
    commits_.push_back(std::move(commit));
    return folded;
}

void commit_queue::pop() {
    commits_.pop_front();
    in_flight_ = false;
}

}  // namespace strandline::core::offsets
