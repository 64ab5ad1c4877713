#include "client/operations/commit.hpp"

#include <utility>

#include <fmt/format.h>

#include "client/operations/named_offsets.hpp"

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
        if (const auto trouble = state().ledger.pass_up_to(*part_, next_)) {
            fail(error(
                errc::commit_failed,
                fmt::format("commit: what comes before the record was not processed: {}", trouble->reason().message()),
                trouble->reason().about()));
            return std::nullopt;
        }
    }
    return commit_processed_call::prepare();
}

std::optional<core::boundary::any_command> commit_named_call::prepare() {
    if (!state().config.group_id) {
        fail(without_group());
        return std::nullopt;
    }
    if (auto refused = refusal_of("commit", named_)) {
        fail(std::move(*refused));
        return std::nullopt;
    }
    if (named_.empty()) {
        end({});
        return std::nullopt;
    }
    return command::commit{command::commit::source::named, std::move(named_), true};
}

}  // namespace strandline::client
