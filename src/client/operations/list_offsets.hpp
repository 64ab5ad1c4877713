// Which offset a partition has at a time, at its beginning, at its end.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "client/call.hpp"
#include "core/boundary/call_names.hpp"

namespace strandline::client {

class offsets_for_times_call final : public command_call<consumer_calls::offsets_by_time> {
public:
    offsets_for_times_call(consumer_state& state, access::frame_id frame,
                           std::map<topic_partition, consumer_calls::time_point> times, timeout within)
        : command_call(state, frame, core::boundary::call_name::offsets_for_times, within), times_(std::move(times)) {}

private:
    std::optional<core::boundary::any_command> prepare() override;
    result<consumer_calls::offsets_by_time> conclude(core::boundary::operation_value outcome) override;

    std::map<topic_partition, consumer_calls::time_point> times_;
};

enum class log_end : std::uint8_t { beginning, end };

class log_ends_call final : public command_call<std::map<topic_partition, std::int64_t>> {
public:
    log_ends_call(consumer_state& state, access::frame_id frame, log_end where, partitions which, timeout within);

private:
    std::optional<core::boundary::any_command> prepare() override;
    result<std::map<topic_partition, std::int64_t>> conclude(core::boundary::operation_value outcome) override;

    log_end where_;
    partitions which_;
};

}  // namespace strandline::client
