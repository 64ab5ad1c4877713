// Where the application stands in a partition.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "client/call.hpp"
#include "core/boundary/call_names.hpp"

namespace strandline::client {

class position_call final : public command_call<std::int64_t> {
public:
    position_call(consumer_state& state, access::frame_id frame, topic_partition partition, timeout within)
        : command_call(state, frame, core::boundary::call_name::position, within), partition_(std::move(partition)) {}

private:
    std::optional<core::boundary::any_command> prepare() override;
    result<std::int64_t> conclude(core::boundary::operation_value outcome) override;

    topic_partition partition_;
};

}  // namespace strandline::client
