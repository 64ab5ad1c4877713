#include <utility>

#include "client/call.hpp"
#include "client/callbacks.hpp"
#include "client/operations.hpp"

namespace strandline::client {

namespace {

// The listener is told on this thread while we wait. Nothing more is handed out, so every fence is met.
result<void> run_to_its_end(consumer_state& state, call& inside) {
    auto progress = state.ledger.collect(processing_ledger::counting::as_read);
    progress.meets_fences = true;
    state.meeting.fold(progress);
    handoff::operation leaving(inside.deadline());
    state.meeting.submit(leaving, core::boundary::command::unsubscribe{});
    std::optional<error> failed_callback;
    for (;;) {
        auto offer = state.meeting.next_callback();
        if (offer.what == handoff::poll_offer::kind::notice || offer.what == handoff::poll_offer::kind::ended) {
            if (auto failure = handle(state, std::move(offer)); failure && !failed_callback) failed_callback = failure;
            continue;
        }
        switch (state.meeting.wait_or_visible(leaving, offer.version, inside.deadline())) {
            case handoff::handoff::waited::visible: continue;
            case handoff::handoff::waited::deadline: return tl::unexpected(inside.timed_out());
            case handoff::handoff::waited::ended: break;
        }
        auto outcome = leaving.take_outcome();
        if (!outcome) return tl::unexpected(std::move(outcome.error()));
        if (failed_callback) return tl::unexpected(std::move(*failed_callback));
        return {};
    }
}

}  // namespace

result<void> unsubscribe(consumer_state& state, frame_id frame, timeout within) {
    auto let_in = call::begin(state, frame, "unsubscribe", within);
    if (!let_in) return tl::unexpected(let_in.error());
    state.subscribed = false;
    if (let_in->in_callback()) return let_in->done_after_callback(core::boundary::command::unsubscribe{});
    return run_to_its_end(state, *let_in);
}

}  // namespace strandline::client
