// The group coordinator: members by the protocol of KIP-848 and the offsets they commit.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/instant.hpp"
#include "protocol/broker_error.hpp"
#include "protocol/messages/consumer_group_heartbeat.hpp"
#include "testkit/fake_cluster/cluster_state.hpp"
#include "testkit/fake_cluster/transaction_coordinator.hpp"

namespace strandline::testkit::fake {

namespace messages = protocol::messages;

struct group_settings {
    base::duration session_timeout = std::chrono::seconds(45);
    base::duration heartbeat_interval = std::chrono::seconds(5);
    std::int32_t max_size = INT32_MAX;
};

// A topic is named by its id: one that is made again is another.
using group_partition = std::pair<protocol::topic_id, std::int32_t>;
using partition_set = std::set<group_partition>;

struct committed_offset {
    std::int64_t offset = 0;
    std::int32_t leader_epoch = -1;
    std::string metadata;
};

enum class group_member_state : std::uint8_t {
    stable,                // owns what its epoch's target gives it
    unrevoked_partitions,  // was told to give some up and has not confirmed it
    unreleased_partitions  // waits for others to give theirs up
};

struct group_member {
    std::string id;
    std::optional<std::string> instance_id;
    std::optional<std::string> rack_id;
    std::string client_id;
    std::string client_host = "/127.0.0.1";
    std::int32_t epoch = 0;
    std::int32_t previous_epoch = -1;
    base::duration rebalance_timeout{};
    std::set<std::string> subscribed_topics;
    std::string subscribed_regex;
    std::string assignor;
    group_member_state state = group_member_state::stable;
    std::map<group_partition, std::int32_t> assigned;  // with the epoch since which it is
    partition_set revoking;
    base::instant session_expires = base::never;
    base::instant revocation_expires = base::never;
    bool left_for_a_while = false;  // a static member that said -2
};

struct consumer_group {
    std::string id;
    std::int32_t epoch = 1;  // of the empty group
    std::int32_t target_epoch = 1;
    std::map<std::string, group_member> members;
    std::map<std::string, partition_set> target;
    std::map<group_partition, committed_offset> offsets;
    std::uint64_t seen_cluster_version = 0;
    // Nobody has ever joined it: offsets that were committed from outside, to a broker a classic group.
    bool is_simple = true;
};

// In Kafka's words: Empty, Assigning, Reconciling, Stable.
std::string state_name(const consumer_group& group);
// What most members want; uniform without a majority.
std::string assignor_of(const consumer_group& group);

class consumer_groups {
public:
    struct committing {
        std::string group;
        std::string member_id;
        std::int32_t epoch = -1;
        std::optional<std::string> instance_id;
        bool new_protocol_version = false;  // OffsetCommit 9 and up, OffsetFetch 9 and up
        bool named = true;                  // it says a member id, if only an empty one
    };

    consumer_groups(cluster_state& cluster, const group_settings& settings) : cluster_(cluster), settings_(settings) {}

    messages::consumer_group_heartbeat_response heartbeat(const messages::consumer_group_heartbeat_request& request,
                                                          const std::string& client_id, base::instant now);

    // Whether this member may commit at all, and one partition's offset.
    protocol::broker_error check_commit(const committing& who) const;
    protocol::broker_error commit(const committing& who, const group_partition& partition, committed_offset offset);
    protocol::broker_error check_fetch(const committing& who) const;
    std::optional<committed_offset> committed(const std::string& group, const group_partition& partition) const;
    void commit_in_transaction(const std::string& group, const std::vector<pending_offset>& offsets);

    std::map<std::string, consumer_group>& all() noexcept { return groups_; }
    consumer_group* find(const std::string& group);
    consumer_group& find_or_make(const std::string& group);

    // What groups have of this name unless it was set for them; nothing for other configs.
    std::optional<std::string> default_setting(const std::string& name) const;

    bool is_subscribed(const consumer_group& group, const std::string& topic) const;

    // The broker that coordinates this group or transactional id.
    protocol::broker_id coordinator_of(const std::string& key) const;
    void move_coordinator(const std::string& key, protocol::broker_id to) { moved_[key] = to; }
    void on_broker_stopped(protocol::broker_id, base::instant) {}

    // Only groups whose coordinator `runs` lose members.
    void on_time(base::instant now, const std::function<bool(protocol::broker_id)>& runs = {});
    // When a member may be lost: no later than that one is, perhaps earlier. Scanning all of them for each heartbeat
    // would cost more than being asked in vain once in a session.
    base::instant next_deadline() const noexcept { return soonest_; }
    // A coordinator runs again.
    void reconsider_deadlines(base::instant now) noexcept { soonest_ = now; }

private:
    using request = messages::consumer_group_heartbeat_request;
    using response = messages::consumer_group_heartbeat_response;

    response join(consumer_group& group, const request& asked, const std::string& client_id, base::instant now);
    response leave(consumer_group& group, const request& asked);
    // None: `refusal` says why.
    static group_member* known_member(consumer_group& group, const request& asked, response& refusal);
    static group_member* static_member(consumer_group& group, const std::string& instance_id);
    response beat(consumer_group& group, group_member& member, const request& asked, bool full, base::instant now);
    bool update(group_member& member, const request& asked);
    void remove(consumer_group& group, const std::string& member_id);
    void refresh_target(consumer_group& group);
    // Whether what it is assigned has changed.
    bool reconcile(consumer_group& group, group_member& member, const std::optional<partition_set>& owned,
                   base::instant now);
    void advance(consumer_group& group, group_member& member, base::instant now);
    bool is_owned_by_another(const consumer_group& group, const group_member& member,
                             const group_partition& partition) const;
    std::set<std::string> topics_of(const group_member& member);
    void set_soonest(const std::function<bool(protocol::broker_id)>& runs);
    // The settings, unless the group has configs of its own.
    base::duration setting(const consumer_group& group, const char* name, base::duration otherwise) const;

    cluster_state& cluster_;
    group_settings settings_;
    std::map<std::string, consumer_group> groups_;
    std::map<std::string, protocol::broker_id> moved_;
    base::instant soonest_ = base::never;
};

}  // namespace strandline::testkit::fake
