// Who is asked for a plan in this turn, and what everyone waits for afterwards. The same for every kind of consumer.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/kernel/plan.hpp"
#include "core/kernel/view.hpp"

namespace strandline::core::kernel {

// Position in the declared order: lower ones are asked first.
using manager_index = std::uint8_t;

// What a manager's last answer waits for.
struct waiting {
    manager_index manager = 0;
    await_set inputs{awaited::command()};
    reason why;
    base::instant since;
};

class agenda {
public:
    // A manager that reports progress this often in one turn is cut off and asked again a millisecond later. It is a
    // fault in the manager, counted, and never a spin.
    static constexpr int progress_limit = 4096;

    agenda(manager_index managers, view_log& views);

    // An input arrived for this manager.
    void touch(manager_index manager) noexcept { touched_ |= bit(manager); }
    void touch_all() noexcept { touched_ = (std::uint32_t{1} << waits_.size()) - 1; }

    // Asks every manager that was touched, whose time has come or whose views changed, until all wait. `ask(manager)`
    // returns a plan; `deliver(manager, output)` takes what it put out.
    template <class Ask, class Deliver>
    void run(base::instant now, Ask&& ask, Deliver&& deliver) {
        begin(now);
        while (const auto next = next_to_ask()) {
            static_cast<void>(views_->take_read());
            auto answer = ask(next->manager);
            if (answer.is_progress()) {
                const auto manager = next->manager;
                for (auto& output : std::move(answer).take_outputs()) deliver(manager, std::move(output));
                if (++progress_ > progress_limit) cut_off(manager, now);
            } else {
                settle(next->manager, answer.wait(), answer.why(), now);
            }
        }
    }

    park_bound bound() const noexcept;
    std::span<const waiting> waits() const noexcept { return waits_; }
    bool awaits_space() const noexcept;
    // Answers that read a view they did not await, and managers that were cut off: zero, or a fault. Tests insist on
    // it.
    std::uint64_t missing_edges() const noexcept { return missing_edges_; }
    std::uint64_t runaways() const noexcept { return runaways_; }
    // The newest of them in words: which manager, which views by their bits.
    const std::string& newest_fault() const noexcept { return newest_fault_; }

private:
    struct candidate {
        manager_index manager;
    };
    static std::uint32_t bit(manager_index manager) noexcept { return std::uint32_t{1} << manager; }
    void begin(base::instant now);
    std::optional<candidate> next_to_ask();
    void settle(manager_index manager, const await_set& inputs, reason why, base::instant now);
    void cut_off(manager_index manager, base::instant now);

    view_log* views_;
    std::vector<waiting> waits_;
    std::uint32_t touched_ = 0;
    int progress_ = 0;
    std::uint64_t missing_edges_ = 0;
    std::uint64_t runaways_ = 0;
    std::string newest_fault_;
};

}  // namespace strandline::core::kernel
