// Subscribing: to topics by name, or to a pattern.
#pragma once

#include <optional>
#include <utility>

#include "client/call.hpp"

namespace strandline::client {

class subscribe_call final : public assignment_call {
public:
    subscribe_call(consumer_state& state, access::frame_id frame, core::boundary::command::subscribe what,
                   any_listener listener);

private:
    std::optional<core::boundary::any_command> prepare() override;
    void on_accepted() override;
    std::optional<error> refusal() const;

    core::boundary::command::subscribe what_;
    any_listener listener_;
};

}  // namespace strandline::client
