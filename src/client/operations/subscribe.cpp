#include "client/operations/subscribe.hpp"

namespace strandline::client {

subscribe_call::subscribe_call(consumer_state& state, access::frame_id frame, core::boundary::command::subscribe what,
                               any_listener listener)
    : assignment_call(state, frame, "subscribe"), what_(std::move(what)), listener_(std::move(listener)) {
    what_.has_listener = !std::holds_alternative<std::monostate>(listener_);
}

std::optional<error> subscribe_call::refusal() const {
    if (!state().config.group_id) {
        return error(errc::invalid_state, "subscribe: needs group_id; without a group, assign partitions by hand");
    }
    for (const auto& topic : what_.topics) {
        if (topic.empty()) return error(errc::invalid_argument, "subscribe: a topic's name is empty");
    }
    if (what_.topics.empty() && what_.broker_pattern.empty() && what_.client_pattern.empty()) {
        return error(errc::invalid_argument, "subscribe: the pattern is empty");
    }
    return std::nullopt;
}

std::optional<core::boundary::any_command> subscribe_call::prepare() {
    if (auto refused = refusal()) {
        fail(std::move(*refused));
        return std::nullopt;
    }
    return std::move(what_);
}

void subscribe_call::on_accepted() {
    state().listener = std::move(listener_);
    state().subscribed = true;
}

}  // namespace strandline::client
