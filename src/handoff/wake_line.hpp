// The line from any thread to the reactor's waker; it may be cut while threads still hold its end.
#pragma once

#include <mutex>

#include "handoff/reactor_waker.hpp"

namespace strandline::handoff {

// Buffers outlive the consumer, and freeing one may want to wake a reactor that is gone: then nothing happens.
template <class Primitives>
class wake_line {
public:
    void connect(reactor_waker* waker) {
        const std::lock_guard held(mutex_);
        waker_ = waker;
    }
    void signal() {
        const std::lock_guard held(mutex_);
        if (waker_) waker_->signal();
    }

private:
    typename Primitives::mutex mutex_;
    reactor_waker* waker_ = nullptr;
};

}  // namespace strandline::handoff
