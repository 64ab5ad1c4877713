// What the application has for the reactor until its next turn, and whether that is to come at once.
#pragma once

#include <cstddef>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "core/boundary/command.hpp"
#include "core/boundary/delivery.hpp"
#include "handoff/application_progress.hpp"
#include "handoff/checkpoint_slot.hpp"
#include "handoff/command_queue.hpp"
#include "handoff/memory_gauge.hpp"
#include "handoff/reactor_inputs.hpp"

namespace strandline::handoff {

// Under a lock of its own. Each call that says `true` wants the line signalled, once no lock is held any more: one turn
// is asked for at a time, and the next collect() has everything that came before it.
template <class Primitives>
class inbox {
public:
    // What the newest decision is to be told of at once.
    struct wishes {
        bool checkpoint = true;  // whatever the application tells of itself
        bool progress = false;  // that it has processed something
        bool space = false;  // buffers that were taken or given back
    };

    // --- The reactor's side

    // Everything that arrived; `into` is cleared first and keeps its capacity.
    void collect(reactor_inputs& into, const memory_gauge<Primitives>& gauge) {
        into.fences.clear();
        into.drained.clear();
        const guard held(mutex_);
        turn_asked_ = false;
        commands_.take(into.commands);
        into.checkpoint = checkpoint_.take();
        std::swap(into.fences, fences_);
        std::swap(into.drained, drained_);
        into.bytes_in_use = gauge.bytes();
    }
    // True: something of it has arrived since the last collect().
    bool wish_for(wishes now) {
        const guard held(mutex_);
        wishes_ = now;
        const bool missed = checkpoint_is_wanted() || (now.space && !drained_.empty());
        return missed && ask_for_turn();
    }
    bool turn_is_asked_for() const {
        const guard held(mutex_);
        return turn_asked_;
    }

    // --- The application's side

    // `superseded`: the operation whose commit was folded into a newer one, if it came to that.
    struct pushed {
        std::optional<core::boundary::operation_token> superseded;
        bool signal = false;
    };
    pushed push(core::boundary::submitted_command command) {
        const guard held(mutex_);
        const auto superseded = commands_.push(std::move(command));
        return {superseded, ask_for_turn()};
    }
    bool hand_back(const std::vector<core::boundary::fence_acknowledged>& met,
                   const std::vector<core::boundary::buffer_drained>& drained) {
        if (met.empty() && drained.empty()) return false;
        const guard held(mutex_);
        fences_.insert(fences_.end(), met.begin(), met.end());
        drained_.insert(drained_.end(), drained.begin(), drained.end());
        const bool is_awaited = !met.empty() || (wishes_.space && !drained.empty());
        return is_awaited && ask_for_turn();
    }
    // Under one lock with the progress: the reactor sees an acknowledgement never before what it acknowledges.
    bool fold(const application_progress& progress, const std::vector<core::boundary::fence_acknowledged>& met) {
        const guard held(mutex_);
        checkpoint_.fold(progress);
        fences_.insert(fences_.end(), met.begin(), met.end());
        const bool is_wanted = checkpoint_is_wanted() && progress.inside_poll == true;
        return (is_wanted || !met.empty()) && ask_for_turn();
    }

private:
    using guard = std::unique_lock<typename Primitives::mutex>;

    bool checkpoint_is_wanted() const {
        return (wishes_.checkpoint && checkpoint_.holds_anything()) ||
               (wishes_.progress && checkpoint_.holds_progress());
    }
    bool ask_for_turn() { return !std::exchange(turn_asked_, true); }

    mutable typename Primitives::mutex mutex_;
    command_queue commands_;
    checkpoint_slot checkpoint_;
    std::vector<core::boundary::fence_acknowledged> fences_;
    std::vector<core::boundary::buffer_drained> drained_;
    wishes wishes_;
    bool turn_asked_ = false;
};

}  // namespace strandline::handoff
