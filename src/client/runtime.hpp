// What turns the reactor of a consumer: a thread of its own, a simulator's scheduler, or a test.
#pragma once

#include <functional>
#include <memory>

#include "core/boundary/core_config.hpp"
#include "handoff/handoff.hpp"
#include "reactor/clock.hpp"

namespace strandline::client {

// Lives from construction to the end of close. Its destruction is abrupt: nothing turns any more. It is destroyed by
// the call that closes, never from inside a turn.
class runtime {
public:
    virtual ~runtime() = default;
};

// May throw what starting a thread throws.
using runtime_factory =
    std::function<std::unique_ptr<runtime>(const core::boundary::core_config& config, handoff::handoff& meeting)>;

// One thread of its own, over Asio, and the clock it goes by.
std::unique_ptr<runtime> make_threaded_runtime(const core::boundary::core_config& config, handoff::handoff& meeting);
const reactor::clock& system_clock() noexcept;

}  // namespace strandline::client
