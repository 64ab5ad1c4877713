// Looks on while a core turns, for the simulator and for tests: it is shown values and changes nothing.
#pragma once

#include <cstdint>
#include <string>

#include "base/instant.hpp"
#include "core/exchange/fact.hpp"
#include "core/exchange/output.hpp"
#include "core/exchange/request.hpp"
#include "core/kernel/agenda.hpp"
#include "core/kernel/walked_steps.hpp"

namespace strandline::core {

struct turn_inputs;
struct decision;

// Parts of the kernel's contract that can be found broken.
enum class contract_clause : std::uint8_t {
    missing_edge,       // an answer read a view that it does not await
    runaway,            // a manager makes progress without end
    stray_fact,         // a fact followed from one that the table does not let it follow from
    foreign_write,      // state was changed while another manager was at work
    unversioned_write,  // state was changed without its version
    stale_answer,       // a manager that was not asked would answer otherwise than published
};
inline constexpr std::size_t contract_clauses = 6;

// What of each transition table was walked so far.
struct walked_tables {
    const kernel::walked_steps& member;
    const kernel::walked_steps& partitions;
    const kernel::walked_steps& connections;
    const kernel::walked_steps& close;
    const kernel::walked_steps& facts;
};

class turn_probe {
public:
    // Whether to compare every view after every manager in the turn to come; that costs time in proportion to what
    // is assigned.
    virtual bool wants_audit(std::uint64_t /*turn*/) { return true; }

    virtual void on_begun(std::uint64_t turn, const turn_inputs& inputs, base::instant now) = 0;
    // Before its owner hears of it.
    virtual void on_response(const exchange::response& response) = 0;
    // After its owner has heard of it. `holds`: the version it carries was the owner's; `changed`: the owner's view is
    // not what it was, known only in an audited turn.
    virtual void on_fact(std::uint64_t sequence, const exchange::fact& fact, bool holds, bool changed) = 0;
    virtual void on_answer(kernel::manager_index manager, const exchange::plan& answer) = 0;
    virtual void on_output(kernel::manager_index from, const exchange::output& output) = 0;
    virtual void on_broken(contract_clause clause, const std::string& what) = 0;
    virtual void on_walked(const walked_tables& /*so_far*/) {}
    // The last of a turn; its effects follow.
    virtual void on_decided(std::uint64_t turn, const decision& made) = 0;

protected:
    ~turn_probe() = default;
};

}  // namespace strandline::core
