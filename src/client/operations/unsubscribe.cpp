#include "client/operations/unsubscribe.hpp"

#include <utility>

namespace strandline::client {

namespace command = core::boundary::command;

step unsubscribe_call::proceed() {
    if (!leaving_.is_under_way()) {
        state().subscribed = false;
        if (in_callback()) {
            submit_for_later(state(), deadline(), command::unsubscribe{});
            return end({});
        }
        begin();
    }
    for (;;) {
        if (callbacks().is_busy()) {
            if (const auto next = callbacks().advance(); next != step::ended) return next;
            note_callback();
        }
        auto offer = state().meeting.next_callback();
        if (offer.what == handoff::poll_offer::kind::notice || offer.what == handoff::poll_offer::kind::ended) {
            callbacks().take(std::move(offer));
            continue;
        }
        if (!leaving_.has_ended()) {
            if (now() < deadline()) {
                waits() = {nullptr, offer.version, deadline()};
                return step::wait;
            }
            if (leaving_.give_up()) return fail(timed_out());
        }
        auto outcome = leaving_.take_outcome();
        if (!outcome) return fail(std::move(outcome.error()));
        if (failed_callback_) return fail(std::move(*failed_callback_));
        return end({});
    }
}

// Nothing more is handed out, so every fence is met.
void unsubscribe_call::begin() {
    auto progress = state().ledger.collect(processing_ledger::counting::as_read);
    progress.meets_fences = true;
    state().meeting.fold(progress);
    leaving_.submit(command::unsubscribe{});
}

void unsubscribe_call::note_callback() {
    auto failure = callbacks().take_failure();
    if (failure && !failed_callback_) failed_callback_ = std::move(failure);
}

}  // namespace strandline::client
