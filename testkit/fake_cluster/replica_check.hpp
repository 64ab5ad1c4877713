// Whether partitions can be placed on brokers as an administrator says.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "testkit/fake_cluster/cluster_state.hpp"

namespace strandline::testkit::fake {

// Why one partition's replicas cannot be these, in Kafka's words; nothing if they can.
inline std::optional<std::string> fault_of_replicas(const std::vector<protocol::broker_id>& replicas,
                                                    const cluster_state& cluster) {
    const std::string begin = "The manual partition assignment includes ";
    if (replicas.empty()) return begin + "an empty replica list.";
    std::set<protocol::broker_id> seen;
    for (const auto id : replicas) {
        const auto number = std::to_string(id.value());
        if (!cluster.brokers().contains(id)) return begin + "broker " + number + ", but no such broker is registered.";
        if (!seen.insert(id).second) return begin + "the broker " + number + " more than once.";
    }
    return std::nullopt;
}

}  // namespace strandline::testkit::fake
