#include "tests/bench/null_broker/fetch_session.hpp"

namespace strandline::bench {

void fetch_session::update(const protocol::messages::fetch_request& request) {
    for (const auto& topic : request.forgotten_topics_data) {
        for (const auto partition : topic.partitions) forget(partition.value());
    }
    for (const auto& topic : request.topics) {
        for (const auto& asked : topic.partitions) {
            const wanted now{asked.partition.value(), asked.fetch_offset, asked.partition_max_bytes};
            const auto [place, added] = places_.try_emplace(now.partition, partitions_.size());
            if (added) {
                partitions_.push_back(now);
            } else {
                partitions_[place->second] = now;
            }
        }
    }
    if (first_ >= partitions_.size()) first_ = 0;
}

void fetch_session::forget(std::int32_t partition) {
    const auto found = places_.find(partition);
    if (found == places_.end()) return;
    const auto place = found->second;
    places_.erase(found);
    if (place + 1 != partitions_.size()) {
        partitions_[place] = partitions_.back();
        places_[partitions_[place].partition] = place;
    }
    partitions_.pop_back();
}

}  // namespace strandline::bench
