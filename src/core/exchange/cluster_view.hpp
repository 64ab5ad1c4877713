// The cluster as last heard of. Owned by the metadata manager; everybody else reads it.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/boundary/core_config.hpp"
#include "protocol/broker_error.hpp"
#include "protocol/ids.hpp"

namespace strandline::core::exchange {

struct broker_address {
    protocol::broker_id id;
    boundary::host_port address;
    std::string rack;
    friend bool operator==(const broker_address&, const broker_address&) = default;
};

// Which brokers keep copies of a partition.
struct partition_copies {
    std::vector<protocol::broker_id> replicas;
    std::vector<protocol::broker_id> in_sync;
    std::vector<protocol::broker_id> offline;
    friend auto operator<=>(const partition_copies&, const partition_copies&) = default;
};

struct partition_leadership {
    protocol::partition_index partition;
    protocol::broker_id leader = protocol::no_broker;  // no_broker while it is being elected
    protocol::leader_epoch epoch =
        protocol::no_leader_epoch;  // never goes backwards for one topic id; -1 is "not told"
    protocol::broker_error failure{};
    std::shared_ptr<const partition_copies> copies;  // shared by partitions that have the same; null: not told
};

struct topic_metadata {
    std::string name;
    protocol::topic_id id{};
    bool is_internal = false;
    protocol::broker_error failure{};                // of the whole topic
    std::vector<partition_leadership> partitions;    // by index, dense
};

struct cluster_view {
    std::string cluster_id;                                 // empty until the first answer
    std::map<protocol::broker_id, broker_address> brokers;  // bootstrap servers aside
    std::unordered_map<std::string, topic_metadata> topics;
    std::unordered_map<protocol::topic_id, std::string> names;  // of known ids
    std::uint64_t answers = 0;                              // Metadata answers digested so far
    bool bootstrapped = false;                              // a broker has answered since the last (re)bootstrap

    const topic_metadata* find(const std::string& topic) const;
    const partition_leadership* find(const std::string& topic, std::int32_t partition) const;
    const std::string* name_of(protocol::topic_id id) const;
};

}  // namespace strandline::core::exchange
