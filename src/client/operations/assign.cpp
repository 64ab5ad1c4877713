#include "client/operations/assign.hpp"

namespace strandline::client {

std::optional<core::boundary::any_command> assign_call::prepare() {
    for (const auto& partition : wanted_) {
        if (partition.topic.empty() || partition.partition < 0) {
            fail(error(errc::invalid_argument, "assign: " + to_string(partition) + " is no partition"));
            return std::nullopt;
        }
    }
    return core::boundary::command::assign{wanted_};
}

// The listener goes with its subscription: what it is still to be told is answered in its place.
void assign_call::on_accepted() {
    state().listener = {};
    state().subscribed = !wanted_.empty();
}

}  // namespace strandline::client
