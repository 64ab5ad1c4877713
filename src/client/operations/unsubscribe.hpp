// Giving up everything; the listener is told by the call itself.
#pragma once

#include <optional>

#include "client/call.hpp"
#include "core/boundary/call_names.hpp"

namespace strandline::client {

class unsubscribe_call final : public call_of<void> {
public:
    unsubscribe_call(consumer_state& state, access::frame_id frame, timeout within)
        : call_of(state, frame, core::boundary::call_name::unsubscribe, within), leaving_(state.meeting, deadline()) {}

private:
    step proceed() override;
    void begin();
    void note_callback();

    submission leaving_;
    std::optional<error> failed_callback_;
};

}  // namespace strandline::client
