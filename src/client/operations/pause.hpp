// Keeping partitions back, and letting them go on.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "client/call.hpp"

namespace strandline::client {

class pause_call final : public command_call<void> {
public:
    enum class what : std::uint8_t { pause, resume };
    pause_call(consumer_state& state, access::frame_id frame, what way, partitions which)
        : command_call(state, frame, way == what::pause ? "pause" : "resume"), way_(way), which_(std::move(which)) {}

private:
    std::optional<core::boundary::any_command> prepare() override;
    result<void> conclude(core::boundary::operation_value) override { return {}; }

    what way_;
    partitions which_;
};

}  // namespace strandline::client
