#include <utility>
#include <variant>

#include "client/call.hpp"
#include "client/operations.hpp"

namespace strandline::client {

result<offsets> committed(consumer_state& state, frame_id frame, const partitions& which, timeout within) {
    auto let_in = call::begin(state, frame, "committed", within);
    if (!let_in) return tl::unexpected(let_in.error());
    if (!state.config.group_id) return tl::unexpected(error(errc::invalid_state, "committed: needs group_id"));
    if (which.empty()) return offsets();
    auto outcome = let_in->outcome_of(core::boundary::command::committed{which});
    if (!outcome) return tl::unexpected(std::move(outcome.error()));
    return std::get<offsets>(std::move(*outcome));
}

}  // namespace strandline::client
