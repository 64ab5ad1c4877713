// What the scenarios of handoff are made of: the meeting, a reactor that turns when it is called, an application that
// polls. Written against a kit: the explorer's (exploring.hpp) or real threads (real_threads.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "handoff/handoff_body.hpp"

namespace strandline::interleavings {

namespace boundary = core::boundary;
namespace command = core::boundary::command;

template <class Kit>
using meeting_of = handoff::basic_handoff<typename Kit::primitives>;
template <class Kit, class Value>
using atomic_of = typename Kit::primitives::template atomic<Value>;
template <class Kit>
using run_of = typename Kit::run;

inline const boundary::slot_id slot{0};
inline const boundary::incarnation era{1};

inline const boundary::partition_ref& orders() {
    static const auto made =
        std::make_shared<const boundary::partition_identity>(boundary::partition_identity{{"orders", 0}, {}});
    return made;
}

inline boundary::slot_update assigned(bool fenced = false) {
    boundary::slot_update made;
    made.slot = slot;
    made.era = era;
    made.partition = orders();
    made.fenced = fenced;
    return made;
}

inline boundary::completed_fetch fetched(std::int64_t from, std::int64_t next) {
    boundary::completed_fetch made;
    made.slot = slot;
    made.era = era;
    made.partition = orders();
    made.from_offset = from;
    made.next_offset = next;
    return made;
}

inline boundary::snapshot_ref decision(bool checkpoint_wanted = false) {
    static const boundary::snapshot_ref plain = handoff::initial_snapshot();
    static const boundary::snapshot_ref wanting = [] {
        auto made = std::make_shared<boundary::snapshot>(*handoff::initial_snapshot());
        made->checkpoint_wanted = true;
        return made;
    }();
    return checkpoint_wanted ? wanting : plain;
}

inline handoff::application_progress entry(std::int64_t processed = 0, bool inside_poll = true) {
    handoff::application_progress made;
    made.polled = base::instant(std::chrono::seconds(1));
    made.inside_poll = inside_poll;
    made.meets_fences = true;
    if (processed > 0) made.changed.push_back({slot, era, processed, 0});
    return made;
}

// The meeting after a first turn that wanted nothing, and the doorbell of the reactor.
template <class Kit>
class rig final : public handoff::reactor_waker {
public:
    rig() {
        meeting->set_reactor_waker(this);
        collect();
        meeting->publish(decision());
    }
    ~rig() { disconnect(); }
    rig(const rig&) = delete;
    rig& operator=(const rig&) = delete;

    // Under the lock of the line, which orders this with disconnect().
    void signal() noexcept override {
        after_the_end = after_the_end || !connected;
        ++signals;
        bell.ring();
    }
    void disconnect() {
        if (!meeting) return;
        meeting->set_reactor_waker(nullptr);
        connected = false;
    }

    // What the reactor does in a turn, each counted.
    const handoff::reactor_inputs& collect() {
        meeting->collect(inputs);
        ++collected;
        for (const auto& one : inputs.commands) cancels += std::holds_alternative<command::cancel>(one.what) ? 1 : 0;
        fences += inputs.fences.size();
        drained += inputs.drained.size();
        if (inputs.checkpoint) {
            inside_poll = inputs.checkpoint->inside_poll;
            for (const auto& one : inputs.checkpoint->changed) {
                went_back = went_back || one.processed_offset < processed;
                processed = one.processed_offset;
            }
        }
        return inputs;
    }
    void complete_all() {
        for (const auto& one : inputs.commands) {
            if (one.token != boundary::no_operation) meeting->complete({one.token, boundary::done{}});
        }
    }
    // Turns whenever it is called, and completes what was submitted; delivers this many fetches on its way.
    void serve(int fetches = 0) {
        std::int64_t offset = 0;
        while (bell.answer()) {
            collect();
            meeting->publish(decision());
            if (fetches-- > 0) {
                meeting->deliver(fetched(offset, offset + 10));
                offset += 10;
            }
            complete_all();
            meeting->wake_application();
        }
    }

    std::unique_ptr<meeting_of<Kit>> meeting = std::make_unique<meeting_of<Kit>>();
    typename Kit::doorbell bell;
    // The reactor's alone, until the end.
    handoff::reactor_inputs inputs;
    std::size_t collected = 0;
    std::size_t cancels = 0;
    std::size_t fences = 0;
    std::size_t drained = 0;
    std::int64_t processed = 0;
    bool inside_poll = false;
    bool went_back = false;
    // Guarded by the line.
    std::size_t signals = 0;
    bool connected = true;
    bool after_the_end = false;
};

// Polls as the client does: look, and park on the version that was looked at.
template <class Kit>
class application {
public:
    explicit application(meeting_of<Kit>& meeting) : meeting_(meeting) {}

    // Until there is something, or the deadline: then `nothing`.
    handoff::poll_offer poll(base::instant deadline = base::never) {
        bool resumed = false;
        for (;;) {
            std::vector<handoff::fetched_piece> taken;
            auto offer = meeting_.next({1, 0}, taken);
            data.insert(data.end(), taken.begin(), taken.end());
            if (offer.what != handoff::poll_offer::kind::nothing) return offer;
            if (resumed) ++in_vain;
            if (!meeting_.park(offer.version, deadline)) return offer;
            resumed = true;
        }
    }

    std::vector<handoff::fetched_piece> data;
    std::size_t in_vain = 0;  // times it was resumed and found nothing

private:
    meeting_of<Kit>& meeting_;
};

// A blocking call. True: it has ended; false: given up at its deadline.
template <class Kit>
bool wait_for(meeting_of<Kit>& meeting, handoff::operation& call) {
    return meeting.park(call, call.deadline()) || !meeting.forget(call);
}

// A scenario, and how it is known.
template <class Kit>
struct scenario {
    const char* name;
    void (*prepare)(run_of<Kit>&);
    bool frees = false;  // memory that others may still be about to touch
};

}  // namespace strandline::interleavings
