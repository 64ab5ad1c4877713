// Makes a coroutine_consumer over a reactor that somebody else turns: the simulator, and tests.
#pragma once

#include <strandline/consumer_config.hpp>
#include <strandline/coroutine.hpp>
#include <strandline/error.hpp>

#include "client/consumer_state.hpp"
#include "client/runtime.hpp"
#include "reactor/clock.hpp"

namespace strandline::client {

// What it is made of. The scheduler's times are the clock's instants; both outlive the consumer and what awaits it.
struct coroutine_parts {
    const runtime_factory& make_runtime;
    const reactor::clock& clock;
    coroutine_scheduler& scheduler;

    // As consumer::create: everything that is wrong with the configuration at once.
    result<coroutine_consumer> make(const consumer_config& config) const;
    // What lies behind it, for whoever looks at more than an application may.
    static consumer_state& state_of(coroutine_consumer& consumer) noexcept;
};

}  // namespace strandline::client
