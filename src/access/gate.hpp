// Who may call the consumer now. Decided from the gate's own state: which operations are in progress, never who is
// asking.
#pragma once

#include <algorithm>
#include <deque>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <strandline/error.hpp>

#include "access/ambient.hpp"
#include "access/frame.hpp"
#include "access/place.hpp"
#include "access/refusal.hpp"
#include "base/instant.hpp"

namespace strandline::access {

// A stack of frames: operations, and the callbacks they run. Only the top may grow another. At the root a second caller
// is refused (policy `reject`, as in Java); calls through one callback's access queue, first come first served, because
// they are ordered and not in conflict. Exclusion cannot be switched off. Nothing here blocks but park(): who must wait
// keeps its place and asks again when it is resumed.
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

    // Being inside, or why not; nothing: siblings are before it, ask again when the place has resumed or at the
    // deadline. Waits for siblings only, never for anything else.
    std::optional<result<entry>> enter(place& at, base::instant now, base::instant deadline);
    // Who was told to wait goes away instead.
    void leave_queue(place& at);

    // A callback of the operation that is inside. Until it ends, calls through this frame are let in.
    frame_id open_callback(std::string_view name, base::instant now);
    // Fails those that queue. False: a call through it still runs; end it again when the place has resumed.
    bool end_callback(frame_id callback, place& at);
    // Its operation goes away: what still runs through it goes on, and the frame goes with that.
    void abandon_callback(frame_id callback, place& at);

    // Whoever waits at `at` resumes. False: there is nothing to wait for any more.
    bool try_register(place& at, place::resume_function resume, void* whom);
    // Once this has returned, it does not resume any more; it keeps its place.
    void withdraw(place& at);
    // Parks the thread until there is nothing to wait for any more, or the deadline, or for no reason.
    void park(place& at, base::instant deadline);

    // What is going on: operations and the callbacks they run, the outermost first. Any thread.
    std::vector<frame> inside() const {
        const std::lock_guard held(mutex_);
        return stack_;
    }

private:
    using mutex = typename Primitives::mutex;
    using guard = std::unique_lock<mutex>;

    frame_id push(place& at);
    void leave(frame_id frame);
    void remove(frame_id frame);
    void resume_next();
    void mark_draining(frame_id callback);
    bool is_top(frame_id id) const noexcept { return !stack_.empty() && stack_.back().id == id; }
    frame* find(frame_id id) noexcept;

    mutable mutex mutex_;
    std::vector<frame> stack_;
    // Of the uppermost callback; those of lower ones cannot queue while an upper one runs.
    std::deque<place*> siblings_;
    frame_id last_ = root_frame;
};

template <class Primitives>
std::optional<result<typename basic_gate<Primitives>::entry>> basic_gate<Primitives>::enter(place& at,
                                                                                            base::instant now,
                                                                                            base::instant deadline) {
    using state = place::state;
    const guard held(mutex_);
    if (at.is_ == state::outside) {
        at.who_.thread = std::this_thread::get_id();
        at.who_.since = now;
        if (at.through_ == root_frame) at.through_ = ambient_frame::of(this);
        if (at.through_ == root_frame) {
            if (!stack_.empty()) return tl::unexpected(refused(at.who_, stack_.back().who, now));
            return entry(*this, push(at), false);
        }
        const auto* const through = find(at.through_);
        if (!through || through->draining) return tl::unexpected(expired(at.who_));
        if (is_top(at.through_) && siblings_.empty()) return entry(*this, push(at), true);
        siblings_.push_back(&at);
        at.is_ = state::waiting;
    }
    if (at.is_ == state::admitted) {
        at.is_ = state::over;
        return entry(*this, at.own_, true);
    }
    if (at.is_ == state::expired) return tl::unexpected(expired(at.who_));
    if (now < deadline) return std::nullopt;
    std::erase(siblings_, &at);
    at.is_ = state::over;
    return tl::unexpected(queued_too_long(at.who_, stack_.back().who, now));
}

