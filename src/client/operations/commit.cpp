#include "client/call.hpp"
#include "client/operations.hpp"

namespace strandline::client {

namespace {

result<void> checked(const consumer_state& state, const offsets* named) {
    if (!state.config.group_id) return tl::unexpected(error(errc::invalid_state, "commit: needs group_id"));
    if (!named) return {};
    for (const auto& [partition, position] : *named) {
        if (position.offset < 0) {
            return tl::unexpected(
                error(errc::invalid_argument, "commit: " + to_string(partition) + " has a negative offset"));
        }
    }
    return {};
}

// Reading progress only: what is handed out and not moved past is not handled yet.
void tell_progress(consumer_state& state) {
    state.meeting.fold(state.ledger.collect(processing_ledger::counting::as_read));
}

}  // namespace

result<void> commit_processed(consumer_state& state, frame_id frame, timeout within) {
    auto let_in = call::begin(state, frame, "commit", within);
    if (!let_in) return tl::unexpected(let_in.error());
    if (auto verdict = checked(state, nullptr); !verdict) return verdict;
    tell_progress(state);
    return let_in->done(core::boundary::command::commit{});
}

result<void> commit_up_to(consumer_state& state, frame_id frame, part_progress* part, std::int64_t next,
                          timeout within) {
    auto let_in = call::begin(state, frame, "commit", within);
    if (!let_in) return tl::unexpected(let_in.error());
    if (auto verdict = checked(state, nullptr); !verdict) return verdict;
    if (!part || !state.meeting.is_current(part->slot, part->era)) {
        return tl::unexpected(
            error(errc::commit_failed, "commit: the record's partition is no longer assigned, or was sought since"));
    }
    if (part->so_far().offset < next) part->pass_to(next);
    tell_progress(state);
    return let_in->done(core::boundary::command::commit{});
}

result<void> commit_named(consumer_state& state, frame_id frame, const offsets& named, timeout within) {
    auto let_in = call::begin(state, frame, "commit", within);
    if (!let_in) return tl::unexpected(let_in.error());
    if (auto verdict = checked(state, &named); !verdict) return verdict;
    if (named.empty()) return {};
    return let_in->done(core::boundary::command::commit{core::boundary::command::commit::source::named, named, true});
}

}  // namespace strandline::client
