#include <utility>

#include "client/call.hpp"
#include "client/operations.hpp"

namespace strandline::client {

namespace {

std::optional<error> refusal(const consumer_state& state, const core::boundary::command::subscribe& what) {
    if (!state.config.group_id) {
        return error(errc::invalid_state, "subscribe: needs group_id; without a group, assign partitions by hand");
    }
    for (const auto& topic : what.topics) {
        if (topic.empty()) return error(errc::invalid_argument, "subscribe: a topic's name is empty");
    }
    if (what.topics.empty() && what.broker_pattern.empty() && what.client_pattern.empty()) {
        return error(errc::invalid_argument, "subscribe: the pattern is empty");
    }
    return std::nullopt;
}

}  // namespace

result<void> subscribe(consumer_state& state, frame_id frame, core::boundary::command::subscribe what,
                       listener_handle listener) {
    auto let_in = call::begin(state, frame, "subscribe");
    if (!let_in) return tl::unexpected(let_in.error());
    if (auto refused = refusal(state, what)) return tl::unexpected(std::move(*refused));
    what.has_listener = listener.get() != nullptr;
    auto done = let_in->done_after_callback(std::move(what));
    if (done) {
        state.listener = std::move(listener);
        state.subscribed = true;
    }
    return done;
}

}  // namespace strandline::client
