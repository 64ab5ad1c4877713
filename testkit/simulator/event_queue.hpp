// What happens when, in virtual time: the only order there is in a simulation.
#pragma once

#include <cstdint>
#include <vector>

#include "base/instant.hpp"

namespace strandline::testkit::sim {

// Whom an event is for. It lives as long as the queue, or sees to it that no event of its is left.
class event_target {
public:
    // `what` is the target's own name for it.
    virtual void on_event(std::uint64_t what) = 0;

protected:
    ~event_target() = default;
};

// Time stands still while an event runs and jumps to the next one after it. Events of one instant run in the order in
// which they were asked for, so a run depends on nothing else.
class event_queue {
public:
    explicit event_queue(base::instant start) : now_(start) {}

    base::instant now() const noexcept { return now_; }
    // Not before now; never: not at all.
    void at(base::instant when, event_target& whom, std::uint64_t what);

    // Runs the next event if it is not later than `limit`; false: there is none, and the time is `limit`.
    bool step(base::instant limit);

    std::uint64_t events() const noexcept { return events_; }
    // Events since the time last moved: whoever drives sees by it that something does not come to rest.
    std::uint64_t events_of_this_instant() const noexcept { return events_of_instant_; }

private:
    struct entry {
        base::instant when;
        std::uint64_t order;
        event_target* whom;
        std::uint64_t what;
    };
    static bool is_later(const entry& a, const entry& b) noexcept {
        return a.when != b.when ? a.when > b.when : a.order > b.order;
    }

    base::instant now_;
    std::vector<entry> heap_;
    std::uint64_t order_ = 0;
    std::uint64_t events_ = 0;
    std::uint64_t events_of_instant_ = 0;
};

}  // namespace strandline::testkit::sim
