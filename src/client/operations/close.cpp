#include <algorithm>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "client/call.hpp"
#include "client/callbacks.hpp"
#include "client/close_now.hpp"
#include "client/operations.hpp"

namespace strandline::client {

namespace boundary = core::boundary;

namespace {

// The reactor's own deadline lies a little before ours, so that its account of what is undone arrives.
base::instant with_margin(base::instant deadline) {
    if (deadline == base::never) return deadline;
    const auto left = std::max(deadline - now(), base::duration(0));
    return deadline - std::min<base::duration>(left / 10, std::chrono::milliseconds(50));
}

boundary::command::leave_option option_of(group_membership membership) {
    switch (membership) {
        case group_membership::by_default: return boundary::command::leave_option::by_default;
        case group_membership::leave: return boundary::command::leave_option::leave_group;
        case group_membership::remain: return boundary::command::leave_option::remain_in_group;
    }
    return boundary::command::leave_option::by_default;
}

void tell_reading_progress(consumer_state& state) {
    auto progress = state.ledger.collect(processing_ledger::counting::as_read);
    progress.inside_poll = false;
    progress.meets_fences = true;
    state.meeting.fold(progress);
}

void run_callbacks_of_close(consumer_state& state, handoff::poll_offer offer, close_report& report) {
    if (auto failure = handle(state, std::move(offer))) report.undone.push_back(failure->message());
    tell_reading_progress(state);
}

void await_end(consumer_state& state, handoff::operation& closing, base::instant deadline, close_report& report) {
    for (;;) {
        auto offer = state.meeting.next_callback();
        if (offer.what == handoff::poll_offer::kind::notice || offer.what == handoff::poll_offer::kind::ended) {
            run_callbacks_of_close(state, std::move(offer), report);
            continue;
        }
        switch (state.meeting.wait_or_visible(closing, offer.version, deadline)) {
            case handoff::handoff::waited::visible: continue;
            case handoff::handoff::waited::deadline:
                report.undone.emplace_back("close did not come to its end by its deadline");
                return;
            case handoff::handoff::waited::ended: break;
        }
        auto outcome = closing.take_outcome();
        if (!outcome) {
            report.undone.push_back(outcome.error().message());
        } else if (auto* told = std::get_if<boundary::close_value>(&*outcome)) {
            report.uncommitted = std::move(told->uncommitted);
            for (auto& text : told->undone) report.undone.push_back(std::move(text));
        }
        return;
    }
}

// Asynchronous commits that ended with the close, or because of it: each callback runs once, here at the latest.
void run_last_callbacks(consumer_state& state, close_report& report) {
    for (;;) {
        auto offer = state.meeting.next_callback();
        if (offer.what == handoff::poll_offer::kind::ended) {
            if (auto failure = handle(state, std::move(offer))) report.undone.push_back(failure->message());
        } else if (offer.what != handoff::poll_offer::kind::notice) {
            return;
        }
    }
}

}  // namespace

close_report close_now(consumer_state& state, base::instant deadline, group_membership membership) {
    close_report report;
    tell_reading_progress(state);
    handoff::operation closing(with_margin(deadline));
    state.meeting.submit(closing, boundary::command::close{option_of(membership)});
    await_end(state, closing, deadline, report);
    // Nothing turns any more, so nothing can end any more either. No lock is held while the thread ends.
    state.running.reset();
    state.meeting.fail_all(closed_error("consumer"));
    // Closed before the last callbacks: one that tries its commit again must not go on for ever.
    state.closed = true;
    run_last_callbacks(state, report);
    return report;
}

result<close_report> close(consumer_state& state, frame_id frame, timeout within, group_membership membership) {
    const auto let_in = call::begin(state, frame, "close", within);
    if (!let_in) {
        if (let_in.error() == errc::consumer_closed) return close_report();
        return tl::unexpected(let_in.error());
    }
    if (let_in->in_callback()) {
        request_close(state);
        close_report report;
        report.requested_only = true;
        return report;
    }
    return close_now(state, let_in->deadline(), membership);
}

void request_close(consumer_state& state) noexcept {
    state.close_requested = true;
    state.meeting.look_again();
}

void wakeup(consumer_state& state) noexcept { state.meeting.wakeup(); }

}  // namespace strandline::client
