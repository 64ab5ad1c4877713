// What the kernel finds broken by itself, and what an audit of it finds: only its owner changed a manager's state, and
// whoever was not asked would have answered as published.
#include <memory>

#include "testkit/simulator/checkers/all_checkers.hpp"

namespace strandline::testkit::sim::checkers {

namespace {

using clause = observed::contract_broken::clause;

class kernel_contract final : public checker {
public:
    kernel_contract(std::string_view id, std::string_view name, bool (*concerns)(clause)) noexcept
        : checker(id, name, happenings_of<observed::contract_broken>()), concerns_(concerns) {}

    void on(const observation& seen, const truth&) override {
        const auto& broken = std::get<observed::contract_broken>(seen.what);
        if (concerns_(broken.which)) complain(seen.at, seen.consumer, {}, broken.what);
    }

private:
    bool (*concerns_)(clause);
};

bool is_about_owners(clause one) { return one == clause::foreign_write || one == clause::unversioned_write; }
bool is_about_edges(clause one) { return one == clause::missing_edge || one == clause::stale_answer; }
bool is_about_order(clause one) { return one == clause::stray_fact || one == clause::runaway; }

}  // namespace

std::unique_ptr<checker> only_owners_write() {
    return std::make_unique<kernel_contract>("P1", "only its owner changes a manager's state, and never unversioned",
                                             &is_about_owners);
}

std::unique_ptr<checker> unasked_managers_stand_by_their_answers() {
    return std::make_unique<kernel_contract>(
        "P5", "a manager that was not asked would, if asked, have answered as published", &is_about_edges);
}

std::unique_ptr<checker> turns_come_to_rest() {
    return std::make_unique<kernel_contract>(
        "P3", "facts follow each other only as declared, and every turn comes to rest", &is_about_order);
}

}  // namespace strandline::testkit::sim::checkers
