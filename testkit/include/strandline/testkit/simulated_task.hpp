// What programs of simulated applications are written as: coroutines that await a consumer, time, and each other.
#pragma once

#include <coroutine>
#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

namespace strandline::testkit::inline v0 {

template <class Value>
class simulated_task;

namespace task_detail {

class promise_base {
public:
    std::suspend_always initial_suspend() const noexcept { return {}; }
    auto final_suspend() const noexcept {
        struct back_to_awaiter {
            bool await_ready() const noexcept { return false; }
            std::coroutine_handle<> await_suspend(std::coroutine_handle<>) const noexcept { return next; }
            void await_resume() const noexcept {}
            std::coroutine_handle<> next;
        };
        return back_to_awaiter{awaiter_ ? awaiter_ : std::noop_coroutine()};
    }
    void unhandled_exception() noexcept { failure_ = std::current_exception(); }
    void set_awaiter(std::coroutine_handle<> awaiter) noexcept { awaiter_ = awaiter; }
    std::exception_ptr failure() const noexcept { return failure_; }

private:
    std::coroutine_handle<> awaiter_;
    std::exception_ptr failure_;
};

template <class Value>
class promise final : public promise_base {
public:
    simulated_task<Value> get_return_object() noexcept;
    template <class From>
    void return_value(From&& value) {
        value_.emplace(std::forward<From>(value));
    }
    Value take() { return std::move(*value_); }

private:
    std::optional<Value> value_;
};

template <>
class promise<void> final : public promise_base {
public:
    simulated_task<void> get_return_object() noexcept;
    void return_void() const noexcept {}
    void take() const noexcept {}
};

}  // namespace task_detail

// Begins when it is awaited, or when the simulation starts it; ends in whoever awaits it. Destroying it destroys what
// is suspended in it, which is how a simulated crash looks.
template <class Value = void>
class [[nodiscard]] simulated_task {
public:
    using promise_type = task_detail::promise<Value>;

    simulated_task(simulated_task&& other) noexcept : frame_(std::exchange(other.frame_, nullptr)) {}
    simulated_task& operator=(simulated_task&& other) noexcept {
        std::swap(frame_, other.frame_);
        return *this;
    }
    ~simulated_task() {
        if (frame_) frame_.destroy();
    }

    bool await_ready() const noexcept { return false; }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> awaiter) noexcept {
        frame_.promise().set_awaiter(awaiter);
        return frame_;
    }
    Value await_resume() {
        if (const auto failure = frame_.promise().failure()) std::rethrow_exception(failure);
        return frame_.promise().take();
    }

    // For whoever runs the outermost one.
    void start() { frame_.resume(); }
    bool has_ended() const noexcept { return frame_ && frame_.done(); }
    std::exception_ptr failure() const noexcept { return frame_.promise().failure(); }

private:
    friend promise_type;
    explicit simulated_task(std::coroutine_handle<promise_type> frame) noexcept : frame_(frame) {}
    std::coroutine_handle<promise_type> frame_;
};

namespace task_detail {

template <class Value>
simulated_task<Value> promise<Value>::get_return_object() noexcept {
    return simulated_task<Value>(std::coroutine_handle<promise>::from_promise(*this));
}
inline simulated_task<void> promise<void>::get_return_object() noexcept {
    return simulated_task<void>(std::coroutine_handle<promise>::from_promise(*this));
}

}  // namespace task_detail

}  // namespace strandline::testkit::inline v0
