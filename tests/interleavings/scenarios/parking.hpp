// Publish against park: whatever comes while a poll decides to wait, it does not wait for what is there already.
#pragma once

#include "tests/interleavings/scenarios/rig.hpp"

namespace strandline::interleavings {

using offered = handoff::poll_offer::kind;

template <class Kit>
void data_published_while_a_poll_parks_is_taken_once_and_in_order(run_of<Kit>& run) {
    auto& shared = run.template keep<rig<Kit>>();
    auto& app = run.template keep<application<Kit>>(*shared.meeting);
    run.actor("reactor", [&] {
        shared.meeting->update(assigned());
        for (std::int64_t from : {0, 10}) {
            shared.meeting->publish(decision());
            shared.meeting->deliver(fetched(from, from + 10));
            shared.meeting->wake_application();
        }
    });
    run.actor("application", [&] {
        while (app.data.size() < 2) {
            run.check(app.poll().what == offered::data, "a poll without a deadline ends with data");
        }
    });
    run.at_end([&] {
        run.check(app.data.size() == 2 && app.data[0].from == 0 && app.data[1].from == 10, "each piece once, in order");
        run.check(app.in_vain == 0, "a poll is resumed for data only");
    });
}

template <class Kit>
void an_error_between_the_check_and_the_park_is_told_once(run_of<Kit>& run) {
    auto& shared = run.template keep<rig<Kit>>();
    auto& app = run.template keep<application<Kit>>(*shared.meeting);
    run.actor("reactor", [&] {
        shared.meeting->publish(decision());
        shared.meeting->notify(boundary::error_raised{{errc::topic_not_found, "orders"}});
        shared.meeting->wake_application();
    });
    run.actor("application", [&] { run.check(app.poll().what == offered::notice, "the poll ends with the error"); });
    run.at_end([&] {
        run.check(app.in_vain == 0, "the poll is resumed for the error only");
        run.check(shared.meeting->next({1, 0}, app.data).what == offered::nothing, "it is told once");
    });
}

template <class Kit>
void a_failure_of_everything_ends_a_poll_wherever_it_is(run_of<Kit>& run) {
    auto& shared = run.template keep<rig<Kit>>();
    auto& app = run.template keep<application<Kit>>(*shared.meeting);
    run.actor("reactor", [&] {
        shared.meeting->deliver(fetched(0, 10));
        shared.meeting->fail_all({errc::consumer_closed, "over"});
    });
    run.actor("application", [&] { run.check(app.poll().what == offered::failed, "the poll ends with the failure"); });
    run.at_end(
        [&] { run.check(app.poll().failure == error(errc::consumer_closed, "over"), "and so does every later one"); });
}

template <class Kit>
void several_wakers_interrupt_once_or_twice_and_cost_no_data(run_of<Kit>& run) {
    auto& shared = run.template keep<rig<Kit>>();
    auto& app = run.template keep<application<Kit>>(*shared.meeting);
    auto& woken = run.template keep<int>(0);
    shared.meeting->update(assigned());
    run.actor("reactor", [&] {
        shared.meeting->deliver(fetched(0, 10));
        shared.meeting->wake_application();
    });
    for (const auto* name : {"waker", "other waker"}) run.actor(name, [&] { shared.meeting->wakeup(); });
    run.actor("application", [&] {
        while (app.data.empty() || woken == 0) woken += app.poll().what == offered::woken ? 1 : 0;
    });
    run.at_end([&] {
        std::vector<handoff::fetched_piece> rest;
        woken += shared.meeting->next({1, 0}, rest).what == offered::woken ? 1 : 0;
        run.check(woken == 1 || woken == 2, "two wake-ups are one interruption, or two");
        run.check(app.data.size() == 1 && rest.empty(), "the data came once");
    });
}

template <class Kit>
void a_request_to_look_again_is_seen_by_a_poll_that_parks(run_of<Kit>& run) {
    auto& shared = run.template keep<rig<Kit>>();
    auto& requested = run.template keep<atomic_of<Kit, bool>>(false);
    run.actor("requests close", [&] {
        requested.store(true);
        shared.meeting->look_again();
    });
    run.actor("application", [&] {
        std::vector<handoff::fetched_piece> data;
        while (!requested.load()) {
            const auto offer = shared.meeting->next({1, 0}, data);
            // As the client: what is not kept in the meeting is looked at after the version was read.
            if (requested.load()) break;
            shared.meeting->park(offer.version, base::never);
        }
    });
}

template <class Kit>
void a_poll_reaches_its_deadline_at_any_step_and_its_data_is_kept(run_of<Kit>& run) {
    auto& shared = run.template keep<rig<Kit>>();
    auto& app = run.template keep<application<Kit>>(*shared.meeting);
    shared.meeting->update(assigned());
    const auto deadline = run.a_deadline();
    run.actor("reactor", [&] {
        shared.meeting->publish(decision());
        shared.meeting->deliver(fetched(0, 10));
        shared.meeting->wake_application();
    });
    run.actor("application", [&, deadline] { app.poll(deadline); });
    run.at_end([&] {
        if (app.data.empty()) app.poll();
        run.check(app.data.size() == 1, "what the poll did not take is there for the next");
    });
}

// --- Without a thread to park: a waiter that is resumed.

template <class Kit>
struct noted_waiter : handoff::waiter {
    noted_waiter(typename Kit::doorbell& whom, const handoff::operation* what)
        : waiter(&noted_waiter::on_resume, what), bell(whom) {}
    static void on_resume(waiter& self) noexcept {
        auto& mine = static_cast<noted_waiter&>(self);
        ++mine.resumed;
        mine.bell.ring();
    }
    typename Kit::doorbell& bell;
    int resumed = 0;  // guarded by the meeting
};

template <class Kit>
void a_waiter_is_registered_only_for_what_it_has_looked_at(run_of<Kit>& run) {
    auto& shared = run.template keep<rig<Kit>>();
    auto& bell = run.template keep<typename Kit::doorbell>();
    auto& who = run.template keep<noted_waiter<Kit>>(bell, nullptr);
    auto& app = run.template keep<application<Kit>>(*shared.meeting);
    shared.meeting->update(assigned());
    run.actor("reactor", [&] {
        shared.meeting->deliver(fetched(0, 10));
        shared.meeting->wake_application();
    });
    run.actor("application", [&] {
        for (;;) {
            const auto offer = shared.meeting->next({1, 0}, app.data);
            if (offer.what == offered::data) break;
            if (shared.meeting->try_register(who, offer.version)) bell.answer();
        }
        shared.meeting->withdraw(who);
    });
    run.at_end([&] {
        run.check(app.data.size() == 1, "the data came");
        run.check(who.resumed <= 1 && !who.registered, "it resumed at most once, and waits no more");
    });
}

template <class Kit>
void a_waiter_that_withdraws_is_resumed_before_or_never(run_of<Kit>& run) {
    auto& shared = run.template keep<rig<Kit>>();
    auto& bell = run.template keep<typename Kit::doorbell>();
    auto& who =
        run.template keep<std::unique_ptr<noted_waiter<Kit>>>(std::make_unique<noted_waiter<Kit>>(bell, nullptr));
    auto& other = run.template keep<noted_waiter<Kit>>(bell, nullptr);
    shared.meeting->try_register(*who, shared.meeting->next_callback().version);
    shared.meeting->try_register(other, shared.meeting->next_callback().version);
    run.actor("reactor", [&] {
        shared.meeting->notify(boundary::error_raised{{errc::topic_not_found, "orders"}});
        shared.meeting->wake_application();
    });
    run.actor("waker", [&] { shared.meeting->wakeup(); });
    run.actor("withdraws", [&] {
        shared.meeting->withdraw(*who);
        run.check(who->resumed <= 1, "it resumed at most once");
        // Whoever still had it in a list would touch what is gone.
        who.reset();
    });
    run.at_end([&] { run.check(other.resumed == 1, "the other waiter resumed once"); });
}

// Everybody at once: a poll that waits for data, a call, a wake-up.
template <class Kit>
void a_poll_a_call_and_a_wakeup_meet_the_reactor(run_of<Kit>& run) {
    auto& shared = run.template keep<rig<Kit>>();
    auto& app = run.template keep<application<Kit>>(*shared.meeting);
    auto& woken = run.template keep<int>(0);
    shared.meeting->update(assigned());
    run.resident("reactor", [&] { shared.serve(1); });
    run.actor("application", [&] {
        shared.meeting->tell(command::resume{});
        while (app.data.empty()) woken += app.poll().what == offered::woken ? 1 : 0;
    });
    run.actor("caller", [&] {
        handoff::operation call(base::never);
        shared.meeting->submit(call, command::list_topics{});
        run.check(wait_for<Kit>(*shared.meeting, call), "a call without a deadline ends");
    });
    run.actor("waker", [&] { shared.meeting->wakeup(); });
    run.at_end([&] {
        std::vector<handoff::fetched_piece> rest;
        woken += shared.meeting->next({1, 0}, rest).what == offered::woken ? 1 : 0;
        run.check(woken == 1, "one wake-up is one interruption");
        run.check(app.data.size() == 1 && rest.empty(), "the data came once");
        run.check(shared.signals <= shared.collected, "one wake token is outstanding at most");
    });
}

template <class Kit>
std::vector<scenario<Kit>> parking() {
    return {
        {"a_poll_a_call_and_a_wakeup_meet_the_reactor", &a_poll_a_call_and_a_wakeup_meet_the_reactor<Kit>},
        {"data_published_while_a_poll_parks_is_taken_once_and_in_order",
         &data_published_while_a_poll_parks_is_taken_once_and_in_order<Kit>},
        {"an_error_between_the_check_and_the_park_is_told_once",
         &an_error_between_the_check_and_the_park_is_told_once<Kit>},
        {"a_failure_of_everything_ends_a_poll_wherever_it_is",
         &a_failure_of_everything_ends_a_poll_wherever_it_is<Kit>},
        {"several_wakers_interrupt_once_or_twice_and_cost_no_data",
         &several_wakers_interrupt_once_or_twice_and_cost_no_data<Kit>},
        {"a_request_to_look_again_is_seen_by_a_poll_that_parks",
         &a_request_to_look_again_is_seen_by_a_poll_that_parks<Kit>},
        {"a_poll_reaches_its_deadline_at_any_step_and_its_data_is_kept",
         &a_poll_reaches_its_deadline_at_any_step_and_its_data_is_kept<Kit>},
        {"a_waiter_is_registered_only_for_what_it_has_looked_at",
         &a_waiter_is_registered_only_for_what_it_has_looked_at<Kit>},
        {"a_waiter_that_withdraws_is_resumed_before_or_never", &a_waiter_that_withdraws_is_resumed_before_or_never<Kit>,
         true},
    };
}

}  // namespace strandline::interleavings
