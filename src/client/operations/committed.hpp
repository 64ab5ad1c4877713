// What the group has committed.
#pragma once

#include <optional>
#include <utility>

#include "client/call.hpp"
#include "core/boundary/call_names.hpp"

namespace strandline::client {

class committed_call final : public command_call<offsets> {
public:
    committed_call(consumer_state& state, access::frame_id frame, partitions which, timeout within)
        : command_call(state, frame, core::boundary::call_name::committed, within), which_(std::move(which)) {}

private:
    std::optional<core::boundary::any_command> prepare() override;
    result<offsets> conclude(core::boundary::operation_value outcome) override;

    partitions which_;
};

}  // namespace strandline::client
