#include "handoff/command_queue.hpp"

#include <utility>
#include <variant>

#include "core/boundary/asynchronous_commits.hpp"

namespace strandline::handoff {

namespace {

namespace command = core::boundary::command;

// Asynchronous commits are those that nobody retries.
core::boundary::folding_role role_of(const core::boundary::submitted_command& submitted) {
    using core::boundary::folding_role;
    const auto* commit = std::get_if<command::commit>(&submitted.what);
    if (!commit) return folding_role::no_commit;
    if (commit->retry) return folding_role::barrier;
    return commit->what == command::commit::source::named ? folding_role::named : folding_role::processed;
}

bool is_asynchronous(core::boundary::folding_role role) {
    return role == core::boundary::folding_role::named || role == core::boundary::folding_role::processed;
}

}  // namespace

std::optional<core::boundary::operation_token> command_queue::push(core::boundary::submitted_command command) {
    const bool counts = is_asynchronous(role_of(command));
    commands_.push_back(std::move(command));
    if (!counts || ++async_commits_ <= core::boundary::asynchronous_commit_limit) return std::nullopt;
    return fold();
}

std::optional<core::boundary::operation_token> command_queue::fold() {
    const auto found = core::boundary::find_fold(commands_, role_of);
    if (!found) return std::nullopt;
    const auto& [older, newer] = *found;
    // Offsets that the newer commit does not name keep their place in it; where both name one, the newer counts.
    std::get<command::commit>(newer->what).named.merge(std::get<command::commit>(older->what).named);
    const auto superseded = older->token;
    commands_.erase(older);
    --async_commits_;
    return superseded;
}

void command_queue::take(std::vector<core::boundary::submitted_command>& into) {
    into.clear();
    std::swap(into, commands_);
    async_commits_ = 0;
}

}  // namespace strandline::handoff
