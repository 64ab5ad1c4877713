#include "client/operations/pause.hpp"

namespace strandline::client {

std::optional<core::boundary::any_command> pause_call::prepare() {
    if (which_.empty()) {
        end({});
        return std::nullopt;
    }
    if (way_ == what::pause) return core::boundary::command::pause{std::move(which_)};
    return core::boundary::command::resume{std::move(which_)};
}

}  // namespace strandline::client
