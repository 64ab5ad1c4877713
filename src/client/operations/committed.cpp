#include "client/operations/committed.hpp"

#include <variant>

namespace strandline::client {

std::optional<core::boundary::any_command> committed_call::prepare() {
    if (!state().config.group_id) {
        fail(error(errc::invalid_state, "committed: needs group_id"));
        return std::nullopt;
    }
    if (which_.empty()) {
        end(offsets());
        return std::nullopt;
    }
    return core::boundary::command::committed{std::move(which_)};
}

result<offsets> committed_call::conclude(core::boundary::operation_value outcome) {
    return std::get<offsets>(std::move(outcome));
}

}  // namespace strandline::client
