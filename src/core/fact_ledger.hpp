// Takes the facts that managers emit, hands them on in order, and notices any that the table does not allow.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/exchange/fact.hpp"
#include "core/fact_table.hpp"
#include "core/kernel/facts.hpp"
#include "core/kernel/walked_steps.hpp"

namespace strandline::core {

class fact_ledger final : public kernel::fact_sink<exchange::fact> {
public:
    void emit(exchange::fact fact) override {
        if (handling_ && !fact_table::allows(*handling_, fact.index())) {
            ++strays_;
            newest_stray_ = "a fact of kind " + std::to_string(fact.index()) + " followed from one of kind " +
                            std::to_string(*handling_) + ", which the table of facts does not know";
        }
        if (handling_) walked_.note(*handling_, fact.index());
        pending_.emit({++emitted_, std::move(fact)});
    }

    template <class Handle>
    void drain(Handle&& handle) {
        pending_.drain([&](numbered next) {
            handling_ = next.what.index();
            handled_ = next.number;
            handle(std::move(next.what));
        });
        handling_.reset();
    }

    // The number of the fact that was handled last; they are numbered as they were emitted.
    std::uint64_t handled() const noexcept { return handled_; }
    // Which kind followed from which.
    const kernel::walked_steps& walked() const noexcept { return walked_; }
    // Zero, or a fault.
    std::uint64_t strays() const noexcept { return strays_; }
    const std::string& newest_stray() const noexcept { return newest_stray_; }

private:
    static_assert(fact_table::kinds <= kernel::walked_steps::states_at_most);
    struct numbered {
        std::uint64_t number;
        exchange::fact what;
    };
    kernel::fact_queue<numbered> pending_;
    std::optional<std::size_t> handling_;
    std::uint64_t emitted_ = 0;
    std::uint64_t handled_ = 0;
    std::uint64_t strays_ = 0;
    kernel::walked_steps walked_;
    std::string newest_stray_;
};

}  // namespace strandline::core
