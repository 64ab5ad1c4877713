#include "testkit/fake_cluster/cluster_state.hpp"

#include <algorithm>

namespace strandline::testkit::fake {

partition_state* topic_state::find(std::int32_t partition) {
    if (partition < 0 || static_cast<std::size_t>(partition) >= partitions.size()) return nullptr;
    return partitions[static_cast<std::size_t>(partition)].get();
}

broker_state& cluster_state::add_broker(protocol::broker_id id, std::string rack) {
    ++version_;
    auto& made = brokers_[id];
    made.id = id;
    made.rack = std::move(rack);
    return made;
}

broker_state* cluster_state::find_broker(protocol::broker_id id) {
    const auto found = brokers_.find(id);
    return found == brokers_.end() ? nullptr : &found->second;
}

protocol::broker_id cluster_state::controller() const {
    for (const auto& [id, broker] : brokers_) {
        if (broker.running) return id;
    }
    return protocol::no_broker;
}

void cluster_state::set_running(protocol::broker_id id, bool running) {
    auto* broker = find_broker(id);
    if (!broker || broker->running == running) return;
    broker->running = running;
    ++version_;
    for (auto& [name, topic] : topics_) {
        for (auto& partition : topic.partitions) {
            const bool leads = partition->leader == id;
            const bool leaderless = partition->leader == protocol::no_broker;
            if (!running && leads) {
                const auto next = std::find_if(partition->replicas.begin(), partition->replicas.end(),
                                               [&](protocol::broker_id replica) { return brokers_[replica].running; });
                elect(*partition, next == partition->replicas.end() ? protocol::no_broker : *next);
            } else if (running && leaderless &&
                       std::count(partition->replicas.begin(), partition->replicas.end(), id)) {
                elect(*partition, id);
            }
        }
    }
}

topic_state& cluster_state::create_topic(const std::string& name, std::int32_t partitions, std::int16_t replication) {
    auto& topic = topics_[name];
    topic.name = name;
    topic.id = base::uuid::random(random_);
    topic.is_internal = name.starts_with("__");
    by_id_[topic.id] = &topic;
    add_partitions(topic, partitions, replication);
    return topic;
}

void cluster_state::add_partitions(topic_state& topic, std::int32_t total, std::int16_t replication) {
    ++version_;
    std::vector<protocol::broker_id> running;
    for (const auto& [id, broker] : brokers_) {
        if (broker.running) running.push_back(id);
    }
    while (static_cast<std::int32_t>(topic.partitions.size()) < total) {
        auto made = std::make_unique<partition_state>(&log_changes_);
        const auto copies = std::min(running.size(), static_cast<std::size_t>(std::max<std::int16_t>(replication, 1)));
        for (std::size_t i = 0; i < copies; ++i) made->replicas.push_back(running[(next_leader_ + i) % running.size()]);
        ++next_leader_;
        made->leader = made->replicas.empty() ? protocol::no_broker : made->replicas.front();
        topic.partitions.push_back(std::move(made));
    }
}

bool cluster_state::delete_topic(const std::string& name) {
    const auto found = topics_.find(name);
    if (found == topics_.end()) return false;
    ++version_;
    by_id_.erase(found->second.id);
    topics_.erase(found);
    return true;
}

topic_state* cluster_state::find_topic(const std::string& name) {
    const auto found = topics_.find(name);
    return found == topics_.end() ? nullptr : &found->second;
}

topic_state* cluster_state::find_topic(protocol::topic_id id) {
    const auto found = by_id_.find(id);
    return found == by_id_.end() ? nullptr : found->second;
}

void cluster_state::place(partition_state& partition, const std::vector<protocol::broker_id>& replicas) {
    ++version_;
    partition.replicas = replicas;
    const auto leads =
        std::find_if(replicas.begin(), replicas.end(), [&](protocol::broker_id id) { return brokers_[id].running; });
    partition.leader = leads == replicas.end() ? protocol::no_broker : *leads;
}

std::optional<std::string> cluster_state::group_config(const std::string& group, const std::string& name) const {
    const auto configs = group_configs_.find(group);
    if (configs == group_configs_.end()) return std::nullopt;
    const auto found = configs->second.find(name);
    return found == configs->second.end() ? std::nullopt : std::optional(found->second);
}

void cluster_state::elect(partition_state& partition, protocol::broker_id leader) {
    ++version_;
    partition.leader = leader;
    ++partition.leader_epoch;
    if (leader != protocol::no_broker) partition.log.begin_epoch(partition.leader_epoch);
}

}  // namespace strandline::testkit::fake
