// What a checker remembers of each consumer.
#pragma once

#include <map>

#include "testkit/simulator/checkers/observation.hpp"

namespace strandline::testkit::sim {

// In the order of their numbers, so that complaints come in the same order in every run.
template <class State>
class by_consumer {
public:
    State& operator[](consumer_id who) {
        // What is seen of one consumer comes in long rows.
        if (!newest_ || newest_->first != who) newest_ = &*states_.try_emplace(who).first;
        return newest_->second;
    }
    // It crashed or is gone: what was remembered of it means nothing any more.
    void forget(consumer_id who) {
        newest_ = nullptr;
        states_.erase(who);
    }
    auto begin() noexcept { return states_.begin(); }
    auto end() noexcept { return states_.end(); }

private:
    std::map<consumer_id, State> states_;
    typename std::map<consumer_id, State>::value_type* newest_ = nullptr;
};

}  // namespace strandline::testkit::sim
