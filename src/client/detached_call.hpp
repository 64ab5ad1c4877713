// A call that nobody waits for; the next poll hears how it ended.
#pragma once

#include "handoff/operation.hpp"

namespace strandline::client {

class consumer_state;

class detached_call : public handoff::operation {
public:
    using operation::operation;
    // On the polling thread, inside the gate.
    virtual void on_ended(consumer_state& state) = 0;
};

}  // namespace strandline::client
