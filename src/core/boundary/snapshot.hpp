// What the application may read without asking: one immutable publication per turn that changed something. Partitions
// lie in pages, of which only those that changed are made anew.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <strandline/error.hpp>
#include <strandline/offsets.hpp>

#include "base/instant.hpp"
#include "core/boundary/cluster_snapshot.hpp"
#include "core/boundary/identity.hpp"
#include "core/boundary/network_snapshot.hpp"
#include "core/boundary/partition_pages.hpp"
#include "core/boundary/turn_record.hpp"
#include "core/kernel/agenda.hpp"

namespace strandline::core::boundary {

enum class member_standing : std::uint8_t {
    other,  // no member, or on its way between these
    joining,
    settled,  // a member that owns what the group means it to
    leaving,
};

struct member_snapshot {
    std::string member_id;
    std::int32_t member_epoch = -1;
    // ---- for explanations
    std::string_view state;  // by name, for people; of static storage
    member_standing standing = member_standing::other;
    protocol::broker_id coordinator = protocol::no_broker;
    bool rejoins = false;      // the group has forgotten the member; it is on its way back
    bool was_absent = false;   // it left because the application did not poll (max.poll.interval.ms)
    bool by_hand = false;      // assign(), not subscribe()
};

// What was subscribed to. Shared by snapshots until it changes.
struct subscription_snapshot {
    std::vector<std::string> topics;
    std::string pattern;
    std::vector<std::string> unmatched_topics;  // subscribed, not known to the cluster
};

struct snapshot {
    std::uint64_t version = 0;
    base::instant made_at;
    std::shared_ptr<const page_list> pages;  // never null
    std::shared_ptr<const subscription_snapshot> subscription;  // never null
    std::shared_ptr<const member_snapshot> member;              // never null
    std::shared_ptr<const network_snapshot> network;            // never null
    std::shared_ptr<const cluster_snapshot> cluster;            // never null
    std::optional<error> fatal;
    std::optional<protocol::broker_error> fatal_answer;  // what a broker answered, if that is why
    std::optional<error> last_error;  // the newest that a poll was told of, for explanations
    bool checkpoint_wanted = false;   // a poll entry should wake the reactor
    bool progress_wanted = false;     // one that tells of something processed should
    bool stopped = false;             // closed: nothing more comes
    std::vector<kernel::waiting> waits;
    turn_record turn;           // the turn that published this
    base::instant records_at;   // when records were last handed over to the application's queue, or the first turn
};
using snapshot_ref = std::shared_ptr<const snapshot>;

}  // namespace strandline::core::boundary
