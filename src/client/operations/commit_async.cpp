#include <memory>
#include <utility>
#include <variant>

#include "client/call.hpp"
#include "client/callbacks.hpp"
#include "client/detached_call.hpp"
#include "client/operations.hpp"

namespace strandline::client {

namespace {

class async_commit final : public detached_call {
public:
    async_commit(base::instant deadline, offsets named, commit_callback done)
        : detached_call(deadline), named_(std::move(named)), done_(std::move(done)) {}

    void on_ended(consumer_state& state) override {
        auto outcome = take_outcome();
        if (!done_) return;
        commit_result told;
        told.committed = std::move(named_);
        if (!outcome) {
            told.failure = std::move(outcome.error());
        } else if (auto* committed = std::get_if<offsets>(&*outcome)) {
            told.committed = std::move(*committed);
        }
        auto failure =
            run_callback(state, "commit callback", [&](consumer_access access) { done_(std::move(access), told); });
        if (failure) state.deferred_failure = std::move(failure);
    }

private:
    offsets named_;
    commit_callback done_;
};

}  // namespace

result<void> commit_async(consumer_state& state, frame_id frame, const std::optional<offsets>& named,
                          commit_callback done) {
    using command = core::boundary::command::commit;
    const auto let_in = call::begin(state, frame, "commit_async");
    if (!let_in) return tl::unexpected(let_in.error());
    if (!state.config.group_id) return tl::unexpected(error(errc::invalid_state, "commit_async: needs group_id"));
    command what{named ? command::source::named : command::source::processed, named.value_or(offsets()), false};
    if (!named) state.meeting.fold(state.ledger.collect(processing_ledger::counting::as_read));
    state.meeting.submit_detached(
        std::make_unique<async_commit>(let_in->deadline(), named.value_or(offsets()), std::move(done)),
        std::move(what));
    return {};
}

}  // namespace strandline::client
