// Makes a chosen allocation of a simulated process fail. The program replaces operator new and has it ask here, as
// strandline-simulate does; in any other nothing fails.
#pragma once

#include <cstdint>
#include <utility>

namespace strandline::testkit::sim {

namespace detail {
// What counts at the moment. Several simulations may run at a time, each in a thread.
inline thread_local std::int64_t* allocations_left = nullptr;
}  // namespace detail

// For operator new, before each allocation: is this the one?
inline bool allocation_fails() noexcept {
    auto* const left = detail::allocations_left;
    if (!left || *left <= 0) return false;
    *left -= 1;
    return *left == 0;
}

// While it lives, allocations of this thread count down `left`; the one that brings it to zero fails. Zero: none does.
class allocation_countdown {
public:
    explicit allocation_countdown(std::int64_t& left) noexcept
        : before_(std::exchange(detail::allocations_left, left > 0 ? &left : nullptr)) {}
    ~allocation_countdown() { detail::allocations_left = before_; }
    allocation_countdown(const allocation_countdown&) = delete;
    allocation_countdown& operator=(const allocation_countdown&) = delete;

private:
    std::int64_t* before_;
};

// While it lives, allocations of this thread are the simulation's own and do not count.
class uncounted_allocations {
public:
    uncounted_allocations() noexcept : before_(std::exchange(detail::allocations_left, nullptr)) {}
    ~uncounted_allocations() { detail::allocations_left = before_; }
    uncounted_allocations(const uncounted_allocations&) = delete;
    uncounted_allocations& operator=(const uncounted_allocations&) = delete;

private:
    std::int64_t* before_;
};

}  // namespace strandline::testkit::sim
