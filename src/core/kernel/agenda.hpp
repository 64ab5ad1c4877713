// Who is asked for a plan in this turn, and what everyone waits for afterwards. The same for every kind of consumer.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/kernel/plan.hpp"
#include "core/kernel/view.hpp"

namespace strandline::core::kernel {

// What a manager's last answer waits for.
struct waiting {
    manager_index manager = 0;
    await_set inputs{awaited::command()};
    reason why;
    base::instant since;
};

class agenda {
public:
    // Whoever answers this often in one turn, be it with progress or because views keep changing, is cut off and asked
    // again a millisecond later. It is a fault in a manager, counted, and never a spin.
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
        ask_all(now, ask, deliver);
        if (is_audited_) audit(now, ask, deliver);
    }

    // From now on those who were not asked in a turn are asked at its end as well, and have to answer what is published
    // already: or something happened to them of which they were not told.
    void set_audited(bool audited) noexcept { is_audited_ = audited; }

    park_bound bound() const noexcept;
    std::span<const waiting> waits() const noexcept { return waits_; }
    bool awaits(input_kind kind) const noexcept;
    // Answers that read a view they did not await, and managers that were cut off: zero, or a fault. Tests insist on
    // it.
    std::uint64_t missing_edges() const noexcept { return missing_edges_; }
    std::uint64_t runaways() const noexcept { return runaways_; }
    // Managers that answered otherwise when nothing had happened to them.
    std::uint64_t stale_answers() const noexcept { return stale_answers_; }
    // The newest of them in words: which manager, which views by their bits.
    const std::string& newest_fault() const noexcept { return newest_fault_; }

private:
    struct candidate {
        manager_index manager;
    };
    static std::uint32_t bit(manager_index manager) noexcept { return std::uint32_t{1} << manager; }
    template <class Ask, class Deliver>
    void ask_all(base::instant now, Ask& ask, Deliver& deliver) {
        while (const auto next = next_to_ask()) {
            auto answer = put_question(next->manager, ask);
            if (answer.is_progress()) {
                take(next->manager, std::move(answer), now, deliver);
            } else {
                settle(next->manager, answer.wait(), answer.why(), now);
                // Two that change what the other awaits would ask each other for ever.
                if (++settled_ > progress_limit) cut_off(next->manager, now);
            }
        }
    }
    template <class Ask, class Deliver>
    void audit(base::instant now, Ask& ask, Deliver& deliver) {
        const auto managers = static_cast<manager_index>(waits_.size());
        for (manager_index manager = 0; manager < managers; ++manager) {
            if (asked_ & bit(manager)) continue;
            auto answer = put_question(manager, ask);
            if (answer.is_progress()) {
                note_stale(manager, "would put something out");
                touch(manager);
                take(manager, std::move(answer), now, deliver);
                ask_all(now, ask, deliver);
            } else {
                compare(manager, answer.wait(), answer.why(), now);
            }
        }
    }
    template <class Ask>
    auto put_question(manager_index manager, Ask& ask) {
        static_cast<void>(views_->take_read());
        asked_ |= bit(manager);
        views_->enter(manager);
        auto answer = ask(manager);
        views_->leave();
        return answer;
    }
    template <class Answer, class Deliver>
    void take(manager_index manager, Answer answer, base::instant now, Deliver& deliver) {
        for (auto& output : std::move(answer).take_outputs()) deliver(manager, std::move(output));
        if (++progress_ > progress_limit) cut_off(manager, now);
    }
    void begin(base::instant now);
    std::optional<candidate> next_to_ask();
    void settle(manager_index manager, const await_set& inputs, reason why, base::instant now);
    void compare(manager_index manager, const await_set& inputs, reason why, base::instant now);
    void note_stale(manager_index manager, const char* what);
    void cut_off(manager_index manager, base::instant now);

    view_log* views_;
    std::vector<waiting> waits_;
    std::uint32_t touched_ = 0;
    std::uint32_t asked_ = 0;  // in this turn
    int progress_ = 0;
    int settled_ = 0;
    bool is_audited_ = false;
    std::uint64_t missing_edges_ = 0;
    std::uint64_t runaways_ = 0;
    std::uint64_t stale_answers_ = 0;
    std::string newest_fault_;
};

}  // namespace strandline::core::kernel
