// Where coroutines that await a consumer are resumed: yours to implement.
#pragma once

#include <chrono>
#include <memory>

#include <strandline/export.hpp>

namespace strandline::inline v0 {

// Runs what a coroutine_consumer hands it: an event loop's queue and timers, or a test's. What belongs to one consumer
// runs one piece at a time, on whatever thread, and there its calls are made too. It outlives the consumer and every
// call that was awaited.
class STRANDLINE_API coroutine_scheduler {
public:
    // Shared, because it may still be queued when what it was for is over: running it then does nothing. Running it may
    // resume the coroutine that waits, and throws what that lets escape.
    class STRANDLINE_API work {
    public:
        virtual ~work() = default;
        virtual void run() = 0;
    };

    virtual ~coroutine_scheduler() = default;
    // Runs `what` once, soon, never from inside this call. Called from any thread, also with locks of the library held:
    // it queues and returns, and calls nothing of the consumer.
    virtual void post(std::shared_ptr<work> what) noexcept = 0;
    // Runs `what` once, at `when` or soon after, unless it is cancelled before. At most one time per work is set.
    virtual void run_at(std::chrono::steady_clock::time_point when, std::shared_ptr<work> what) = 0;
    // Drops the time that was set for `what`, if there is one; what was posted stays.
    virtual void cancel(const work& what) noexcept = 0;
};

}  // namespace strandline::inline v0
