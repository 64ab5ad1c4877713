// Every checker, and what the documents ask for that has none yet.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "testkit/simulator/checkers/checker.hpp"

namespace strandline::testkit::sim {

std::vector<std::unique_ptr<checker>> make_all_checkers();

// One file each, by these names where they stand alone.
namespace checkers {

std::unique_ptr<checker> only_owners_write();                          // kernel_contract
std::unique_ptr<checker> unasked_managers_stand_by_their_answers();    // kernel_contract
std::unique_ptr<checker> turns_come_to_rest();                         // kernel_contract

}  // namespace checkers

// One line for each property that the documents name.
struct checked_property {
    std::string_view id;       // "V7", "R4", "P1"
    std::string_view checker;  // the id of the checker that looks for it; empty: none in the simulator
    std::string_view waits_for;  // why there is none, or what of it is looked for elsewhere; empty: nothing is missing
};
std::span<const checked_property> checked_properties() noexcept;

}  // namespace strandline::testkit::sim
