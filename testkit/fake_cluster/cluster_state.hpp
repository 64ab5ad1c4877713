// Brokers, topics and who leads what: the part of the cluster that every handler looks at.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/random_source.hpp"
#include "protocol/ids.hpp"
#include "testkit/fake_cluster/partition_log.hpp"

namespace strandline::testkit::fake {

struct broker_state {
    protocol::broker_id id;
    std::string host = "127.0.0.1";
    std::uint16_t port = 0;
    std::string rack;
    bool running = true;
    std::map<std::string, std::string> configs;
};

struct partition_state {
    explicit partition_state(std::uint64_t* log_changes) : log(log_changes) {}
    partition_log log;
    protocol::broker_id leader;
    std::int32_t leader_epoch = 0;
    std::vector<protocol::broker_id> replicas;
    // A follower that consumers of its rack are sent to; none: the leader serves everyone.
    std::optional<protocol::broker_id> preferred_replica;
};

struct topic_state {
    std::string name;
    protocol::topic_id id;
    bool is_internal = false;
    std::vector<std::unique_ptr<partition_state>> partitions;
    std::map<std::string, std::string> configs;

    partition_state* find(std::int32_t partition);
};

class cluster_state {
public:
    cluster_state(std::string cluster_id, std::uint64_t seed) : cluster_id_(std::move(cluster_id)), random_(seed) {}

    const std::string& cluster_id() const noexcept { return cluster_id_; }
    base::random_source& random() noexcept { return random_; }

    broker_state& add_broker(protocol::broker_id id, std::string rack);
    broker_state* find_broker(protocol::broker_id id);
    const std::map<protocol::broker_id, broker_state>& brokers() const noexcept { return brokers_; }
    // The running broker with the lowest id; none running: no_broker.
    protocol::broker_id controller() const;
    // Stops or starts a broker: its partitions get other leaders among their replicas, or none; back again, leaderless
    // ones get it.
    void set_running(protocol::broker_id id, bool running);

    // Spread over the running brokers.
    topic_state& create_topic(const std::string& name, std::int32_t partitions, std::int16_t replication);
    void add_partitions(topic_state& topic, std::int32_t total, std::int16_t replication);
    bool delete_topic(const std::string& name);
    topic_state* find_topic(const std::string& name);
    topic_state* find_topic(protocol::topic_id id);
    std::map<std::string, topic_state>& topics() noexcept { return topics_; }

    // Onto these brokers; the first that runs leads.
    void place(partition_state& partition, const std::vector<protocol::broker_id>& replicas);
    // A new epoch under that leader (the same one, too).
    void elect(partition_state& partition, protocol::broker_id leader);
    // What was set for every broker, and for a group.
    std::map<std::string, std::string>& broker_defaults() noexcept { return broker_defaults_; }
    std::map<std::string, std::string>& group_configs(const std::string& group) { return group_configs_[group]; }
    std::optional<std::string> group_config(const std::string& group, const std::string& name) const;

    // Grows with every change that metadata would show.
    std::uint64_t version() const noexcept { return version_; }
    // Grows with these and with every change of a log.
    std::uint64_t changes() const noexcept { return version_ + log_changes_; }

private:
    std::string cluster_id_;
    base::seeded_random random_;
    std::map<protocol::broker_id, broker_state> brokers_;
    std::map<std::string, topic_state> topics_;
    std::map<protocol::topic_id, topic_state*> by_id_;
    std::map<std::string, std::string> broker_defaults_;
    std::map<std::string, std::map<std::string, std::string>> group_configs_;
    std::uint64_t version_ = 0;
    std::uint64_t log_changes_ = 0;
    std::size_t next_leader_ = 0;
};

}  // namespace strandline::testkit::fake
