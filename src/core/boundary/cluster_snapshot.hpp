// What the cluster says against the topics that are wanted, for explanations. Shared by snapshots until it changes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "protocol/broker_error.hpp"

namespace strandline::core::boundary {

struct topic_trouble {
    std::string topic;
    protocol::broker_error why{};  // none: the topic is there, this partition of it is not
    std::int32_t partition = -1;
    std::int32_t partitions = 0;  // how many the topic has
    friend bool operator==(const topic_trouble&, const topic_trouble&) = default;
};

struct cluster_snapshot {
    std::vector<topic_trouble> troubles;
    std::size_t unnamed_topics = 0;  // assigned by the group, and the cluster does not know them by their ids
    friend bool operator==(const cluster_snapshot&, const cluster_snapshot&) = default;
};

}  // namespace strandline::core::boundary
