// Gives observations their time and sends them where they are wanted.
#pragma once

#include <utility>
#include <vector>

#include "testkit/simulator/event_queue.hpp"
#include "testkit/simulator/observation.hpp"

namespace strandline::testkit::sim {

class observations final : public observer {
public:
    explicit observations(const event_queue& queue) : queue_(queue) {}

    void report_to(observer& whom) { observers_.push_back(&whom); }
    bool anybody() const noexcept { return !observers_.empty(); }

    void tell(happening what) { tell(nobody, std::move(what)); }
    void tell(consumer_id who, happening what) { on({queue_.now(), who, std::move(what)}); }
    void on(const observation& seen) override {
        for (auto* const one : observers_) one->on(seen);
    }

private:
    const event_queue& queue_;
    std::vector<observer*> observers_;
};

}  // namespace strandline::testkit::sim
