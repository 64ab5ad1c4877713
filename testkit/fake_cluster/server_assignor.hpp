// How the coordinator spreads partitions over members: Kafka's uniform and range assignors.
#pragma once

#include <map>
#include <set>
#include <string>

#include "testkit/fake_cluster/cluster_state.hpp"
#include "testkit/fake_cluster/consumer_groups.hpp"

namespace strandline::testkit::fake {

// What each member subscribes to, of topics that exist.
using member_topics = std::map<std::string, std::set<std::string>>;

// Equal shares; whoever has a partition keeps it as long as its share allows.
std::map<std::string, partition_set> assign_uniformly(const member_topics& members, cluster_state& cluster,
                                                      const std::map<std::string, partition_set>& before);
// Of each topic a contiguous range for each subscriber, in the order of their ids.
std::map<std::string, partition_set> assign_ranges(const member_topics& members, cluster_state& cluster);

}  // namespace strandline::testkit::fake
