#include "client/call.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "client/detached_call.hpp"
#include "client/explain.hpp"
#include "client/longest_wait.hpp"

namespace strandline::client {

namespace {

// Takes effect after the callback it was called in.
class deferred_change final : public detached_call {
public:
    using detached_call::detached_call;
    std::optional<wanted_callback> on_ended(consumer_state& state) override {
        auto outcome = take_outcome();
        if (!outcome) state.untold.push_back(std::move(outcome.error()));
        return std::nullopt;
    }
};

}  // namespace

base::instant deadline_after(const consumer_state& state, std::chrono::milliseconds wait) {
    if (wait >= longest_wait) return base::never;
    return state.time.now() + std::max(wait, std::chrono::milliseconds(0));
}

error closed_error(std::string_view name) {
    return {errc::consumer_closed, fmt::format("{}: the consumer has been closed", name)};
}

void submit_for_later(consumer_state& state, base::instant deadline, core::boundary::any_command what) {
    state.meeting.submit_detached(std::make_unique<deferred_change>(deadline), std::move(what));
}

call::call(consumer_state& state, access::frame_id frame, std::string_view name, timeout within)
    : state_(state),
      name_(name),
      wait_(within.value_or(state.config.default_api_timeout)),
      deadline_(deadline_after(state, within.value_or(state.config.default_api_timeout))),
      place_(frame, name),
      callbacks_(state) {}

call::~call() {
    if (queued_) state_.door.leave_queue(place_);
}

step call::advance() {
    if (entry_) return proceed();
    auto entry = state_.door.enter(place_, now(), deadline_);
    queued_ = !entry;
    if (!entry) return step::queue;
    if (!*entry) return fail(std::move(entry->error()));
    entry_.emplace(std::move(**entry));
    if (state_.closed) return fail(closed_error(name_));
    return proceed();
}

error call::timed_out() const {
    return {errc::timed_out,
            fmt::format("{} did not end within {} ms; {}", name_, wait_.count(), explain(state_).summary),
            {},
            {.retriable = true}};
}

step assignment_call::proceed() {
    if (!in_callback()) return command_call<void>::proceed();
    auto what = prepare();
    if (!what) return step::ended;
    submit_for_later(state(), deadline(), std::move(*what));
    on_accepted();
    return end({});
}

result<void> assignment_call::conclude(core::boundary::operation_value) {
    on_accepted();
    return {};
}

}  // namespace strandline::client
