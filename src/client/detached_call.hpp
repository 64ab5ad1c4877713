// A call that nobody waits for; the application hears later how it ended.
#pragma once

#include <optional>

#include "client/callback_turn.hpp"
#include "handoff/operation.hpp"

namespace strandline::client {

class consumer_state;

class detached_call : public handoff::operation {
public:
    using operation::operation;
    // Inside the gate, in the call that found it. A callback, if the application wants to hear of it so.
    virtual std::optional<wanted_callback> on_ended(consumer_state& state) = 0;
};

}  // namespace strandline::client
