// Moving the position of a partition.
#pragma once

#include <optional>
#include <utility>

#include "client/call.hpp"
#include "client/operations/list_offsets.hpp"

namespace strandline::client {

class seek_call final : public command_call<void> {
public:
    seek_call(consumer_state& state, access::frame_id frame, topic_partition partition, offset_and_metadata to)
        : command_call(state, frame, "seek"), partition_(std::move(partition)), to_(std::move(to)) {}

private:
    std::optional<core::boundary::any_command> prepare() override;
    result<void> conclude(core::boundary::operation_value) override { return {}; }

    topic_partition partition_;
    offset_and_metadata to_;
};

// No partitions: all that are assigned.
class seek_to_call final : public command_call<void> {
public:
    seek_to_call(consumer_state& state, access::frame_id frame, log_end where, partitions which);

private:
    std::optional<core::boundary::any_command> prepare() override;
    result<void> conclude(core::boundary::operation_value) override { return {}; }

    log_end where_;
    partitions which_;
};

}  // namespace strandline::client
