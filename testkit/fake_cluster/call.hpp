// One request as a handler sees it.
#pragma once

#include "base/instant.hpp"
#include "protocol/header.hpp"
#include "testkit/fake_cluster/cluster_state.hpp"
#include "testkit/fake_cluster/reply.hpp"

namespace strandline::testkit::fake {

class fetch_sessions;
class consumer_groups;
class transaction_coordinator;

// Everything a handler may touch; one per cluster.
struct services {
    cluster_state& cluster;
    fetch_sessions& sessions;
    consumer_groups& groups;
    transaction_coordinator& transactions;
    bool auto_create_topics = true;
    std::int32_t default_partitions = 1;
    std::int16_t default_replication = 1;
    std::int32_t internal_partitions = 50;  // of the topics in which coordinators keep what they know
};

struct call {
    services& all;
    broker_state& broker;              // who was asked
    const protocol::request_header& header;
    std::uint64_t connection;
    base::instant now;
    base::wall_time wall;

    std::int16_t version() const noexcept { return header.api_version; }
    cluster_state& cluster() const noexcept { return all.cluster; }
};

}  // namespace strandline::testkit::fake
