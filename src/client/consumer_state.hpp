// What a consumer consists of, behind its façades. Decides nothing: each operation has a file of its own beside this
// one.
#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <vector>

#include <strandline/consumer_config.hpp>
#include <strandline/error.hpp>
#include <strandline/position_reset.hpp>

#include "access/gate.hpp"
#include "client/call_probe.hpp"
#include "client/callback_turn.hpp"
#include "client/decoding.hpp"
#include "client/processing_ledger.hpp"
#include "client/runtime.hpp"
#include "core/boundary/core_config.hpp"
#include "handoff/handoff.hpp"
#include "handoff/primitives.hpp"
#include "reactor/clock.hpp"

namespace strandline::client {

using gate = access::basic_gate<handoff::primitives>;

class consumer_state : public std::enable_shared_from_this<consumer_state> {
public:
    // Everything that is wrong with the configuration at once; or a consumer whose reactor can be turned and has
    // touched no network. `clock` is the one its reactor is turned by, and outlives it.
    static result<std::shared_ptr<consumer_state>> create(const consumer_config& config,
                                                          const runtime_factory& make_runtime = make_threaded_runtime,
                                                          const reactor::clock& clock = system_clock());
    consumer_state(const consumer_config& given, core::boundary::core_config checked, const reactor::clock& clock);

    const consumer_config config;
    const core::boundary::core_config core;
    const reactor::clock& time;

    handoff::handoff meeting;
    gate door;
    const std::shared_ptr<decoding> how_to_decode;

    // Any thread.
    std::atomic<bool> close_requested{false};
    std::atomic<bool> closed{false};

    // Guarded by the door: who is inside.
    processing_ledger ledger;
    any_listener listener;
    bool subscribed = false;  // or assigned by hand: there is something to poll
    // Trouble that belongs to no call: what the consumer itself has raised, and what a callback changed and then
    // failed. A poll tells one of it, whichever call found it; close tells the rest.
    std::deque<error> untold;
    // What the reset policy decided; the next poll that returns shows it.
    std::vector<position_reset> resets;
    // Null when the consumer has closed. Destroyed before `meeting`.
    std::unique_ptr<runtime> running;
    // Shown what calls do, if anybody wants to look on. Set before the first call; outlives the consumer.
    call_probe* probe = nullptr;
};

}  // namespace strandline::client
