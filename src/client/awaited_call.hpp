// Drives a call for a coroutine that is suspended in it: registers where a blocking call would park.
#pragma once

#include <atomic>
#include <coroutine>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

#include <strandline/coroutine.hpp>

#include "client/call.hpp"
#include "client/callback_coroutine.hpp"
#include "client/coroutine_home.hpp"
#include "handoff/waiter.hpp"

namespace strandline::client {

// Shared by the awaitable and what the scheduler has queued. Everything but being resumed happens where the scheduler
// runs things.
class awaited_call : public coroutine_scheduler::work, public std::enable_shared_from_this<awaited_call> {
public:
    // The call begins when the scheduler runs it, which resumes `whom` when it has ended.
    void start(std::coroutine_handle<> whom);
    // Its coroutine goes away. Idempotent; nothing happens after its end.
    void abandon() noexcept;
    void run() override;

protected:
    explicit awaited_call(std::shared_ptr<coroutine_home> home) noexcept : home_(std::move(home)), waiter_(*this) {}

    coroutine_home& home() const noexcept { return *home_; }
    void rethrow_failure() const {
        if (failure_) std::rethrow_exception(failure_);
    }

    virtual call& inner() noexcept = 0;
    // Destroys the call: that gives it up.
    virtual void drop() noexcept = 0;

private:
    struct resumed_by_handoff : handoff::waiter {
        explicit resumed_by_handoff(awaited_call& whose) noexcept;
        awaited_call& owner;
    };

    bool advance();
    // False: there is nothing to wait for any more.
    bool wait();
    bool queue();
    // True: the callback has ended already.
    bool run_callback();
    callback_task begin_callback(const wanted_callback& wanted);
    void on_callback_ended();
    static void on_callback_end(void* whose) noexcept;
    void stop_waiting() noexcept;
    void tell_resumed() const noexcept;
    void set_timer(base::instant when);
    void finish();
    void post() noexcept { home_->scheduler.post(shared_from_this()); }

    std::shared_ptr<coroutine_home> home_;
    std::coroutine_handle<> whom_;  // null: not begun, or over
    resumed_by_handoff waiter_;
    access::place* place_ = nullptr;  // where it queues
    std::optional<callback_coroutine> callback_;
    std::atomic<bool> callback_ended_{false};
    base::instant timer_ = base::never;
    bool waits_ = false;  // and a probe was told so
    std::exception_ptr failure_;
};

// What an awaitable holds.
template <class Value>
class awaited_value : public awaited_call {
public:
    virtual result<Value> take_result() = 0;

protected:
    using awaited_call::awaited_call;
};

template <class Call>
class awaited final : public awaited_value<typename Call::value_type> {
public:
    template <class... Arguments>
    explicit awaited(std::shared_ptr<coroutine_home> home, Arguments&&... arguments)
        : awaited_value<typename Call::value_type>(std::move(home)) {
        call_.emplace(*this->home().state, std::forward<Arguments>(arguments)...);
    }
    result<typename Call::value_type> take_result() override {
        this->rethrow_failure();
        return call_->take_result();
    }

private:
    call& inner() noexcept override { return *call_; }
    void drop() noexcept override { call_.reset(); }

    std::optional<Call> call_;
};

}  // namespace strandline::client
