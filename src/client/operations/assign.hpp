// Assigning partitions by hand.
#pragma once

#include <optional>
#include <utility>

#include "client/call.hpp"

namespace strandline::client {

class assign_call final : public assignment_call {
public:
    assign_call(consumer_state& state, access::frame_id frame, partitions wanted)
        : assignment_call(state, frame, "assign"), wanted_(std::move(wanted)) {}

private:
    std::optional<core::boundary::any_command> prepare() override;
    void on_accepted() override;

    partitions wanted_;
};

}  // namespace strandline::client
