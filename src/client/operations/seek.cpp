#include "client/operations/seek.hpp"

namespace strandline::client {

namespace command = core::boundary::command;

std::optional<core::boundary::any_command> seek_call::prepare() {
    if (to_.offset < 0) {
        fail(error(errc::invalid_argument, "seek: " + to_string(partition_) + ": the offset is negative"));
        return std::nullopt;
    }
    return command::seek{partition_, to_.offset, to_.leader_epoch};
}

seek_to_call::seek_to_call(consumer_state& state, access::frame_id frame, log_end where, partitions which)
    : command_call(state, frame, where == log_end::beginning ? "seek_to_beginning" : "seek_to_end"),
      where_(where),
      which_(std::move(which)) {}

std::optional<core::boundary::any_command> seek_to_call::prepare() {
    using end = command::seek_to::end;
    return command::seek_to{where_ == log_end::beginning ? end::beginning : end::end, std::move(which_)};
}

}  // namespace strandline::client
