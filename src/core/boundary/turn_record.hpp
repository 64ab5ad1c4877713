// What one turn was about: what came in, who answered what, what went out. Of fixed size, so that noting it allocates
// nothing; what does not fit is counted.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/instant.hpp"
#include "core/kernel/agenda.hpp"
#include "protocol/api_key.hpp"
#include "protocol/ids.hpp"

namespace strandline::core::boundary {

template <class Item, std::size_t Capacity>
struct bounded_list {
    std::array<Item, Capacity> items{};
    std::uint16_t count = 0;  // may exceed the capacity: the first ones are kept

    void add(const Item& item) noexcept {
        if (count < Capacity) items[count] = item;
        if (count < UINT16_MAX) ++count;
    }
    std::size_t kept() const noexcept { return count < Capacity ? count : Capacity; }
    const Item* begin() const noexcept { return items.data(); }
    const Item* end() const noexcept { return items.data() + kept(); }
};

struct turn_record {
    struct arrived_answer {
        kernel::manager_index owner = 0;
        bool failed = false;
        std::uint64_t request = 0;
        protocol::broker_id broker = protocol::no_broker;
        base::duration took{};
    };
    struct sent_request {
        std::uint64_t request = 0;
        protocol::api_key api{};
        protocol::broker_id broker = protocol::no_broker;
    };
    // One manager's answers in this turn: how often it had something to put out, and what it waits for since.
    struct answered {
        bool asked = false;
        std::uint16_t progress = 0;
        kernel::reason why;
    };
    static constexpr std::size_t managers = 12;

    std::uint64_t number = 0;  // the decision's version; 0: none
    base::instant at;

    // ---- in
    bounded_list<std::uint8_t, 4> commands;  // kinds, as positions in boundary::any_command
    bounded_list<arrived_answer, 4> answers;
    std::uint16_t network_events = 0;
    std::uint16_t fences = 0;
    std::uint16_t drained = 0;
    bool checkpoint = false;

    // ---- who answered what
    std::array<answered, managers> answered_by{};

    // ---- out
    bounded_list<sent_request, 4> requests;
    std::uint16_t connections = 0;  // to be opened
    std::uint16_t completions = 0;
    std::uint16_t notices = 0;
    std::uint16_t fetches = 0;  // completed ones, for the application
};

}  // namespace strandline::core::boundary
