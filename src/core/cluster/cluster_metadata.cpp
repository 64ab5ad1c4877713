#include "core/cluster/cluster_metadata.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <utility>

namespace strandline::core::cluster {

namespace {

using exchange::cluster_view;
using exchange::partition_leadership;
using exchange::topic_metadata;
using protocol::broker_error;
using protocol::messages::metadata_response;

constexpr std::size_t longest_host_name = 253;

// Leader and epoch belong together: an answer from before the last election changes neither. An epoch of -1 says
// nothing: it does not undo what is known, and whoever is said to lead then is believed.
bool take_leader(partition_leadership& known, const metadata_response::metadata_response_partition& told) {
    const bool epoch_told = told.leader_epoch != protocol::no_leader_epoch;
    if (epoch_told && told.leader_epoch < known.epoch) return false;
    const auto epoch = epoch_told ? told.leader_epoch : known.epoch;
    const auto leader = told.leader_id < protocol::broker_id(0) ? protocol::no_broker : told.leader_id;
    const bool changed = known.leader != leader || known.epoch != epoch;
    known.leader = leader;
    known.epoch = epoch;
    return changed;
}

// There are far fewer ways to spread copies over brokers than there may be partitions.
class copies_pool {
public:
    using shared_copies = std::shared_ptr<const exchange::partition_copies>;

    void take(shared_copies& known, const metadata_response::metadata_response_partition& told) {
        exchange::partition_copies copies{told.replica_nodes, told.isr_nodes, told.offline_replicas};
        const auto found = pool_.find(copies);
        if (found != pool_.end()) {
            known = found->second;
            return;
        }
        if (!known || *known != copies) known = std::make_shared<const exchange::partition_copies>(copies);
        pool_.emplace(std::move(copies), known);
    }

private:
    std::map<exchange::partition_copies, shared_copies> pool_;
};

// Kafka numbers partitions from zero without gaps and never takes one away: the number of entries bounds the indexes.
void merge_partitions(topic_metadata& known, const metadata_response::metadata_response_topic& told,
                      metadata_change& change) {
    copies_pool copies;
    const auto before = known.partitions.size();
    if (told.partitions.size() > before) known.partitions.resize(told.partitions.size());
    for (auto i = before; i < known.partitions.size(); ++i) {
        known.partitions[i].partition = protocol::partition_index(static_cast<std::int32_t>(i));
    }
    for (const auto& partition : told.partitions) {
        const auto index = partition.partition_index.value();
        if (index < 0 || static_cast<std::size_t>(index) >= known.partitions.size()) continue;
        auto& entry = known.partitions[static_cast<std::size_t>(index)];
        entry.failure = partition.error_code;
        copies.take(entry.copies, partition);
        if (take_leader(entry, partition) || static_cast<std::size_t>(index) >= before) {
            change.leadership.push_back({known.name, index});
        }
    }
    change.topics |= known.partitions.size() != before;
}

// The same name with another id is another topic: nothing of the old one holds. A first id belongs to what is known.
void take_id(cluster_view& cluster, topic_metadata& known, protocol::topic_id told, metadata_change& change) {
    if (told.is_zero() || told == known.id) return;
    for (const auto& partition : known.partitions)
        change.leadership.push_back({known.name, partition.partition.value()});
    if (!known.id.is_zero()) {
        cluster.names.erase(known.id);
        known.partitions.clear();
    }
    known.id = told;
    cluster.names[told] = known.name;
    change.topics = true;
}

void fail(topic_metadata& known, broker_error failure, metadata_change& change) {
    if (known.failure == failure && failure == broker_error::unknown_topic_or_partition) {
        // Said twice in a row, so it is not just one broker that is behind. Epochs are kept: the topic may come back.
        for (auto& partition : known.partitions) {
            if (partition.leader == protocol::no_broker) continue;
            partition.leader = protocol::no_broker;
            change.leadership.push_back({known.name, partition.partition.value()});
        }
    }
    change.topics |= std::exchange(known.failure, failure) != failure;
}

topic_metadata& entry_of(cluster_view& cluster, const std::string& name, metadata_change& change) {
    const auto [it, is_new] = cluster.topics.try_emplace(name);
    if (is_new) {
        it->second.name = name;
        change.topics = true;
    }
    return it->second;
}

}  // namespace

bool is_usable(const std::string& host, std::int32_t port) {
    return !host.empty() && host.size() <= longest_host_name && port > 0 &&
           port <= std::numeric_limits<std::uint16_t>::max();
}

std::map<protocol::broker_id, exchange::broker_address> usable_brokers(const metadata_response& answer) {
    std::map<protocol::broker_id, exchange::broker_address> brokers;
    for (const auto& broker : answer.brokers) {
        if (broker.node_id < protocol::broker_id(0) || !is_usable(broker.host, broker.port)) continue;
        brokers[broker.node_id] = {
            broker.node_id, {broker.host, static_cast<std::uint16_t>(broker.port)}, broker.rack.value_or("")};
    }
    return brokers;
}

void merge(cluster_view& cluster, const metadata_response::metadata_response_topic& topic, metadata_change& change) {
    if (!topic.name || topic.name->empty()) return;
    auto& known = entry_of(cluster, *topic.name, change);
    if (topic.error_code != broker_error::none) {
        fail(known, topic.error_code, change);
        return;
    }
    change.topics |= std::exchange(known.failure, broker_error::none) != broker_error::none;
    known.is_internal = topic.is_internal;
    take_id(cluster, known, topic.topic_id, change);
    merge_partitions(known, topic, change);
}

void mark_missing(cluster_view& cluster, const std::string& topic, metadata_change& change) {
    fail(entry_of(cluster, topic, change), broker_error::unknown_topic_or_partition, change);
}

void drop_topics(cluster_view& cluster, const std::function<bool(const std::string&)>& is_wanted,
                 metadata_change& change) {
    for (auto it = cluster.topics.begin(); it != cluster.topics.end();) {
        if (is_wanted(it->first)) {
            ++it;
            continue;
        }
        cluster.names.erase(it->second.id);
        it = cluster.topics.erase(it);
        change.topics = true;
    }
}

bool is_newer(const cluster_view& cluster, const exchange::leader_hint& hint) {
    const auto* const topic = cluster.find(hint.partition.topic);
    const auto* const partition = cluster.find(hint.partition.topic, hint.partition.partition);
    if (!partition || hint.leader < protocol::broker_id(0)) return false;
    const bool of_another_topic = !hint.topic_id.is_zero() && !topic->id.is_zero() && hint.topic_id != topic->id;
    return !of_another_topic && hint.epoch > partition->epoch;
}

void take_hint(cluster_view& cluster, const exchange::leader_hint& hint) {
    auto& partition =
        cluster.topics.at(hint.partition.topic).partitions.at(static_cast<std::size_t>(hint.partition.partition));
    partition.leader = hint.leader;
    partition.epoch = hint.epoch;
    partition.failure = broker_error::none;
    if (hint.address && is_usable(hint.address->host, hint.address->port)) {
        cluster.brokers[hint.leader] = {hint.leader, *hint.address, hint.rack};
    }
}

void forget_epochs(cluster_view& cluster) {
    cluster.names.clear();
    for (auto& [name, topic] : cluster.topics) {
        topic.id = {};
        for (auto& partition : topic.partitions) {
            partition.leader = protocol::no_broker;
            partition.epoch = protocol::no_leader_epoch;
        }
    }
}

}  // namespace strandline::core::cluster
