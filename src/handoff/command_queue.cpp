#include "handoff/command_queue.hpp"

#include <algorithm>
#include <utility>
#include <variant>

namespace strandline::handoff {

namespace {

namespace command = core::boundary::command;

// Asynchronous commits are those that nobody retries.
command::commit* async_commit(core::boundary::submitted_command& submitted) {
    auto* commit = std::get_if<command::commit>(&submitted.what);
    return commit && !commit->retry ? commit : nullptr;
}

}  // namespace

std::optional<core::boundary::operation_token> command_queue::push(core::boundary::submitted_command command) {
    const bool is_async_commit = async_commit(command) != nullptr;
    commands_.push_back(std::move(command));
    if (!is_async_commit || ++async_commits_ <= async_commit_limit) return std::nullopt;
    return fold_oldest_commit();
}

std::optional<core::boundary::operation_token> command_queue::fold_oldest_commit() {
    auto& newest = *async_commit(commands_.back());
    const auto oldest = std::ranges::find_if(commands_, [&](auto& submitted) {
        const auto* commit = async_commit(submitted);
        return commit && commit->what == newest.what;
    });
    // Only the newest is of its kind: there is nothing it could take along.
    if (&*oldest == &commands_.back()) return std::nullopt;
    // Offsets that the newer commit does not name keep their place in it; where both name one, the newer counts.
    newest.named.merge(async_commit(*oldest)->named);
    const auto superseded = oldest->token;
    commands_.erase(oldest);
    --async_commits_;
    return superseded;
}

void command_queue::take(std::vector<core::boundary::submitted_command>& into) {
    into.clear();
    std::swap(into, commands_);
    async_commits_ = 0;
}

}  // namespace strandline::handoff
