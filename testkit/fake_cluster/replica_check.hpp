// Whether partitions can be placed on brokers as an administrator says.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "testkit/fake_cluster/cluster_state.hpp"

namespace strandline::testkit::fake {

// Why one partition's replicas cannot be these, in Kafka's words; nothing if they can.
inline std::optional<std::string> fault_of_replicas(const std::vector<protocol::broker_id>& replicas,
                                                    const cluster_state& cluster) {
    if (replicas.empty()) return "The manual partition assignment includes an empty replica list.";
    std::set<protocol::broker_id> seen;
    for (const auto id : replicas) {
        if (!cluster.brokers().contains(id)) {
            return fmt::format("The manual partition assignment includes broker {}, but no such broker is registered.",
                               id.value());
        }
        if (!seen.insert(id).second) {
            return fmt::format("The manual partition assignment includes the broker {} more than once.", id.value());
        }
    }
    return std::nullopt;
}

}  // namespace strandline::testkit::fake
