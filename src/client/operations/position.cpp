#include "client/operations/position.hpp"

#include <variant>

namespace strandline::client {

// What has been fetched ahead is not the application's yet: its own position is known here, once data came.
std::optional<core::boundary::any_command> position_call::prepare() {
    if (const auto known = state().meeting.position(partition_)) {
        end(known->offset);
        return std::nullopt;
    }
    return core::boundary::command::position{partition_};
}

result<std::int64_t> position_call::conclude(core::boundary::operation_value outcome) {
    if (const auto known = state().meeting.position(partition_)) return known->offset;
    return std::get<core::boundary::position_value>(outcome).offset;
}

}  // namespace strandline::client
