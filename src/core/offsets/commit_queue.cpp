#include "core/offsets/commit_queue.hpp"

#include <algorithm>
#include <ranges>
#include <utility>

#include "core/boundary/asynchronous_commits.hpp"

namespace strandline::core::offsets {

namespace {

boundary::folding_role role_of(const pending_commit& commit) {
    const bool is_asynchronous = commit.from == pending_commit::origin::application && !commit.retry;
    return is_asynchronous ? boundary::folding_role::named : boundary::folding_role::barrier;
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
    commits_.push_back(std::move(commit));
    if (role_of(commits_.back()) != boundary::folding_role::named) return std::nullopt;
    const auto waiting = std::ranges::subrange(commits_.begin() + (in_flight_ ? 1 : 0), commits_.end());
    const auto count = std::ranges::count(waiting, boundary::folding_role::named, role_of);
    if (static_cast<std::size_t>(count) <= boundary::asynchronous_commit_limit) return std::nullopt;
    const auto found = boundary::find_fold(waiting, role_of);
    if (!found) return std::nullopt;
    const auto& [older, newer] = *found;
    take_in(*newer, *older);
    const auto folded = older->token;
    commits_.erase(older);
    return folded;
}

void commit_queue::pop() {
    commits_.pop_front();
    in_flight_ = false;
}

}  // namespace strandline::core::offsets
