// Looks on while calls are driven, for the simulator and for tests: it is shown values and changes nothing.
#pragma once

#include <cstdint>
#include <vector>

#include "core/boundary/identity.hpp"
#include "handoff/poll_offer.hpp"

namespace strandline::client {

struct wanted_callback;

class call_probe {
public:
    enum class resumed : std::uint8_t { visible, ended, deadline };

    // A poll looked, and what it found.
    virtual void on_looked(handoff::poll_offer::kind found) = 0;
    // A call that somebody awaits waits: it has seen this version of what is visible.
    virtual void on_waits(std::uint64_t seen) = 0;
    // That wait is over; the version by now.
    virtual void on_resumed(resumed why, std::uint64_t version) = 0;
    // These are what the poll returns.
    virtual void on_returning(const std::vector<handoff::fetched_piece>& pieces) = 0;
    // These hold nothing that an application sees: they are behind it, and the poll goes on.
    virtual void on_passed_over(const std::vector<handoff::fetched_piece>& pieces) = 0;
    // A rebalance callback runs from here to its acknowledgement; one that nobody listens to is acknowledged at once.
    virtual void on_callback_begins(core::boundary::callback_id id, const wanted_callback& what) = 0;
    virtual void on_callback_ended(core::boundary::callback_id id, bool failed) = 0;

protected:
    ~call_probe() = default;
};

}  // namespace strandline::client
