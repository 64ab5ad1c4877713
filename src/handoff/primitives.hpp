// What threads meet with, in production. The code of this folder takes a type like this one as its parameter, so that a
// test scheduler can run every interleaving of it.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>

#include "base/instant.hpp"

namespace strandline::handoff {

// Locks and sequentially consistent atomics only: what the test scheduler explores is then all that can happen.
struct primitives {
    using mutex = std::mutex;

    template <class Value>
    using atomic = std::atomic<Value>;

    class condition {
    public:
        void notify_all() noexcept { condition_.notify_all(); }
        void wait(std::unique_lock<std::mutex>& held) { condition_.wait(held); }
        void wait_until(std::unique_lock<std::mutex>& held, base::instant deadline) {
            if (deadline == base::never) return wait(held);
            condition_.wait_until(held, std::chrono::steady_clock::time_point(deadline.time_since_epoch()));
        }

    private:
        std::condition_variable condition_;
    };

    // The same time as the reactor's clock port.
    static base::instant now() noexcept { return base::instant(std::chrono::steady_clock::now().time_since_epoch()); }
};

}  // namespace strandline::handoff
