#include "testkit/simulator/event_queue.hpp"

#include <algorithm>

namespace strandline::testkit::sim {

void event_queue::at(base::instant when, event_target& whom, std::uint64_t what) {
    if (when == base::never) return;
    heap_.push_back({std::max(when, now_), ++order_, &whom, what});
    std::push_heap(heap_.begin(), heap_.end(), is_later);
}

bool event_queue::step(base::instant limit) {
    if (heap_.empty() || heap_.front().when > limit) {
        if (limit != base::never && limit > now_) {
            now_ = limit;
            events_of_instant_ = 0;
        }
        return false;
    }
    std::pop_heap(heap_.begin(), heap_.end(), is_later);
    const auto next = heap_.back();
    heap_.pop_back();
    if (next.when > now_) {
        now_ = next.when;
        events_of_instant_ = 0;
    }
    ++events_;
    ++events_of_instant_;
    next.whom->on_event(next.what);
    return true;
}

}  // namespace strandline::testkit::sim
