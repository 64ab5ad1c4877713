#include "client/blocking.hpp"

#include <exception>
#include <memory>
#include <utility>
#include <variant>

#include "client/consumer_state.hpp"

namespace strandline::client {

namespace {

void call_application(const wanted_callback& wanted, consumer_access access) {
    using kind = wanted_callback::kind;
    if (wanted.what == kind::committed) {
        if (const auto& done = std::get<commit_callback>(wanted.done)) done(std::move(access), wanted.told);
        return;
    }
    auto& listener = *std::get<std::shared_ptr<rebalance_listener>>(wanted.listener);
    if (wanted.what == kind::assigned) {
        listener.on_assigned(std::move(access), wanted.which);
    } else if (wanted.what == kind::revoked) {
        listener.on_revoked(std::move(access), wanted.which);
    } else {
        listener.on_lost(std::move(access), wanted.which);
    }
}

// callback_failed if it throws, with what it said.
std::optional<error> run_here(consumer_state& state, const wanted_callback& wanted) {
    const callback_scope scope(state, wanted.frame);
    try {
        call_application(wanted, scope.access());
        return std::nullopt;
    } catch (...) {
        return callback_error(wanted, std::current_exception());
    }
}

void park(handoff::handoff& meeting, const waiting& what) {
    if (what.only) {
        meeting.park(*what.only, what.deadline);
    } else {
        meeting.park(what.seen, what.deadline);
    }
}

}  // namespace

void drive_here(call& what) {
    auto& state = what.state();
    for (;;) {
        switch (what.advance()) {
            case step::ended: return;
            case step::wait: park(state.meeting, what.awaited()); break;
            case step::queue: state.door.park(what.place(), what.queues_until()); break;
            case step::callback: what.on_callback_ended(run_here(state, what.callback())); break;
        }
    }
}

}  // namespace strandline::client

namespace strandline::inline v0 {

// NOLINTBEGIN(performance-unnecessary-value-param): who overrides them owns the access.
void rebalance_listener::on_assigned(consumer_access, const partitions&) {}
void rebalance_listener::on_revoked(consumer_access, const partitions&) {}
// NOLINTEND(performance-unnecessary-value-param)
void rebalance_listener::on_lost(consumer_access access, const partitions& gone) {
    on_revoked(std::move(access), gone);
}

}  // namespace strandline::inline v0
