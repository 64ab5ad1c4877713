// Runs the application's callbacks, on the thread of the call that found them, and nowhere else.
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include <strandline/access.hpp>
#include <strandline/error.hpp>

#include "client/consumer_state.hpp"
#include "core/boundary/notice.hpp"
#include "handoff/poll_offer.hpp"

namespace strandline::client {

// A callback in progress: its access is valid as long as this stands.
class callback_scope {
public:
    callback_scope(consumer_state& state, std::string_view name) : state_(state), frame_(state.door, name) {}
    consumer_access access() const { return consumer_access(state_.shared_from_this(), frame_.frame()); }

private:
    consumer_state& state_;
    gate::callback frame_;
};

// Runs `body` with an access; callback_failed if it throws, with what it said.
std::optional<error> run_callback(consumer_state& state, std::string_view name,
                                  const std::function<void(consumer_access)>& body);

// Deals with what next() or next_callback() offered: a notice or an ended call. An error is for the call that found it.
std::optional<error> handle(consumer_state& state, handoff::poll_offer offer);

}  // namespace strandline::client
