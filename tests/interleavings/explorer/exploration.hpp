// Runs a scenario in every interleaving of its actors' steps.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "tests/interleavings/explorer/world.hpp"

namespace strandline::interleavings {

// What of the interleavings that differ only in the order of steps that do not conflict is left out; the lesser ones
// are there to check the full one.
enum class reduction {
    none,
    sleep_sets,  // does not finish what would repeat another
    full,        // does not begin it either, as far as that can be told
};

struct exploration_options {
    // An exploration that has not come to its end by then has failed: nothing is cut silently.
    std::size_t most_interleavings = 3'000'000;
    bool tails = false;      // see world::begin
    reduction how = reduction::full;
};

struct findings {
    fault found = fault::none;
    std::string words;
    std::vector<std::string> schedule;  // of the run that found it, a line for each step
    bool complete = false;              // there is no further interleaving
    std::size_t actors = 0;
    std::size_t interleavings = 0;  // runs of which none is another with independent steps exchanged
    std::size_t equivalent = 0;     // runs that turned out to be such, and were not followed
    std::size_t longest = 0;        // steps of the longest run

    std::string text() const;
};

// Prepares one run on a fresh world: makes what is shared, adds the actors. The answer is called once the run is over,
// and destroys what was shared when it is destroyed itself.
using prepare_run = std::function<std::function<void()>(world&)>;

// Dynamic partial-order reduction with source sets and sleep sets (Abdulla, Aronis, Jonsson, Sagonas, 2014): of the
// runs that differ only in the order of steps that do not conflict, one is followed. Stops at the first fault.
findings explore(const prepare_run& prepare, const exploration_options& how = {});

}  // namespace strandline::interleavings
