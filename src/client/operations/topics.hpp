// Which topics and partitions there are.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "client/call.hpp"
#include "core/boundary/call_names.hpp"

namespace strandline::client {

class partitions_for_call final : public command_call<std::vector<partition_info>> {
public:
    partitions_for_call(consumer_state& state, access::frame_id frame, std::string topic, timeout within)
        : command_call(state, frame, core::boundary::call_name::partitions_for, within), topic_(std::move(topic)) {}

private:
    std::optional<core::boundary::any_command> prepare() override;
    result<std::vector<partition_info>> conclude(core::boundary::operation_value outcome) override;
    step fail(error why) override;

    std::string topic_;
};

class list_topics_call final : public command_call<std::map<std::string, std::vector<partition_info>>> {
public:
    list_topics_call(consumer_state& state, access::frame_id frame, timeout within)
        : command_call(state, frame, core::boundary::call_name::list_topics, within) {}

private:
    std::optional<core::boundary::any_command> prepare() override { return core::boundary::command::list_topics{}; }
    result<value_type> conclude(core::boundary::operation_value outcome) override;
};

}  // namespace strandline::client
