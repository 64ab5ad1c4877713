#include "core/group/consumer/assignment.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

namespace strandline::core::group::consumer {

namespace {

bool names(const assignment_by_id& assignment, const boundary::partition_identity& partition) {
    const auto topic = assignment.find(partition.topic_id);
    return topic != assignment.end() && std::binary_search(topic->second.begin(), topic->second.end(),
                                                           protocol::partition_index(partition.name.partition));
}

}  // namespace

bool owned_partitions::contains(const boundary::partition_ref& partition) const {
    const auto* const owned = owned_.find(partition->name, by_name);
    return owned && *owned == partition;
}

void owned_partitions::add(boundary::partition_ref partition) {
    const auto& name = partition->name;
    owned_.insert(name, std::move(partition), by_name);
}

assignment_by_id assignment_of(
    const std::vector<protocol::messages::consumer_group_heartbeat_response::topic_partitions_value>& told) {
    assignment_by_id assignment;
    for (const auto& topic : told) {
        for (const auto partition : topic.partitions) {
            if (partition.value() >= 0) assignment[topic.topic_id].push_back(partition);
        }
    }
    for (auto& [id, partitions] : assignment) {
        std::sort(partitions.begin(), partitions.end());
        partitions.erase(std::unique(partitions.begin(), partitions.end()), partitions.end());
    }
    return assignment;
}

assignment_by_id ids_of(const owned_partitions& owned) {
    // Sorted by name and number, so each topic's numbers come in order.
    assignment_by_id assignment;
    for (const auto& partition : owned) {
        assignment[partition->topic_id].push_back(protocol::partition_index(partition->name.partition));
    }
    return assignment;
}

partitions names_of(const owned_partitions& owned) {
    partitions names;
    names.reserve(owned.size());
    for (const auto& partition : owned) names.push_back(partition->name);
    return names;
}

partitions names_of(const std::vector<boundary::partition_ref>& which) {
    partitions names;
    names.reserve(which.size());
    for (const auto& partition : which) names.push_back(partition->name);
    return names;
}

assignment_difference difference(const owned_partitions& owned, const assignment_by_id& target,
                                 const exchange::cluster_view& cluster) {
    assignment_difference found;
    boundary::partition_ref_maker refs;
    // A topic that is owned has a name even if the cluster has forgotten it meanwhile.
    std::unordered_map<protocol::topic_id, const std::string*> owned_names;
    for (const auto& partition : owned) {
        owned_names.emplace(partition->topic_id, &partition->name.topic);
        if (!names(target, *partition)) found.leaving.push_back(partition);
    }
    for (const auto& [id, wanted] : target) {
        const auto known = owned_names.find(id);
        const auto* topic = known != owned_names.end() ? known->second : cluster.name_of(id);
        if (topic == nullptr) {
            found.unnamed.push_back(id);
            continue;
        }
        for (const auto partition : wanted) {
            topic_partition name{*topic, partition.value()};
            if (!owned.contains(name)) found.added.push_back(refs.make(std::move(name), id));
        }
    }
    return found;
}

}  // namespace strandline::core::group::consumer
