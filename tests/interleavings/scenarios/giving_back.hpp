// What the application gives back: met fences, progress, space. None is lost, none comes before what it stands for.
#pragma once

#include "tests/interleavings/scenarios/rig.hpp"

namespace strandline::interleavings {

template <class Kit>
void hand_out_ten_records(rig<Kit>& shared) {
    std::vector<handoff::fetched_piece> taken;
    shared.meeting->update(assigned());
    shared.meeting->deliver(fetched(0, 10));
    shared.meeting->next({1, 0}, taken);
    shared.collect();
    shared.meeting->publish(decision());
    shared.drained = 0;
}

// Until the fence is met; at that moment everything the application did before it has arrived too.
template <class Kit>
void fence_and_await(run_of<Kit>& run, rig<Kit>& shared, std::int64_t expected) {
    shared.meeting->update(assigned(true));
    shared.meeting->wake_application();
    while (shared.bell.answer()) {
        shared.collect();
        if (shared.fences > 0)
            run.check(shared.processed == expected, "an acknowledgement is never seen before its progress");
        shared.meeting->publish(decision());
    }
}

template <class Kit>
void a_fence_met_at_a_poll_entry_is_acknowledged_once_with_its_progress(run_of<Kit>& run) {
    auto& shared = run.template keep<rig<Kit>>();
    hand_out_ten_records(shared);
    run.resident("reactor", [&] { fence_and_await<Kit>(run, shared, 7); });
    run.actor("application", [&] {
        shared.meeting->fold(entry(7));
        std::vector<handoff::fetched_piece> data;
        shared.meeting->next({1, 0}, data);
    });
    run.at_end([&] {
        // Whoever entered before the fence meets it at the next entry.
        shared.meeting->fold(entry(7));
        shared.collect();
        run.check(shared.fences == 1, "one fence, one acknowledgement");
    });
}

template <class Kit>
void a_poll_that_returns_after_the_fence_carries_nothing_fenced(run_of<Kit>& run) {
    auto& shared = run.template keep<rig<Kit>>();
    shared.meeting->update(assigned());
    shared.meeting->deliver(fetched(0, 10));
    auto& fenced = run.template keep<atomic_of<Kit, bool>>(false);
    auto& returned = run.template keep<std::int64_t>(0);
    run.actor("reactor", [&] {
        shared.meeting->update(assigned(true));
        fenced.store(true);
        shared.meeting->wake_application();
    });
    run.actor("application", [&] {
        std::vector<handoff::fetched_piece> data;
        shared.meeting->fold(entry());
        shared.meeting->next({1, 0}, data);
        const bool came_before = fenced.load();
        shared.meeting->confirm(data);
        if (!data.empty()) {
            returned = data.back().to;
            run.check(!came_before, "what was fenced before the last step of the poll is not returned");
        }
    });
    run.at_end([&] {
        shared.collect();
        run.check(shared.fences == (returned > 0 ? 0U : 1U),
                  "a fence is met unless the application holds what it was given before it");
        shared.meeting->fold(entry(returned));
        shared.collect();
        run.check(shared.fences == 1 && shared.processed == returned, "and then by its next entry, with the progress");
    });
}

template <class Kit>
void a_fence_against_close_is_acknowledged_once_with_what_was_read(run_of<Kit>& run) {
    auto& shared = run.template keep<rig<Kit>>();
    hand_out_ten_records(shared);
    run.resident("reactor", [&] { fence_and_await<Kit>(run, shared, 5); });
    run.actor("closer", [&] {
        handoff::operation closing(base::never);
        shared.meeting->fold(entry(5, false));
        shared.meeting->submit(closing, command::close{});
        const auto offer = shared.meeting->next_callback();
        shared.meeting->complete({closing.token(), boundary::close_value{}});
        run.check(shared.meeting->has_ended(closing), "the close ends");
        static_cast<void>(offer);
    });
    run.at_end([&] {
        shared.meeting->next_callback();
        shared.collect();
        run.check(shared.fences == 1, "one fence, one acknowledgement");
        run.check(shared.processed == 5, "what was read has arrived");
    });
}

template <class Kit>
void progress_against_the_commit_timer_is_never_lost_and_never_goes_back(run_of<Kit>& run) {
    auto& shared = run.template keep<rig<Kit>>();
    hand_out_ten_records(shared);
    run.actor("reactor, at its timer", [&] {
        for (int i = 0; i < 3; ++i) {
            shared.collect();
            shared.meeting->publish(decision());
        }
    });
    run.actor("application", [&] {
        for (std::int64_t processed : {3, 6, 10}) shared.meeting->fold(entry(processed));
    });
    run.at_end([&] {
        shared.collect();
        run.check(shared.processed == 10, "the newest progress arrives");
        run.check(!shared.went_back, "and none after a newer one");
    });
}

template <class Kit>
void a_poll_entry_wakes_the_reactor_that_wants_to_know(run_of<Kit>& run) {
    auto& shared = run.template keep<rig<Kit>>();
    run.resident("reactor", [&] {
        shared.collect();
        shared.meeting->publish(decision(true));
        while (shared.bell.answer()) {
            shared.collect();
            shared.meeting->publish(decision(true));
        }
    });
    run.actor("application", [&] { shared.meeting->fold(entry()); });
    run.at_end([&] {
        run.check(shared.inside_poll, "the reactor has heard that the application polls");
        run.check(shared.signals <= 1, "it is woken for it once at most");
    });
}

template <class Kit>
void data_taken_wakes_a_reactor_that_awaits_space(run_of<Kit>& run) {
    auto& shared = run.template keep<rig<Kit>>();
    shared.meeting->update(assigned());
    shared.meeting->deliver(fetched(0, 10));
    run.resident("reactor", [&] {
        do {
            shared.collect();
            shared.meeting->publish(decision(), shared.drained == 0 ? core::boundary::awaited_space::queue
                                                                    : core::boundary::awaited_space::none);
        } while (shared.bell.answer());
    });
    run.actor("application", [&] {
        std::vector<handoff::fetched_piece> data;
        shared.meeting->next({1, 0}, data);
        run.check(data.size() == 1, "the data is taken");
    });
    run.at_end([&] {
        run.check(shared.drained == 1, "the reactor has heard of the space");
        run.check(shared.signals <= 1, "and was woken for it once at most");
    });
}

template <class Kit>
void bytes_freed_wake_a_reactor_that_awaits_space(run_of<Kit>& run) {
    auto& shared = run.template keep<rig<Kit>>();
    auto& all = run.template keep<std::vector<base::buffer>>();
    for (int i = 0; i < 2; ++i) all.emplace_back(std::size_t{100}, shared.meeting->memory());
    run.resident("reactor", [&] {
        do {
            shared.collect();
            shared.meeting->publish(decision(), shared.inputs.bytes_in_use > 0 ? core::boundary::awaited_space::memory
                                                                               : core::boundary::awaited_space::none);
        } while (shared.bell.answer());
    });
    for (std::size_t i : {0U, 1U}) run.actor("frees " + std::to_string(i), [&, i] { all[i] = base::buffer(); });
    run.at_end([&] {
        run.check(shared.inputs.bytes_in_use == 0, "the reactor has heard of all the space");
        run.check(shared.signals <= 2, "it is woken for each release once at most");
    });
}

template <class Kit>
std::vector<scenario<Kit>> giving_back() {
    return {
        {"a_fence_met_at_a_poll_entry_is_acknowledged_once_with_its_progress",
         &a_fence_met_at_a_poll_entry_is_acknowledged_once_with_its_progress<Kit>},
        {"a_poll_that_returns_after_the_fence_carries_nothing_fenced",
         &a_poll_that_returns_after_the_fence_carries_nothing_fenced<Kit>},
        {"a_fence_against_close_is_acknowledged_once_with_what_was_read",
         &a_fence_against_close_is_acknowledged_once_with_what_was_read<Kit>},
        {"progress_against_the_commit_timer_is_never_lost_and_never_goes_back",
         &progress_against_the_commit_timer_is_never_lost_and_never_goes_back<Kit>},
        {"a_poll_entry_wakes_the_reactor_that_wants_to_know", &a_poll_entry_wakes_the_reactor_that_wants_to_know<Kit>},
        {"data_taken_wakes_a_reactor_that_awaits_space", &data_taken_wakes_a_reactor_that_awaits_space<Kit>},
        {"bytes_freed_wake_a_reactor_that_awaits_space", &bytes_freed_wake_a_reactor_that_awaits_space<Kit>},
    };
}

}  // namespace strandline::interleavings
