// Committing, and waiting for it.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "client/call.hpp"
#include "client/part_progress.hpp"
#include "core/boundary/call_names.hpp"

namespace strandline::client {

// What was processed.
class commit_processed_call : public command_call<void> {
public:
    commit_processed_call(consumer_state& state, access::frame_id frame, timeout within)
        : command_call(state, frame, core::boundary::call_name::commit, within) {}

protected:
    std::optional<core::boundary::any_command> prepare() override;
    result<void> conclude(core::boundary::operation_value) override { return {}; }
};

// The same, and one record with what came before it in its partition. `part` is that of the record.
class commit_up_to_call final : public commit_processed_call {
public:
    commit_up_to_call(consumer_state& state, access::frame_id frame, part_progress* part, std::int64_t next,
                      timeout within)
        : commit_processed_call(state, frame, within), part_(part), next_(next) {}

private:
    std::optional<core::boundary::any_command> prepare() override;

    part_progress* part_;
    std::int64_t next_;
};

class commit_named_call final : public command_call<void> {
public:
    commit_named_call(consumer_state& state, access::frame_id frame, offsets named, timeout within)
        : command_call(state, frame, core::boundary::call_name::commit, within), named_(std::move(named)) {}

private:
    std::optional<core::boundary::any_command> prepare() override;
    result<void> conclude(core::boundary::operation_value) override { return {}; }

    offsets named_;
};

}  // namespace strandline::client
