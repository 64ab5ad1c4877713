#include "client/operations/commit.hpp"

namespace strandline::client {

namespace command = core::boundary::command;

namespace {

error without_group() { return {errc::invalid_state, "commit: needs group_id"}; }

}  // namespace

std::optional<core::boundary::any_command> commit_processed_call::prepare() {
    if (!state().config.group_id) {
        fail(without_group());
        return std::nullopt;
    }
    // Reading progress only: what is handed out and not moved past is not handled yet.
    state().meeting.fold(state().ledger.collect(processing_ledger::counting::as_read));
    return command::commit{};
}

std::optional<core::boundary::any_command> commit_up_to_call::prepare() {
    if (state().config.group_id) {
        if (!part_ || !state().meeting.is_current(part_->slot, part_->era)) {
            fail(error(errc::commit_failed,
                       "commit: the record's partition is no longer assigned, or was sought since"));
            return std::nullopt;
        }
        if (part_->so_far().offset < next_) part_->pass_to(next_);
    }
    return commit_processed_call::prepare();
}

std::optional<core::boundary::any_command> commit_named_call::prepare() {
    if (!state().config.group_id) {
        fail(without_group());
        return std::nullopt;
    }
    for (const auto& [partition, position] : named_) {
        if (position.offset >= 0) continue;
        fail(error(errc::invalid_argument, "commit: " + to_string(partition) + " has a negative offset"));
        return std::nullopt;
    }
    if (named_.empty()) {
        end({});
        return std::nullopt;
    }
    return command::commit{command::commit::source::named, std::move(named_), true};
}

}  // namespace strandline::client
