#include "client/operations/list_offsets.hpp"

#include <variant>

namespace strandline::client {

namespace boundary = core::boundary;

std::optional<boundary::any_command> offsets_for_times_call::prepare() {
    boundary::command::list_offsets what;
    for (const auto& [partition, time] : times_) {
        if (time.time_since_epoch().count() < 0) {
            fail(error(errc::invalid_argument,
                       "offsets_for_times: " + to_string(partition) + ": the time is before 1970"));
            return std::nullopt;
        }
        what.timestamps.emplace(partition, time.time_since_epoch().count());
    }
    if (what.timestamps.empty()) {
        end(consumer_calls::offsets_by_time());
        return std::nullopt;
    }
    return what;
}

result<consumer_calls::offsets_by_time> offsets_for_times_call::conclude(boundary::operation_value outcome) {
    return std::get<boundary::list_offsets_value>(std::move(outcome)).found;
}

log_ends_call::log_ends_call(consumer_state& state, access::frame_id frame, log_end where, partitions which,
                             timeout within)
    : command_call(
          state, frame,
          where == log_end::beginning ? boundary::call_name::beginning_offsets : boundary::call_name::end_offsets,
          within),
      where_(where),
      which_(std::move(which)) {}

std::optional<boundary::any_command> log_ends_call::prepare() {
    using command = boundary::command::list_offsets;
    command what;
    for (const auto& partition : which_) {
        what.timestamps.emplace(partition, where_ == log_end::beginning ? command::earliest : command::latest);
    }
    if (what.timestamps.empty()) {
        end(std::map<topic_partition, std::int64_t>());
        return std::nullopt;
    }
    return what;
}

result<std::map<topic_partition, std::int64_t>> log_ends_call::conclude(boundary::operation_value outcome) {
    std::map<topic_partition, std::int64_t> plain;
    for (const auto& [partition, at] : std::get<boundary::list_offsets_value>(outcome).found) {
        if (at) plain.emplace(partition, at->offset);
    }
    return plain;
}

}  // namespace strandline::client
