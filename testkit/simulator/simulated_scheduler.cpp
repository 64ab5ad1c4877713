#include "testkit/simulator/simulated_scheduler.hpp"

#include "testkit/simulator/allocation_countdown.hpp"

namespace strandline::testkit::sim {

void simulated_scheduler::add(base::instant when, entry what) {
    const uncounted_allocations ours;
    if (when == base::never) return;
    waiting_.try_emplace(++last_, std::move(what));
    queue_.at(when, *this, last_);
}

void simulated_scheduler::post(std::shared_ptr<work> what) noexcept {
    const uncounted_allocations ours;
    if (on_wake_) on_wake_();
    // As with threads: now and then the other one is faster.
    base::duration delay{};
    if (choice_.chance(25)) delay = choice_.between(base::duration(0), std::chrono::microseconds(200));
    add(queue_.now() + delay, {std::move(what), {}, false});
}

void simulated_scheduler::run_at(std::chrono::steady_clock::time_point when, std::shared_ptr<work> what) {
    cancel(*what);
    add(base::instant(when.time_since_epoch()), {std::move(what), {}, true});
}

void simulated_scheduler::run_at(base::instant when, std::function<void()> what) {
    add(when, {nullptr, std::move(what), true});
}

void simulated_scheduler::cancel(const work& what) noexcept {
    waiting_.erase_if([&](const auto& one) { return one.second.is_timer && one.second.what.get() == &what; });
}

std::size_t simulated_scheduler::timers() const noexcept {
    return static_cast<std::size_t>(
        std::count_if(waiting_.begin(), waiting_.end(), [](const auto& one) { return one.second.is_timer; }));
}

void simulated_scheduler::on_event(std::uint64_t what) {
    if (waiting_.find(what) == waiting_.end()) return;
    if (still_until_ > queue_.now()) return queue_.at(still_until_, *this, what);
    const auto next = waiting_.take(what);
    const auto& due = *next;
    try {
        if (due.action) return due.action();
        due.what->run();
    } catch (...) {
        if (!on_escape_) throw;
        on_escape_(std::current_exception());
    }
}

}  // namespace strandline::testkit::sim
