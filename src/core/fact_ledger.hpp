// Takes the facts that managers emit, hands them on in order, and notices any that the table does not allow.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/exchange/fact.hpp"
#include "core/fact_table.hpp"
#include "core/kernel/facts.hpp"

namespace strandline::core {

class fact_ledger final : public kernel::fact_sink<exchange::fact> {
public:
    void emit(exchange::fact fact) override {
        if (handling_ && !fact_table::allows(*handling_, fact.index())) {
            ++strays_;
            newest_stray_ = "a fact of kind " + std::to_string(fact.index()) + " followed from one of kind " +
                            std::to_string(*handling_) + ", which the table of facts does not know";
        }
        pending_.emit(std::move(fact));
    }

    template <class Handle>
    void drain(Handle&& handle) {
        pending_.drain([&](exchange::fact fact) {
            handling_ = fact.index();
            handle(std::move(fact));
        });
        handling_.reset();
    }

    // Zero, or a fault.
    std::uint64_t strays() const noexcept { return strays_; }
    const std::string& newest_stray() const noexcept { return newest_stray_; }

private:
    kernel::fact_queue<exchange::fact> pending_;
    std::optional<std::size_t> handling_;
    std::uint64_t strays_ = 0;
    std::string newest_stray_;
};

}  // namespace strandline::core
