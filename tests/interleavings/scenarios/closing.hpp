// Close against everything: whatever is under way ends, once, and nobody touches what is gone.
#pragma once

#include "tests/interleavings/scenarios/rig.hpp"

namespace strandline::interleavings {

// As a close does when its time is over: the reactor is gone, then everything fails.
template <class Kit>
void cut_off(rig<Kit>& shared) {
    shared.disconnect();
    shared.meeting->fail_all({errc::consumer_closed, "over"});
}

template <class Kit>
void close_against_a_call_that_may_complete_as_well(run_of<Kit>& run) {
    auto& shared = run.template keep<rig<Kit>>();
    auto& results = run.template keep<int>(0);
    run.actor("reactor", [&] {
        shared.collect();
        shared.complete_all();
    });
    run.actor("closer", [&] { cut_off(shared); });
    run.actor("caller", [&] {
        handoff::operation call(base::never);
        shared.meeting->submit(call, command::list_topics{});
        run.check(wait_for<Kit>(*shared.meeting, call), "it ends");
        const auto outcome = call.take_outcome();
        run.check(outcome.has_value() || outcome.error() == errc::consumer_closed, "by its completion or by the close");
        ++results;
    });
    run.at_end([&] {
        run.check(results == 1, "with one result");
        run.check(!shared.after_the_end, "nobody signals a reactor that is gone");
    });
}

template <class Kit>
void close_against_a_call_at_its_deadline(run_of<Kit>& run) {
    auto& shared = run.template keep<rig<Kit>>();
    const auto deadline = run.a_deadline();
    run.actor("closer", [&] { cut_off(shared); });
    run.actor("caller", [&, deadline] {
        handoff::operation call(deadline);
        shared.meeting->submit(call, command::list_topics{});
        if (wait_for<Kit>(*shared.meeting, call)) {
            run.check(call.take_outcome().error() == errc::consumer_closed, "it ends by the close or by its deadline");
        }
    });
    run.at_end([&] { run.check(!shared.after_the_end, "nobody signals a reactor that is gone"); });
}

template <class Kit>
void close_against_a_detached_call(run_of<Kit>& run) {
    auto& shared = run.template keep<rig<Kit>>();
    auto& back = run.template keep<int>(0);
    run.actor("reactor", [&] {
        shared.collect();
        shared.complete_all();
        shared.meeting->wake_application();
    });
    run.actor("closer", [&] { cut_off(shared); });
    run.actor("application", [&] {
        shared.meeting->submit_detached(std::make_unique<handoff::operation>(base::never), command::commit{});
        for (;;) {
            const auto offer = application<Kit>(*shared.meeting).poll();
            if (offer.what == handoff::poll_offer::kind::failed) break;
            ++back;
        }
    });
    run.at_end([&] {
        while (shared.meeting->next_callback().what == handoff::poll_offer::kind::ended) ++back;
        run.check(back == 1, "the call comes back once, before the failure or after it");
    });
}

template <class Kit>
void close_against_a_poll_and_a_wakeup(run_of<Kit>& run) {
    auto& shared = run.template keep<rig<Kit>>();
    auto& app = run.template keep<application<Kit>>(*shared.meeting);
    run.actor("closer", [&] { cut_off(shared); });
    run.actor("waker", [&] { shared.meeting->wakeup(); });
    run.actor("application", [&] {
        int woken = 0;
        while (app.poll().what == handoff::poll_offer::kind::woken) ++woken;
        run.check(woken <= 1, "one wake-up interrupts one poll");
    });
}

template <class Kit>
void the_close_itself_runs_its_callbacks_and_ends_once(run_of<Kit>& run) {
    auto& shared = run.template keep<rig<Kit>>();
    auto& callbacks = run.template keep<int>(0);
    run.resident("reactor", [&] {
        auto token = boundary::no_operation;
        while (shared.bell.answer()) {
            shared.collect();
            for (const auto& one : shared.inputs.commands) {
                if (std::holds_alternative<command::close>(one.what)) {
                    token = one.token;
                    shared.meeting->notify(boundary::callback_wanted{boundary::callback_id(1), {}, {}, {}});
                } else {
                    shared.meeting->complete({token, boundary::close_value{}});
                }
            }
            shared.meeting->wake_application();
        }
    });
    run.actor("closer", [&] {
        handoff::operation closing(base::never);
        shared.meeting->fold(entry(0, false));
        shared.meeting->submit(closing, command::close{});
        for (;;) {
            const auto offer = shared.meeting->next_callback();
            if (offer.what == handoff::poll_offer::kind::notice) {
                ++callbacks;
                shared.meeting->tell(command::callback_finished{boundary::callback_id(1), {}});
            } else if (shared.meeting->has_ended(closing)) {
                break;
            } else {
                shared.meeting->park(offer.version, base::never);
            }
        }
        run.check(closing.take_outcome().has_value(), "the close ends by its completion");
        cut_off(shared);
    });
    run.actor("waker", [&] { shared.meeting->wakeup(); });
    run.at_end([&] {
        run.check(callbacks == 1, "the callback ran once");
        run.check(!shared.after_the_end, "nobody signals a reactor that is gone");
    });
}

template <class Kit>
void bytes_are_freed_while_the_meeting_is_destroyed(run_of<Kit>& run) {
    auto& shared = run.template keep<rig<Kit>>();
    auto& held = run.template keep<base::buffer>(std::size_t{100}, shared.meeting->memory());
    shared.collect();
    shared.meeting->publish(decision(), core::boundary::awaited_space::memory);
    run.actor("frees", [&] { held = base::buffer(); });
    run.actor("closer", [&] {
        cut_off(shared);
        shared.meeting.reset();
    });
    run.at_end([&] {
        run.check(shared.signals <= 1, "it signals once, or not at all");
        run.check(!shared.after_the_end, "nobody signals a reactor that is gone");
    });
}

template <class Kit>
std::vector<scenario<Kit>> closing() {
    return {
        {"close_against_a_call_that_may_complete_as_well", &close_against_a_call_that_may_complete_as_well<Kit>},
        {"close_against_a_call_at_its_deadline", &close_against_a_call_at_its_deadline<Kit>},
        {"close_against_a_detached_call", &close_against_a_detached_call<Kit>},
        {"close_against_a_poll_and_a_wakeup", &close_against_a_poll_and_a_wakeup<Kit>},
        {"the_close_itself_runs_its_callbacks_and_ends_once", &the_close_itself_runs_its_callbacks_and_ends_once<Kit>},
        {"bytes_are_freed_while_the_meeting_is_destroyed", &bytes_are_freed_while_the_meeting_is_destroyed<Kit>, true},
    };
}

}  // namespace strandline::interleavings
