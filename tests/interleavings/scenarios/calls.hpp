// Calls: each ends once, with its own result, whoever else is about.
#pragma once

#include "tests/interleavings/scenarios/rig.hpp"

namespace strandline::interleavings {

template <class Kit>
void calls_of_two_threads_each_end_once_with_one_turn_asked_at_a_time(run_of<Kit>& run) {
    auto& shared = run.template keep<rig<Kit>>();
    int calls = 2;  // of the first caller; the other makes one
    run.resident("reactor", [&] { shared.serve(); });
    for (const auto* name : {"caller", "other caller"}) {
        run.actor(name, [&, mine = calls--] {
            for (int i = 0; i < mine; ++i) {
                handoff::operation call(base::never);
                shared.meeting->submit(call, command::list_topics{});
                run.check(wait_for<Kit>(*shared.meeting, call), "a call without a deadline ends");
                run.check(call.take_outcome().has_value(), "with its result");
            }
        });
    }
    run.at_end([&] { run.check(shared.signals <= shared.collected, "one wake token is outstanding at most"); });
}

template <class Kit>
void a_wakeup_does_not_end_a_call_and_is_kept_for_a_poll(run_of<Kit>& run) {
    auto& shared = run.template keep<rig<Kit>>();
    run.resident("reactor", [&] { shared.serve(); });
    run.actor("waker", [&] { shared.meeting->wakeup(); });
    run.actor("caller", [&] {
        handoff::operation call(base::never);
        shared.meeting->submit(call, command::list_topics{});
        run.check(wait_for<Kit>(*shared.meeting, call), "the call ends by its completion");
        run.check(call.take_outcome().has_value(), "with its result");
        run.check(application<Kit>(*shared.meeting).poll().what == handoff::poll_offer::kind::woken,
                  "the poll after it is interrupted");
    });
    run.at_end([&] {
        std::vector<handoff::fetched_piece> data;
        run.check(shared.meeting->next({1, 0}, data).what == handoff::poll_offer::kind::nothing, "and only that one");
    });
}

template <class Kit>
void a_call_at_its_deadline_has_a_result_or_is_cancelled_once(run_of<Kit>& run) {
    auto& shared = run.template keep<rig<Kit>>();
    auto& ended = run.template keep<bool>(false);
    const auto deadline = run.a_deadline();
    run.resident("reactor", [&] { shared.serve(); });
    run.actor("caller", [&, deadline] {
        // On the caller's stack: a completion that still reached it after the call would write into nothing.
        handoff::operation call(deadline);
        shared.meeting->submit(call, command::list_topics{});
        ended = wait_for<Kit>(*shared.meeting, call);
        if (ended) run.check(call.take_outcome().has_value(), "a call that has ended has a result");
    });
    run.at_end([&] {
        shared.collect();
        run.check(shared.cancels == (ended ? 0U : 1U), "the reactor hears of a call that was given up, and only then");
    });
}

template <class Kit>
void a_call_that_runs_callbacks_sees_them_and_its_own_end(run_of<Kit>& run) {
    auto& shared = run.template keep<rig<Kit>>();
    auto& told = run.template keep<int>(0);
    run.resident("reactor", [&] {
        auto token = boundary::no_operation;
        while (shared.bell.answer()) {
            shared.collect();
            shared.meeting->publish(decision());
            for (const auto& one : shared.inputs.commands) {
                if (std::holds_alternative<command::unsubscribe>(one.what)) {
                    token = one.token;
                    shared.meeting->notify(boundary::callback_wanted{boundary::callback_id(1), {}, {}, {}});
                } else {
                    shared.meeting->complete({token, boundary::done{}});
                }
            }
            shared.meeting->wake_application();
        }
    });
    run.actor("caller", [&] {
        handoff::operation call(base::never);
        shared.meeting->submit(call, command::unsubscribe{});
        for (;;) {
            const auto offer = shared.meeting->next_callback();
            if (offer.what == handoff::poll_offer::kind::notice) {
                ++told;
                shared.meeting->tell(command::callback_finished{boundary::callback_id(1), {}});
            } else if (shared.meeting->has_ended(call)) {
                break;
            } else {
                shared.meeting->park(offer.version, base::never);
            }
        }
        run.check(call.take_outcome().has_value(), "it ends with its result");
    });
    run.at_end([&] { run.check(told == 1, "its callback ran once"); });
}

template <class Kit>
void a_detached_call_is_handed_back_once(run_of<Kit>& run) {
    auto& shared = run.template keep<rig<Kit>>();
    run.resident("reactor", [&] { shared.serve(); });
    run.actor("application", [&] {
        shared.meeting->submit_detached(std::make_unique<handoff::operation>(base::never), command::commit{});
        auto offer = application<Kit>(*shared.meeting).poll();
        run.check(offer.what == handoff::poll_offer::kind::ended, "it comes back in a poll");
        run.check(offer.call && offer.call->take_outcome().has_value(), "with its result");
    });
    run.actor("waker", [&] { shared.meeting->look_again(); });
    run.at_end([&] {
        run.check(shared.meeting->next_callback().what == handoff::poll_offer::kind::nothing, "and never again");
    });
}

template <class Kit>
std::vector<scenario<Kit>> calls() {
    return {
        {"calls_of_two_threads_each_end_once_with_one_turn_asked_at_a_time",
         &calls_of_two_threads_each_end_once_with_one_turn_asked_at_a_time<Kit>},
        {"a_wakeup_does_not_end_a_call_and_is_kept_for_a_poll",
         &a_wakeup_does_not_end_a_call_and_is_kept_for_a_poll<Kit>},
        {"a_call_at_its_deadline_has_a_result_or_is_cancelled_once",
         &a_call_at_its_deadline_has_a_result_or_is_cancelled_once<Kit>},
        {"a_call_that_runs_callbacks_sees_them_and_its_own_end",
         &a_call_that_runs_callbacks_sees_them_and_its_own_end<Kit>},
        {"a_detached_call_is_handed_back_once", &a_detached_call_is_handed_back_once<Kit>},
    };
}

}  // namespace strandline::interleavings
