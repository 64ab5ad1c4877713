// What callbacks that are coroutines return.
#pragma once

#include <atomic>
#include <coroutine>
#include <exception>
#include <utility>

#include <strandline/export.hpp>

namespace strandline {
namespace client {
class callback_coroutine;
}

inline namespace v0 {

// The return type of a coroutine that the library runs and waits for; in it anything can be awaited. It begins when the
// library has it. An exception that leaves it is what the callback failed with.
class [[nodiscard]] callback_task {
public:
    class promise_type {
    public:
        callback_task get_return_object() noexcept {
            return callback_task(std::coroutine_handle<promise_type>::from_promise(*this));
        }
        std::suspend_always initial_suspend() const noexcept { return {}; }
        auto final_suspend() const noexcept {
            struct last_step {
                bool await_ready() const noexcept { return false; }
                void await_suspend(std::coroutine_handle<promise_type> ended) const noexcept {
                    auto& promise = ended.promise();
                    const auto on_end = promise.on_end_;
                    auto* const whom = promise.whom_;
                    // Unless it ended at once, in the call that began it; after this it may be gone.
                    if (promise.met_.exchange(true)) on_end(whom);
                }
                void await_resume() const noexcept {}
            };
            return last_step();
        }
        void return_void() const noexcept {}
        void unhandled_exception() noexcept { failure_ = std::current_exception(); }

    private:
        friend class client::callback_coroutine;
        void (*on_end_)(void* whom) noexcept = nullptr;
        void* whom_ = nullptr;
        std::atomic<bool> met_{false};
        std::exception_ptr failure_;
    };

    callback_task(callback_task&& other) noexcept : frame_(std::exchange(other.frame_, nullptr)) {}
    callback_task& operator=(callback_task&& other) noexcept {
        std::swap(frame_, other.frame_);
        return *this;
    }
    ~callback_task() {
        if (frame_) frame_.destroy();
    }

private:
    friend class client::callback_coroutine;
    explicit callback_task(std::coroutine_handle<promise_type> frame) noexcept : frame_(frame) {}
    std::coroutine_handle<promise_type> frame_;
};

}  // namespace v0
}  // namespace strandline
