// What every call of the application has in common, from its admission to its result.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>
#include <utility>

#include <strandline/consumer_calls.hpp>
#include <strandline/error.hpp>

#include "access/place.hpp"
#include "client/callback_turn.hpp"
#include "client/consumer_state.hpp"
#include "client/step.hpp"
#include "client/submission.hpp"
#include "core/boundary/command.hpp"
#include "core/boundary/completion.hpp"

namespace strandline::client {

// A call as data: whoever drives it advances it, does what the step asks for, and advances it again. There is one
// implementation of each call, then, whether a thread parks for it or a coroutine is suspended. Its destruction gives
// it up, wherever it stands; nothing is lost by that.
class call {
public:
    virtual ~call();
    call(const call&) = delete;
    call& operator=(const call&) = delete;

    // Goes on until it has ended or needs its driver. Nothing of the application runs in here.
    step advance();

    consumer_state& state() const noexcept { return state_; }
    // After step::wait: for what.
    const waiting& awaited() const noexcept { return waiting_; }
    // After step::queue: where, and until when.
    access::place& place() noexcept { return callbacks_.ends() ? callbacks_.end_place() : place_; }
    base::instant queues_until() const noexcept { return callbacks_.ends() ? base::never : deadline_; }
    // After step::callback: what to run. It stays as it is until it is said to have ended.
    const wanted_callback& callback() const noexcept { return callbacks_.wanted(); }
    void on_callback_ended(std::optional<error> failure) { callbacks_.on_ended(std::move(failure)); }

protected:
    call(consumer_state& state, access::frame_id frame, std::string_view name, timeout within = {});

    // Inside the gate.
    virtual step proceed() = 0;
    virtual step fail(error why) = 0;
    // The last thing inside the gate, when it ends.
    virtual void on_leaving() {}

    void leave() {
        if (entry_) on_leaving();
        entry_.reset();
    }
    bool in_callback() const noexcept { return entry_->in_callback(); }
    base::instant now() const { return state_.time.now(); }
    base::instant deadline() const noexcept { return deadline_; }
    error timed_out() const;
    callback_turn& callbacks() noexcept { return callbacks_; }
    waiting& waits() noexcept { return waiting_; }

private:
    consumer_state& state_;
    std::string_view name_;
    std::chrono::milliseconds wait_;
    base::instant deadline_;
    access::place place_;
    bool queued_ = false;
    std::optional<gate::entry> entry_;
    waiting waiting_;
    callback_turn callbacks_;
};

// A call and the result it comes to.
template <class Value>
class call_of : public call {
public:
    using value_type = Value;
    // Once, after step::ended.
    result<Value> take_result() { return std::move(*result_); }

protected:
    using call::call;
    step end(result<Value> how) {
        result_.emplace(std::move(how));
        leave();
        return step::ended;
    }
    step fail(error why) override { return end(tl::unexpected(std::move(why))); }

private:
    std::optional<result<Value>> result_;
};

// A call that submits one command and waits for its outcome.
template <class Value>
class command_call : public call_of<Value> {
protected:
    command_call(consumer_state& state, access::frame_id frame, std::string_view name, timeout within = {})
        : call_of<Value>(state, frame, name, within), submitted_(state.meeting, this->deadline()) {}

    // The command; nothing: it has ended already.
    virtual std::optional<core::boundary::any_command> prepare() = 0;
    virtual result<Value> conclude(core::boundary::operation_value outcome) = 0;

    step proceed() override {
        if (!submitted_.is_under_way()) {
            auto what = prepare();
            if (!what) return step::ended;
            submitted_.submit(std::move(*what));
        }
        if (!submitted_.has_ended()) {
            if (this->now() < this->deadline()) {
                this->waits() = {&submitted_.operation(), 0, this->deadline()};
                return step::wait;
            }
            if (submitted_.give_up()) return this->fail(this->timed_out());
        }
        auto outcome = submitted_.take_outcome();
        if (!outcome) return this->fail(std::move(outcome.error()));
        return this->end(conclude(std::move(*outcome)));
    }

private:
    submission submitted_;
};

// A command that only succeeds or fails, and changes what is assigned: in a callback it takes effect after it, so it is
// not waited for there; its failure is reported by the poll.
class assignment_call : public command_call<void> {
protected:
    using command_call<void>::command_call;
    step proceed() override;
    // It succeeded, or will after the callback.
    virtual void on_accepted() = 0;
    result<void> conclude(core::boundary::operation_value) final;
};

// Never for durations beyond any clock; now for negative ones.
base::instant deadline_after(const consumer_state& state, std::chrono::milliseconds wait);
error closed_error(std::string_view name);
// Takes effect after the callback that asks for it; the poll reports its failure.
void submit_for_later(consumer_state& state, base::instant deadline, core::boundary::any_command what);

}  // namespace strandline::client
