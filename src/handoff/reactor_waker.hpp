// How the application's threads ask for a turn of the reactor.
#pragma once

namespace strandline::handoff {

// Implemented by whoever turns the reactor: signal() has one turn run soon, and returns at once. It may be called from
// any thread, also from one that holds locks of handoff; several signals before a turn may become one turn.
class reactor_waker {
public:
    virtual void signal() noexcept = 0;

protected:
    ~reactor_waker() = default;
};

}  // namespace strandline::handoff
