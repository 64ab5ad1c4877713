// Who may call the consumer now. Decided from the gate's own state: which operations are in progress, never who is
// asking.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

#include <strandline/error.hpp>

#include "access/ambient.hpp"
#include "access/frame.hpp"
#include "access/refusal.hpp"
#include "base/instant.hpp"

namespace strandline::access {

// A stack of frames: operations, and the callbacks they run. Only the top may grow another. At the root a second caller
// is refused (policy `reject`, as in Java); calls through one callback's access queue, first come first served, because
// they are ordered and not in conflict. Exclusion cannot be switched off.
template <class Primitives>
class basic_gate {
public:
    // Being inside. Leaving is its destruction; there is no other way, and none that fails.
    class entry {
    public:
        entry(entry&& other) noexcept
            : gate_(std::exchange(other.gate_, nullptr)), frame_(other.frame_), in_callback_(other.in_callback_) {}
        entry& operator=(entry&&) = delete;
        ~entry() {
            if (gate_) gate_->leave(frame_);
        }
        // The call came out of a callback: what must wait for that callback must not wait here.
        bool in_callback() const noexcept { return in_callback_; }

    private:
        friend class basic_gate;
        entry(basic_gate& gate, frame_id frame, bool in_callback) noexcept
            : gate_(&gate), frame_(frame), in_callback_(in_callback) {}

        basic_gate* gate_;
        frame_id frame_;
        bool in_callback_;
    };

    // A callback of the operation that is inside. While it exists, calls through its frame are let in, and calls at the
    // root by this thread count as such. Its end awaits a call that is still running and fails those that queue.
    class callback {
    public:
        callback(basic_gate& gate, std::string_view name)
            : gate_(gate), frame_(gate.open_callback(name)), here_(&gate, frame_) {}
        ~callback() { gate_.end_callback(frame_); }
        callback(const callback&) = delete;
        callback& operator=(const callback&) = delete;
        frame_id frame() const noexcept { return frame_; }

    private:
        basic_gate& gate_;
        frame_id frame_;
        ambient_frame here_;
    };

    // `through`: root_frame, or that of a callback. Waits for siblings until the deadline, never for anything else.
    result<entry> enter(frame_id through, std::string_view operation, base::instant deadline);

private:
    using mutex = typename Primitives::mutex;
    struct queued {
        occupant who;
        typename Primitives::condition condition;
        bool granted = false;
        bool expired = false;
    };

    entry push(frame_id through, const occupant& who);
    void leave(frame_id frame);
    frame_id open_callback(std::string_view name);
    void end_callback(frame_id frame);
    bool is_top(frame_id id) const noexcept { return !stack_.empty() && stack_.back().id == id; }

    mutex mutex_;
    std::vector<frame> stack_;
    std::deque<queued*>
        siblings_;  // of the uppermost callback; those of lower ones cannot queue while an upper one runs
    typename Primitives::condition left_;
    frame_id last_ = root_frame;
};

template <class Primitives>
result<typename basic_gate<Primitives>::entry> basic_gate<Primitives>::enter(frame_id through,
                                                                             std::string_view operation,
                                                                             base::instant deadline) {
    const occupant who{operation, std::this_thread::get_id(), Primitives::now()};
    std::unique_lock held(mutex_);
    if (through == root_frame) through = ambient_frame::of(this);
    if (through == root_frame) {
        if (!stack_.empty()) return tl::unexpected(refused(who, stack_.back().who, who.since));
        return push(through, who);
    }
    for (const auto& below : stack_) {
        if (below.id != through) continue;
        if (below.draining) break;
        if (is_top(through) && siblings_.empty()) return push(through, who);
        queued place{who, {}, false, false};
        siblings_.push_back(&place);
        while (!place.granted && !place.expired && Primitives::now() < deadline) {
            place.condition.wait_until(held, deadline);
        }
        std::erase(siblings_, &place);
        if (place.expired) break;
        if (place.granted) return push(through, who);
        return tl::unexpected(queued_too_long(who, stack_.back().who, Primitives::now()));
    }
    return tl::unexpected(expired(who));
}

template <class Primitives>
typename basic_gate<Primitives>::entry basic_gate<Primitives>::push(frame_id through, const occupant& who) {
    stack_.push_back({++last_, frame::kind::operation, who, false});
    return entry(*this, last_, through != root_frame);
}

template <class Primitives>
void basic_gate<Primitives>::leave(frame_id) {
    const std::lock_guard held(mutex_);
    stack_.pop_back();
    if (!siblings_.empty()) {
        // Handed on directly: it stays in the queue until it is in, so that nobody who comes now gets in before.
        siblings_.front()->granted = true;
        siblings_.front()->condition.notify_all();
    }
    left_.notify_all();
}

template <class Primitives>
frame_id basic_gate<Primitives>::open_callback(std::string_view name) {
    const std::lock_guard held(mutex_);
    stack_.push_back({++last_, frame::kind::callback, {name, std::this_thread::get_id(), Primitives::now()}, false});
    return last_;
}

template <class Primitives>
void basic_gate<Primitives>::end_callback(frame_id id) {
    std::unique_lock held(mutex_);
    for (auto& below : stack_) below.draining = below.draining || below.id == id;
    for (auto* const place : siblings_) {
        place->expired = true;
        place->condition.notify_all();
    }
    siblings_.clear();
    while (!is_top(id)) left_.wait(held);
    stack_.pop_back();
}

}  // namespace strandline::access
