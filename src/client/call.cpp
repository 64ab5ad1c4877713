#include "client/call.hpp"

#include <utility>

#include <fmt/format.h>

#include "client/detached_call.hpp"
#include "client/explain.hpp"

namespace strandline::client {

namespace {

// Takes effect after the callback it was called in.
class deferred_change final : public detached_call {
public:
    using detached_call::detached_call;
    void on_ended(consumer_state& state) override {
        auto outcome = take_outcome();
        if (!outcome) state.deferred_failure = std::move(outcome.error());
    }
};

}  // namespace

base::instant deadline_after(std::chrono::milliseconds wait) noexcept {
    // A century is for ever, and still far from where nanoseconds overflow.
    constexpr auto for_ever = std::chrono::hours(24 * 365 * 100);
    if (wait >= for_ever) return base::never;
    return now() + std::max(wait, std::chrono::milliseconds(0));
}

error closed_error(std::string_view name) {
    return {errc::consumer_closed, fmt::format("{}: the consumer has been closed", name)};
}

result<call> call::begin(consumer_state& state, access::frame_id frame, std::string_view name, timeout within) {
    const auto wait = within.value_or(state.config.default_api_timeout);
    const auto deadline = deadline_after(wait);
    auto entry = state.door.enter(frame, name, deadline);
    if (!entry) return tl::unexpected(std::move(entry.error()));
    if (state.closed) return tl::unexpected(closed_error(name));
    return call(state, std::move(*entry), name, deadline, wait);
}

error call::timed_out() const {
    return {errc::timed_out,
            fmt::format("{} did not end within {} ms; {}", name_,
                        std::chrono::duration_cast<std::chrono::milliseconds>(wait_).count(), explain(state_).summary),
            {},
            {.retriable = true}};
}

result<core::boundary::operation_value> call::outcome_of(core::boundary::any_command what) {
    handoff::operation submitted(deadline_);
    state_.meeting.submit(submitted, std::move(what));
    if (!state_.meeting.wait(submitted)) return tl::unexpected(timed_out());
    return submitted.take_outcome();
}

result<void> call::done(core::boundary::any_command what) {
    auto outcome = outcome_of(std::move(what));
    if (!outcome) return tl::unexpected(std::move(outcome.error()));
    return {};
}

result<void> call::done_after_callback(core::boundary::any_command what) {
    if (!in_callback()) return done(std::move(what));
    state_.meeting.submit_detached(std::make_unique<deferred_change>(deadline_), std::move(what));
    return {};
}

}  // namespace strandline::client
