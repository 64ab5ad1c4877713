// What every operation begins with and how it waits.
#pragma once

#include <chrono>
#include <memory>
#include <string_view>

#include <strandline/consumer_calls.hpp>

#include "client/consumer_state.hpp"
#include "core/boundary/command.hpp"
#include "core/boundary/completion.hpp"

namespace strandline::client {

inline base::instant now() noexcept { return handoff::primitives::now(); }

// Never for durations beyond any clock; now for negative ones.
base::instant deadline_after(std::chrono::milliseconds wait) noexcept;

// One call that has been let in, until it is destroyed.
class call {
public:
    // Lets the caller in, or says why not: somebody else is inside, the access has expired, the consumer has closed.
    static result<call> begin(consumer_state& state, access::frame_id frame, std::string_view name,
                              timeout within = {});

    base::instant deadline() const noexcept { return deadline_; }
    bool in_callback() const noexcept { return entry_.in_callback(); }

    // Submits and waits for the outcome, at most until the deadline.
    result<core::boundary::operation_value> outcome_of(core::boundary::any_command what);
    // The same, for commands that only succeed or fail.
    result<void> done(core::boundary::any_command what);
    // In a callback what changes the assignment takes effect after it, so it is not waited for there; failure is
    // reported by the poll. Elsewhere as done().
    result<void> done_after_callback(core::boundary::any_command what);

    error timed_out() const;

private:
    call(consumer_state& state, gate::entry entry, std::string_view name, base::instant deadline, base::duration wait)
        : state_(state), entry_(std::move(entry)), name_(name), deadline_(deadline), wait_(wait) {}

    consumer_state& state_;
    gate::entry entry_;
    std::string_view name_;
    base::instant deadline_;
    base::duration wait_;
};

error closed_error(std::string_view name);

}  // namespace strandline::client
