#include "client/callback_turn.hpp"

#include <string>
#include <utility>

#include <fmt/format.h>

#include "client/consumer_state.hpp"
#include "client/detached_call.hpp"
#include "core/boundary/command.hpp"

namespace strandline::client {

namespace boundary = core::boundary;

namespace {

wanted_callback::kind kind_of(boundary::callback_wanted::kind what) {
    using kind = boundary::callback_wanted::kind;
    switch (what) {
        case kind::assigned: return wanted_callback::kind::assigned;
        case kind::revoked: return wanted_callback::kind::revoked;
        case kind::lost: return wanted_callback::kind::lost;
    }
    return wanted_callback::kind::assigned;
}

}  // namespace

std::string_view wanted_callback::name() const noexcept {
    switch (what) {
        case kind::assigned: return "on_assigned";
        case kind::revoked: return "on_revoked";
        case kind::lost: return "on_lost";
        case kind::committed: return "commit callback";
    }
    return {};
}

error callback_error(const wanted_callback& whose, const std::exception_ptr& thrown) {
    std::string what;
    try {
        std::rethrow_exception(thrown);
    } catch (const std::exception& known) {
        what = known.what();
    } catch (...) {
        what = "something that is no std::exception";
    }
    return {errc::callback_failed, fmt::format("{} threw: {}", whose.name(), what), {}, {.retriable = true}};
}

callback_turn::~callback_turn() {
    if (stage_ == stage::running || stage_ == stage::ending) state_.door.abandon_callback(wanted_->frame, end_);
    if (!unanswered_) return;
    acknowledge(*unanswered_,
                error(errc::callback_failed, "the call that ran the callback was given up before it ended", {},
                      {.retriable = true}));
}

void callback_turn::take(handoff::poll_offer offer) {
    if (offer.what == handoff::poll_offer::kind::ended) {
        wanted_ = static_cast<detached_call&>(*offer.call).on_ended(state_);
        if (wanted_) stage_ = stage::wanted;
        return;
    }
    if (auto* raised = std::get_if<boundary::error_raised>(&*offer.notice)) {
        state_.untold.push_back(std::move(raised->reason));
        return;
    }
    if (auto* moved = std::get_if<boundary::positions_reset>(&*offer.notice)) {
        state_.resets.insert(state_.resets.end(), moved->which.begin(), moved->which.end());
        return;
    }
    take(std::get<boundary::callback_wanted>(std::move(*offer.notice)));
}

void callback_turn::take(boundary::callback_wanted wanted) {
    // Given up without partitions: what it is about was told by the callback it would have taken the place of.
    const bool has_been_told = wanted.which.empty() && wanted.what != boundary::callback_wanted::kind::assigned;
    if (std::holds_alternative<std::monostate>(state_.listener) || has_been_told) {
        if (auto* const probe = state_.probe) {
            probe->on_callback_begins(wanted.id, {.what = kind_of(wanted.what), .which = wanted.which});
        }
        acknowledge(wanted.id, std::nullopt);
        return;
    }
    unanswered_ = wanted.id;
    wanted_ = wanted_callback{kind_of(wanted.what), state_.listener, std::move(wanted.which), {}, {}, {}};
    stage_ = stage::wanted;
    if (auto* const probe = state_.probe) probe->on_callback_begins(wanted.id, *wanted_);
}

step callback_turn::advance() {
    switch (stage_) {
        case stage::idle: return step::ended;
        case stage::wanted:
            wanted_->frame = state_.door.open_callback(wanted_->name(), state_.time.now());
            stage_ = stage::running;
            return step::callback;
        case stage::running: return step::callback;
        case stage::ending:
            if (!state_.door.end_callback(wanted_->frame, end_)) return step::queue;
            over();
            return step::ended;
    }
    return step::ended;
}

void callback_turn::on_ended(std::optional<error> failure) {
    failure_ = std::move(failure);
    stage_ = stage::ending;
}

void callback_turn::over() {
    stage_ = stage::idle;
    wanted_.reset();
    if (const auto id = std::exchange(unanswered_, std::nullopt)) acknowledge(*id, failure_);
}

void callback_turn::acknowledge(boundary::callback_id id, std::optional<error> failure) {
    if (auto* const probe = state_.probe) probe->on_callback_ended(id, failure.has_value());
    state_.meeting.tell(boundary::command::callback_finished{id, std::move(failure)});
}

}  // namespace strandline::client
