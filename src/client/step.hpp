// What a call in progress asks of whoever drives it: a thread that parks, a coroutine, a simulated application.
#pragma once

#include <cstdint>

#include "base/instant.hpp"
#include "handoff/operation.hpp"

namespace strandline::client {

enum class step : std::uint8_t {
    ended,     // its result is there
    wait,      // for what `waiting` says; then advance it again
    queue,     // until its place at the gate has resumed; then advance it again
    callback,  // run the application's callback, say how it ended, then advance it again
};

struct waiting {
    const handoff::operation* only = nullptr;  // for its end; null: for anything newer than `seen`
    std::uint64_t seen = 0;
    base::instant deadline = base::never;
};

}  // namespace strandline::client
