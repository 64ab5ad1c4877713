#include "testkit/simulator/checkers/all_checkers.hpp"

namespace strandline::testkit::sim {

std::vector<std::unique_ptr<checker>> make_all_checkers() {
    std::vector<std::unique_ptr<checker>> all;
    all.push_back(checkers::only_owners_write());
    all.push_back(checkers::unasked_managers_stand_by_their_answers());
    all.push_back(checkers::turns_come_to_rest());
    return all;
}

}  // namespace strandline::testkit::sim
