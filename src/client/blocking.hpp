// Drives a call on the thread that makes it: parks where it waits, and runs callbacks on its own stack.
#pragma once

#include <optional>

#include <strandline/access.hpp>
#include <strandline/error.hpp>

#include "access/ambient.hpp"
#include "client/call.hpp"

namespace strandline::client {

// A callback in progress on this stack: plain calls on the consumer count as made through it.
class callback_scope {
public:
    callback_scope(consumer_state& state, access::frame_id frame) noexcept
        : state_(state), frame_(frame), here_(&state.door, frame) {}
    consumer_access access() const { return consumer_access(state_.shared_from_this(), frame_); }

private:
    consumer_state& state_;
    access::frame_id frame_;
    access::ambient_frame here_;
};

void drive_here(call& what);

template <class Call>
result<typename Call::value_type> end_of(Call&& what) {
    drive_here(what);
    return what.take_result();
}

}  // namespace strandline::client
