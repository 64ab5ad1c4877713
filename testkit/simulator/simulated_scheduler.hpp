// Resumes the coroutines of a simulated application, in virtual time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <utility>

#include <strandline/coroutine_scheduler.hpp>

#include "testkit/simulator/checkers/few.hpp"
#include "testkit/simulator/event_queue.hpp"
#include "testkit/simulator/seeded_choice.hpp"

namespace strandline::testkit::sim {

// One per application. What it holds when the application crashes is forgotten.
class simulated_scheduler final : public coroutine_scheduler, public event_target {
public:
    simulated_scheduler(event_queue& queue, seeded_choice choice) : queue_(queue), choice_(std::move(choice)) {}

    void post(std::shared_ptr<work> what) noexcept override;
    void run_at(std::chrono::steady_clock::time_point when, std::shared_ptr<work> what) override;
    void cancel(const work& what) noexcept override;

    // The same for the application's own waits.
    void run_at(base::instant when, std::function<void()> what);

    void forget_everything() { waiting_.clear(); }
    void stand_still(base::instant until) { still_until_ = std::max(still_until_, until); }
    // Whenever a piece is posted: somebody's wait is over, though it may take a moment until it runs.
    void on_wake(std::function<void()> look) { on_wake_ = std::move(look); }
    // What escaped from the pieces that were run.
    void on_escape(std::function<void(std::exception_ptr)> look) { on_escape_ = std::move(look); }
    std::size_t timers() const noexcept;

private:
    struct entry {
        std::shared_ptr<work> what;
        std::function<void()> action;
        bool is_timer = false;
    };
    void on_event(std::uint64_t what) override;
    void add(base::instant when, entry what);

    event_queue& queue_;
    seeded_choice choice_;
    base::instant still_until_{};
    few<std::uint64_t, entry> waiting_;
    std::uint64_t last_ = 0;
    std::function<void()> on_wake_;
    std::function<void(std::exception_ptr)> on_escape_;
};

}  // namespace strandline::testkit::sim
