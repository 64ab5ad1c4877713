// A callback of the application that is a coroutine, from its start to its end.
#pragma once

#include <exception>
#include <utility>

#include <strandline/callback_task.hpp>

namespace strandline::client {

// Destroying it destroys the coroutine where it is suspended.
class callback_coroutine {
public:
    explicit callback_coroutine(callback_task task) noexcept : task_(std::move(task)) {}

    // Runs to the first place where it is suspended. True: it has ended. Otherwise `on_end` is called when it has, from
    // its last step: it posts and returns.
    bool start(void (*on_end)(void* whom) noexcept, void* whom) {
        auto& promise = task_.frame_.promise();
        promise.on_end_ = on_end;
        promise.whom_ = whom;
        task_.frame_.resume();
        return promise.met_.exchange(true);
    }
    // What left it, if anything did.
    std::exception_ptr failure() const noexcept { return task_.frame_.promise().failure_; }

private:
    callback_task task_;
};

}  // namespace strandline::client
