// How a Metadata answer, or a leader told along with an error, changes what we know of the cluster.
// What brokers say is checked before it is believed; an answer that is partly bad changes only what its good parts say.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <strandline/topic_partition.hpp>

#include "core/exchange/cluster_view.hpp"
#include "core/exchange/fact.hpp"
#include "protocol/messages/metadata.hpp"

namespace strandline::core::cluster {

struct metadata_change {
    std::vector<topic_partition> leadership;  // leader, leader epoch or topic id is another
    bool topics = false;  // a topic came, went, changed its id, its size or its failure
};

// Whether it could be connected to.
bool is_usable(const std::string& host, std::int32_t port);
// The brokers of an answer that can be connected to.
std::map<protocol::broker_id, exchange::broker_address> usable_brokers(
    const protocol::messages::metadata_response& answer);

// One topic of an answer. A topic without a name (an unknown id) is not one.
void merge(exchange::cluster_view& cluster, const protocol::messages::metadata_response::metadata_response_topic& topic,
           metadata_change& change);

// The topic was asked for by name and the answer, which had room for every topic, does not have it.
void mark_missing(exchange::cluster_view& cluster, const std::string& topic, metadata_change& change);
// Topics that nobody needs any more.
void drop_topics(exchange::cluster_view& cluster, const std::function<bool(const std::string&)>& is_wanted,
                 metadata_change& change);

// Whether the hint is about a partition we know, and newer than what we know of it (KIP-951).
bool is_newer(const exchange::cluster_view& cluster, const exchange::leader_hint& hint);
// Only of a newer one.
void take_hint(exchange::cluster_view& cluster, const exchange::leader_hint& hint);

// What was learnt from another cluster: ids and epochs of this one are not comparable with it.
void forget_epochs(exchange::cluster_view& cluster);

}  // namespace strandline::core::cluster
