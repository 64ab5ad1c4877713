// Functions to be run at an instant: for scripts and tests, not for what happens millions of times.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <utility>

#include "testkit/simulator/event_queue.hpp"

namespace strandline::testkit::sim {

class scheduled_actions final : public event_target {
public:
    explicit scheduled_actions(event_queue& queue) : queue_(queue) {}

    void at(base::instant when, std::function<void()> action) {
        if (when == base::never) return;
        waiting_.emplace(++last_, std::move(action));
        queue_.at(when, *this, last_);
    }

private:
    void on_event(std::uint64_t what) override {
        auto node = waiting_.extract(what);
        node.mapped()();
    }

    event_queue& queue_;
    std::map<std::uint64_t, std::function<void()>> waiting_;
    std::uint64_t last_ = 0;
};

}  // namespace strandline::testkit::sim
