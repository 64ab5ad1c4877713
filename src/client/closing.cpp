#include "client/closing.hpp"

#include <algorithm>
#include <chrono>
#include <utility>
#include <variant>

#include "client/call.hpp"
#include "core/boundary/command.hpp"

namespace strandline::client {

namespace boundary = core::boundary;

namespace {

// Even a close without any time waits for the reactor's stages of a turn each: what only has to be written, a leave
// above all, is written.
constexpr base::duration shortest_close = std::chrono::milliseconds(50);

// The reactor's own deadline lies a little before ours, so that its account of what is undone arrives.
base::instant with_margin(base::instant now, base::instant deadline) {
    if (deadline == base::never) return deadline;
    const auto left = std::max(deadline - now, base::duration(0));
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

}  // namespace

closing::closing(consumer_state& state, callback_turn& callbacks, waiting& waits, base::instant deadline,
                 group_membership membership)
    : state_(state),
      callbacks_(callbacks),
      waits_(waits),
      deadline_(std::max(deadline, base::saturating_add(state.time.now(), shortest_close))),
      membership_(membership),
      closing_(state.meeting, with_margin(state.time.now(), deadline)) {}

step closing::advance() {
    for (;;) {
        if (callbacks_.is_busy()) {
            if (const auto next = callbacks_.advance(); next != step::ended) return next;
            note_callback();
        }
        switch (stage_) {
            case stage::begin: begin(); break;
            case stage::await_end:
                if (!await_end()) return step::wait;
                break;
            case stage::last_callbacks:
                if (take_last_callback()) break;
                report_untold();
                return step::ended;
        }
    }
}

void closing::begin() {
    tell_reading_progress(state_);
    closing_.submit(boundary::command::close{option_of(membership_)});
    stage_ = stage::await_end;
}

bool closing::await_end() {
    // Nothing turns any more. A callback that tries its commit again must not go on for ever.
    state_.closed = state_.closed || closing_.has_ended();
    auto offer = state_.meeting.next_callback();
    if (offer.what == handoff::poll_offer::kind::notice || offer.what == handoff::poll_offer::kind::ended) {
        callbacks_.take(std::move(offer));
        if (!callbacks_.is_busy()) note_callback();
        return true;
    }
    if (!closing_.has_ended()) {
        if (state_.time.now() < deadline_) {
            waits_ = {nullptr, offer.version, deadline_};
            return false;
        }
        if (closing_.give_up()) {
            report_.undone.emplace_back("close did not come to its end by its deadline");
            stop();
            return true;
        }
    }
    conclude(closing_.take_outcome());
    stop();
    return true;
}

void closing::conclude(result<boundary::operation_value> outcome) {
    if (!outcome && outcome.error() == errc::consumer_closed) return;  // an earlier close did it, and was given up
    if (!outcome) {
        report_.undone.push_back(outcome.error().message());
    } else if (auto* told = std::get_if<boundary::close_value>(&*outcome)) {
        report_.uncommitted = std::move(told->uncommitted);
        for (auto& text : told->undone) report_.undone.push_back(std::move(text));
    }
}

// Nothing turns any more, so nothing can end any more either. No lock is held while the reactor goes.
void closing::stop() {
    state_.running.reset();
    state_.meeting.fail_all(closed_error("consumer"));
    state_.closed = true;
    stage_ = stage::last_callbacks;
}

// Asynchronous commits that ended with the close, or because of it: each callback runs once, here at the latest.
bool closing::take_last_callback() {
    for (;;) {
        auto offer = state_.meeting.next_callback();
        if (offer.what == handoff::poll_offer::kind::ended) {
            callbacks_.take(std::move(offer));
            if (!callbacks_.is_busy()) note_callback();
            return true;
        }
        if (offer.what != handoff::poll_offer::kind::notice) return false;
    }
}

void closing::report_untold() {
    for (const auto& why : std::exchange(state_.untold, {})) report_.undone.push_back(why.message());
}

void closing::note_callback() {
    if (auto failure = callbacks_.take_failure()) report_.undone.push_back(failure->message());
    if (stage_ == stage::await_end) tell_reading_progress(state_);
}

}  // namespace strandline::client
