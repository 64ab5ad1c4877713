#include "testkit/fake_cluster/server_assignor.hpp"

#include <algorithm>
#include <vector>

namespace strandline::testkit::fake {

namespace {

std::map<std::string, std::vector<std::string>> subscribers_of(const member_topics& members) {
    std::map<std::string, std::vector<std::string>> subscribers;
    for (const auto& [member, topics] : members) {
        for (const auto& topic : topics) subscribers[topic].push_back(member);
    }
    return subscribers;
}

}  // namespace

std::map<std::string, partition_set> assign_uniformly(const member_topics& members, cluster_state& cluster,
                                                      const std::map<std::string, partition_set>& before) {
    std::map<std::string, partition_set> target;
    for (const auto& [member, topics] : members) target[member];
    if (members.empty()) return target;

    std::size_t total = 0;
    const auto subscribers = subscribers_of(members);
    for (const auto& [name, who] : subscribers) total += cluster.find_topic(name)->partitions.size();
    const auto share = total / members.size();
    auto larger_shares = total % members.size();
    const auto has_room = [&](const std::string& member) {
        const auto size = target[member].size();
        return size < share || (size == share && larger_shares > 0);
    };
    const auto give = [&](const std::string& member, const group_partition& partition) {
        if (target[member].size() == share) --larger_shares;
        target[member].insert(partition);
    };

    std::vector<std::pair<group_partition, const std::vector<std::string>*>> homeless;
    for (const auto& [name, who] : subscribers) {
        const auto& topic = *cluster.find_topic(name);
        for (std::size_t i = 0; i < topic.partitions.size(); ++i) {
            const group_partition partition{topic.id, static_cast<std::int32_t>(i)};
            const auto keeper = std::find_if(who.begin(), who.end(), [&](const std::string& member) {
                const auto had = before.find(member);
                return had != before.end() && had->second.contains(partition) && has_room(member);
            });
            if (keeper != who.end()) {
                give(*keeper, partition);
            } else {
                homeless.emplace_back(partition, &who);
            }
        }
    }
    for (const auto& [partition, who] : homeless) {
        // Members may differ in what they subscribe to, so an equal share is not always to be had.
        const auto poorest = std::min_element(who->begin(), who->end(), [&](const auto& a, const auto& b) {
            return target[a].size() < target[b].size();
        });
        give(*poorest, partition);
    }
    return target;
}

std::map<std::string, partition_set> assign_ranges(const member_topics& members, cluster_state& cluster) {
    std::map<std::string, partition_set> target;
    for (const auto& [member, topics] : members) target[member];
    for (const auto& [name, who] : subscribers_of(members)) {
        const auto& topic = *cluster.find_topic(name);
        const auto each = topic.partitions.size() / who.size();
        auto extra = topic.partitions.size() % who.size();
        std::size_t next = 0;
        for (const auto& member : who) {
            auto size = each;
            if (extra > 0) {
                ++size;
                --extra;
            }
            for (std::size_t i = 0; i < size; ++i) target[member].insert({topic.id, static_cast<std::int32_t>(next++)});
        }
    }
    return target;
}

}  // namespace strandline::testkit::fake
