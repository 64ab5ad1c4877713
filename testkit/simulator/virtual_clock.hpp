// Time of a simulation: moves only when the event queue moves it. Wall clocks may be set.
#pragma once

#include "base/instant.hpp"
#include "reactor/ports.hpp"
#include "testkit/simulator/event_queue.hpp"

namespace strandline::testkit::sim {

// Simulations begin here: long after the zero of the monotonic clock, on a Thursday.
inline constexpr base::instant first_instant{std::chrono::hours(1000)};
inline constexpr base::wall_time first_wall_time{std::chrono::milliseconds(1'767'225'600'000)};

// One for the cluster and one for each process: they tell the same monotonic time, and a wall time each.
class virtual_clock final : public reactor::clock {
public:
    explicit virtual_clock(const event_queue& queue) : queue_(queue) {}

    base::instant now() const override { return queue_.now(); }
    base::wall_time wall() const override {
        return first_wall_time + jumped_ + std::chrono::floor<std::chrono::milliseconds>(now() - first_instant);
    }
    void jump_wall(base::duration by) { jumped_ += std::chrono::floor<std::chrono::milliseconds>(by); }

private:
    const event_queue& queue_;
    std::chrono::milliseconds jumped_{0};
};

}  // namespace strandline::testkit::sim