template <class Primitives>
frame_id basic_gate<Primitives>::push(place& at) {
    at.own_ = ++last_;
    at.is_ = place::state::over;
    stack_.push_back({at.own_, frame::kind::operation, at.who_, false, false, nullptr});
    return at.own_;
}

template <class Primitives>
void basic_gate<Primitives>::leave_queue(place& at) {
    const guard held(mutex_);
    at.resume_ = nullptr;
    if (at.is_ == place::state::waiting) std::erase(siblings_, &at);
    if (at.is_ == place::state::admitted) remove(at.own_);
    at.is_ = place::state::over;
}

template <class Primitives>
void basic_gate<Primitives>::leave(frame_id id) {
    const guard held(mutex_);
    remove(id);
}

template <class Primitives>
void basic_gate<Primitives>::remove(frame_id id) {
    if (auto* const left = find(id)) left->gone = true;
    // A call may be given up while a callback of its own still has one inside: the slot stays taken until that has
    // left.
    while (!stack_.empty() && stack_.back().gone) stack_.pop_back();
    if (!stack_.empty()) resume_next();
}

template <class Primitives>
void basic_gate<Primitives>::resume_next() {
    auto& top = stack_.back();
    if (top.what != frame::kind::callback) return;
    if (auto* const awaiting = std::exchange(top.awaits_top, nullptr)) return awaiting->settle(place::state::over);
    if (siblings_.empty()) return;
    // Handed on directly: nobody who comes now gets in before.
    auto& next = *siblings_.front();
    siblings_.pop_front();
    push(next);
    next.settle(place::state::admitted);
}

template <class Primitives>
frame_id basic_gate<Primitives>::open_callback(std::string_view name, base::instant now) {
    const guard held(mutex_);
    stack_.push_back({++last_, frame::kind::callback, {name, std::this_thread::get_id(), now}, false, false, nullptr});
    return last_;
}

template <class Primitives>
void basic_gate<Primitives>::mark_draining(frame_id callback) {
    auto* const ended = find(callback);
    if (!ended || std::exchange(ended->draining, true)) return;
    for (auto* const sibling : std::exchange(siblings_, {})) sibling->settle(place::state::expired);
}

template <class Primitives>
bool basic_gate<Primitives>::end_callback(frame_id callback, place& at) {
    const guard held(mutex_);
    mark_draining(callback);
    if (is_top(callback)) {
        at.is_ = place::state::over;
        stack_.pop_back();
        return true;
    }
    at.is_ = place::state::waiting;
    find(callback)->awaits_top = &at;
    return false;
}

template <class Primitives>
void basic_gate<Primitives>::abandon_callback(frame_id callback, place& at) {
    const guard held(mutex_);
    at.resume_ = nullptr;
    mark_draining(callback);
    if (auto* const ended = find(callback)) ended->awaits_top = nullptr;
    remove(callback);
}

template <class Primitives>
bool basic_gate<Primitives>::try_register(place& at, place::resume_function resume, void* whom) {
    const guard held(mutex_);
    if (at.is_ != place::state::waiting) return false;
    at.resume_ = resume;
    at.whom_ = whom;
    return true;
}

template <class Primitives>
void basic_gate<Primitives>::withdraw(place& at) {
    const guard held(mutex_);
    at.resume_ = nullptr;
}

template <class Primitives>
void basic_gate<Primitives>::park(place& at, base::instant deadline) {
    typename Primitives::condition settled;
    guard held(mutex_);
    if (at.is_ != place::state::waiting) return;
    at.resume_ = [](void* condition) noexcept { static_cast<decltype(settled)*>(condition)->notify_all(); };
    at.whom_ = &settled;
    settled.wait_until(held, deadline);
    at.resume_ = nullptr;
}

template <class Primitives>
frame* basic_gate<Primitives>::find(frame_id id) noexcept {
    const auto found = std::ranges::find(stack_, id, &frame::id);
    return found == stack_.end() ? nullptr : &*found;
}

}  // namespace strandline::access
