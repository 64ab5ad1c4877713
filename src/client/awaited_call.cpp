#include "client/awaited_call.hpp"

#include <chrono>

#include "client/consumer_state.hpp"

namespace strandline::client {

awaited_call::resumed_by_handoff::resumed_by_handoff(awaited_call& whose) noexcept
    : waiter([](waiter& self) noexcept { static_cast<resumed_by_handoff&>(self).owner.post(); }, nullptr),
      owner(whose) {}

void awaited_call::start(std::coroutine_handle<> whom) {
    whom_ = whom;
    post();
}

void awaited_call::run() {
    // Posted before it was over, or while a callback runs on.
    if (!whom_ || (callback_ && !callback_ended_)) return;
    const auto self = shared_from_this();
    bool over = false;
    try {
        stop_waiting();
        over = advance();
    } catch (...) {
        failure_ = std::current_exception();
        over = true;
    }
    if (over) finish();
}

// True: it has ended.
bool awaited_call::advance() {
    if (callback_) on_callback_ended();
    for (;;) {
        switch (inner().advance()) {
            case step::ended: return true;
            case step::wait:
                if (wait()) return false;
                break;
            case step::queue:
                if (queue()) return false;
                break;
            case step::callback:
                if (!run_callback()) return false;
                break;
        }
    }
}

bool awaited_call::wait() {
    const auto& what = inner().awaited();
    waiter_.only = what.only;
    if (!home_->state->meeting.try_register(waiter_, what.seen)) return false;
    if (auto* const probe = home_->state->probe) {
        probe->on_waits(what.seen);
        waits_ = true;
    }
    set_timer(what.deadline);
    return true;
}

bool awaited_call::queue() {
    auto& place = inner().place();
    const auto resume = [](void* whom) noexcept { static_cast<awaited_call*>(whom)->post(); };
    if (!home_->state->door.try_register(place, resume, this)) return false;
    place_ = &place;
    set_timer(inner().queues_until());
    return true;
}

void awaited_call::stop_waiting() noexcept {
    if (std::exchange(waits_, false)) tell_resumed();
    home_->state->meeting.withdraw(waiter_);
    if (auto* const place = std::exchange(place_, nullptr)) home_->state->door.withdraw(*place);
}

void awaited_call::tell_resumed() const noexcept {
    using resumed = call_probe::resumed;
    const auto why = waiter_.registered ? resumed::deadline : waiter_.only ? resumed::ended : resumed::visible;
    home_->state->probe->on_resumed(why, home_->state->meeting.visible_version());
}

void awaited_call::set_timer(base::instant when) {
    if (std::exchange(timer_, when) == when) return;
    home_->scheduler.cancel(*this);
    if (when == base::never) return;
    home_->scheduler.run_at(std::chrono::steady_clock::time_point(when.time_since_epoch()), shared_from_this());
}

bool awaited_call::run_callback() {
    const auto& wanted = inner().callback();
    try {
        callback_ended_ = false;
        callback_.emplace(begin_callback(wanted));
        if (!callback_->start(&awaited_call::on_callback_end, this)) return false;
    } catch (...) {
        // It threw before it was a coroutine.
        failure_ = std::current_exception();
    }
    on_callback_ended();
    return true;
}

// On whatever thread the callback came to its end.
void awaited_call::on_callback_end(void* whose) noexcept {
    const auto self = static_cast<awaited_call*>(whose)->shared_from_this();
    self->callback_ended_ = true;
    self->post();
}

callback_task awaited_call::begin_callback(const wanted_callback& wanted) {
    using kind = wanted_callback::kind;
    auto given = coroutine_access(home_, wanted.frame);
    if (wanted.what == kind::committed) {
        return std::get<coroutine_commit_callback>(wanted.done)(std::move(given), wanted.told);
    }
    auto& listener = *std::get<std::shared_ptr<coroutine_listener>>(wanted.listener);
    if (wanted.what == kind::assigned) return listener.on_assigned(std::move(given), wanted.which);
    if (wanted.what == kind::revoked) return listener.on_revoked(std::move(given), wanted.which);
    return listener.on_lost(std::move(given), wanted.which);
}

void awaited_call::on_callback_ended() {
    const auto thrown = callback_ ? callback_->failure() : std::exchange(failure_, nullptr);
    callback_.reset();
    std::optional<error> failure;
    if (thrown) failure = callback_error(inner().callback(), thrown);
    inner().on_callback_ended(std::move(failure));
}

// The last thing it does: the coroutine may destroy the awaitable, and this with it.
void awaited_call::finish() {
    if (std::exchange(timer_, base::never) != base::never) home_->scheduler.cancel(*this);
    std::exchange(whom_, nullptr).resume();
}

void awaited_call::abandon() noexcept {
    if (!std::exchange(whom_, nullptr)) return;
    stop_waiting();
    if (std::exchange(timer_, base::never) != base::never) home_->scheduler.cancel(*this);
    callback_.reset();
    drop();
}

}  // namespace strandline::client
