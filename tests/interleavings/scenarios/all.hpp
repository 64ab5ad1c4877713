// Every scenario of the meeting, for whoever runs them.
#pragma once

#include "tests/interleavings/scenarios/calls.hpp"
#include "tests/interleavings/scenarios/closing.hpp"
#include "tests/interleavings/scenarios/giving_back.hpp"
#include "tests/interleavings/scenarios/parking.hpp"

namespace strandline::interleavings {

template <class Kit>
std::vector<scenario<Kit>> all_scenarios() {
    std::vector<scenario<Kit>> all;
    for (const auto& some : {parking<Kit>(), calls<Kit>(), closing<Kit>(), giving_back<Kit>()}) {
        all.insert(all.end(), some.begin(), some.end());
    }
    return all;
}

}  // namespace strandline::interleavings
