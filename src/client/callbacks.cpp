#include "client/callbacks.hpp"

#include <exception>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "client/detached_call.hpp"
#include "core/boundary/command.hpp"

namespace strandline::client {

namespace boundary = core::boundary;

std::optional<error> run_callback(consumer_state& state, std::string_view name,
                                  const std::function<void(consumer_access)>& body) {
    std::string what;
    const callback_scope scope(state, name);
    try {
        body(scope.access());
        return std::nullopt;
    } catch (const std::exception& thrown) {
        what = thrown.what();
    } catch (...) {
        what = "something that is no std::exception";
    }
    return error(errc::callback_failed, fmt::format("{} threw: {}", name, what));
}

namespace {

std::optional<error> tell_listener(consumer_state& state, const boundary::callback_wanted& wanted) {
    const auto listener = state.listener.get();
    // Without partitions: what it is about was told by the callback it would have taken the place of.
    if (!listener || wanted.which.empty()) return std::nullopt;
    using kind = boundary::callback_wanted::kind;
    switch (wanted.what) {
        case kind::assigned:
            return run_callback(state, "on_assigned", [&](consumer_access access) {
                listener->on_assigned(std::move(access), wanted.which);
            });
        case kind::revoked:
            return run_callback(state, "on_revoked",
                                [&](consumer_access access) { listener->on_revoked(std::move(access), wanted.which); });
        case kind::lost:
            return run_callback(state, "on_lost",
                                [&](consumer_access access) { listener->on_lost(std::move(access), wanted.which); });
    }
    return std::nullopt;
}

}  // namespace

std::optional<error> handle(consumer_state& state, handoff::poll_offer offer) {
    if (offer.what == handoff::poll_offer::kind::ended) {
        static_cast<detached_call&>(*offer.call).on_ended(state);
        return std::exchange(state.deferred_failure, std::nullopt);
    }
    if (auto* raised = std::get_if<boundary::error_raised>(&*offer.notice)) return std::move(raised->reason);
    const auto& wanted = std::get<boundary::callback_wanted>(*offer.notice);
    auto failure = tell_listener(state, wanted);
    state.meeting.tell(boundary::command::callback_finished{wanted.id, failure});
    return failure;
}

}  // namespace strandline::client

namespace strandline::inline v0 {

void rebalance_listener::on_assigned(consumer_access, const partitions&) {}
void rebalance_listener::on_revoked(consumer_access, const partitions&) {}
void rebalance_listener::on_lost(consumer_access access, const partitions& gone) {
    on_revoked(std::move(access), gone);
}

}  // namespace strandline::inline v0
