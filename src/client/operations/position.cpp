#include <utility>
#include <variant>

#include "client/call.hpp"
#include "client/operations.hpp"

namespace strandline::client {

result<std::int64_t> position(consumer_state& state, frame_id frame, const topic_partition& partition, timeout within) {
    auto let_in = call::begin(state, frame, "position", within);
    if (!let_in) return tl::unexpected(let_in.error());
    // What has been fetched ahead is not the application's yet: its own position is known here, once data came.
    if (const auto known = state.meeting.position(partition)) return known->offset;
    auto outcome = let_in->outcome_of(core::boundary::command::position{partition});
    if (!outcome) return tl::unexpected(std::move(outcome.error()));
    if (const auto known = state.meeting.position(partition)) return known->offset;
    return std::get<core::boundary::position_value>(*outcome).offset;
}

}  // namespace strandline::client
