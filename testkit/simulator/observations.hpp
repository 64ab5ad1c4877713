// Gives observations their time and sends them where they are wanted.
#pragma once

#include <utility>
#include <vector>

#include "testkit/simulator/checkers/observation.hpp"
#include "testkit/simulator/event_queue.hpp"

namespace strandline::testkit::sim {

class observations final : public observer {
public:
    explicit observations(const event_queue& queue) : queue_(queue) {}

    void report_to(observer& whom) { observers_.push_back(&whom); }
    bool anybody() const noexcept { return !observers_.empty(); }

    // `what` is a happening, or one kind of it: made in its place, it is told a million times a second.
    template <class What>
    void tell(What&& what) {
        tell(nobody, std::forward<What>(what));
    }
    template <class What>
    void tell(consumer_id who, What&& what) {
        on({queue_.now(), who, std::forward<What>(what)});
    }
    void on(const observation& seen) override {
        for (auto* const one : observers_) one->on(seen);
    }

private:
    const event_queue& queue_;
    std::vector<observer*> observers_;
};

}  // namespace strandline::testkit::sim
