// The facts of a regular consumer: what a manager learnt about state that another one owns. Each carries the version it
// saw, and its handler drops it if that no longer holds. Who emits and who handles which: the table at the end, checked
// acyclic.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <strandline/error.hpp>
#include <strandline/offsets.hpp>

#include "base/instant.hpp"
#include "base/kept_apart.hpp"
#include "core/boundary/core_config.hpp"
#include "core/boundary/identity.hpp"
#include "core/exchange/failure_cause.hpp"
#include "core/exchange/request.hpp"
#include "core/exchange/subscription_state.hpp"
#include "protocol/broker_error.hpp"
#include "protocol/ids.hpp"

namespace strandline::core::exchange {

// ---- to the metadata manager
// Which topics this consumer needs metadata of; replaces what the same source said before.
struct topics_of_interest {
    enum class source : std::uint8_t { subscription, assignment, lookup };
    source who = source::subscription;
    bool all = false;  // a client-side pattern needs every topic's name
    std::vector<std::string> names = {};
    std::vector<protocol::topic_id> ids = {};  // assigned by the broker, not yet resolved
    partitions unheard_of = {};  // assigned, although the topic was smaller when it was last heard of
};
// What is known is out of date: a broker answered not-leader, unknown topic, a connection was lost.
struct metadata_stale {
    std::string why;
};
// A broker told the new leader along with an error (KIP-951). Taken only if its epoch is newer.
struct leader_hint {
    topic_partition partition;
    protocol::topic_id topic_id{};
    protocol::broker_id leader;
    protocol::leader_epoch epoch;
    std::optional<boundary::host_port> address;
    std::string rack;
};
// Where a broker is, told by another answer than Metadata's: the coordinator may be a broker not heard of yet.
struct broker_address_learnt {
    protocol::broker_id broker;
    boundary::host_port address;
};
// A broker answered that we are not what we seem to each other (error 129): start again from the bootstrap servers.
struct rebootstrap_wanted {
    std::string why;
};

// ---- to the connection manager
// Every connection is closed and discovery starts again from the bootstrap servers.
struct rebootstrap_started {};
// A broker asked to be left alone on one of its connections (KIP-219), in an answer that its owner decoded.
struct broker_throttled {
    protocol::broker_id broker;
    connection_role role = connection_role::control;
    base::instant until;
};

// What came on a connection is not what was asked for: whatever comes next on it cannot be trusted to be an answer. It
// is closed, if it is still the same one.
struct answer_unreadable {
    protocol::broker_id broker;
    std::uint64_t connection = 0;
    std::string why;

    static answer_unreadable of(const response& answer, std::string why) {
        return {answer.broker, answer.connection, std::move(why)};
    }
};

// ---- to the coordinator manager
// A manager starts or stops needing the coordinator. Discovery runs only while one does.
struct coordinator_needed {
    std::uint8_t manager = 0;
    bool needed = false;
};
struct coordinator_lost {
    std::uint64_t version = 0;  // the coordinator_view version that was used
    std::string why;
    failure_cause cause = {};
};

// ---- to the membership manager
// The cluster's topics changed: a client-side pattern may match others, an id may have a name now.
struct topics_changed {};
// Every partition of this fence has been met by the application: nothing of them is handed out.
struct fences_met {
    std::uint64_t ticket = 0;
};
// The commit that precedes a revocation has its answer, whatever it is.
struct revocation_committed {
    std::uint64_t ticket = 0;
};
// The broker no longer knows this member (errors 110, 25 on a commit or an offset fetch).
struct member_fenced {
    protocol::member_epoch seen{-1};
    protocol::broker_error why{};
};

// ---- to the commit manager
// Commit what is processed of these, if automatic commit is on, before they are given up; answered by
// revocation_committed.
struct revocation_commit_wanted {
    std::uint64_t ticket = 0;
    std::vector<topic_partition> leaving;
    base::instant deadline;
};
// Look up the committed offsets of these; answered by committed_known for each.
struct committed_wanted {
    std::vector<std::pair<boundary::slot_id, boundary::incarnation>> which;
};
// Partitions that are gone: what was to be committed of them is dropped (lost) or already committed (revoked).
struct partitions_gone {
    std::vector<boundary::partition_ref> which;
    bool lost = false;
};

// Partitions assigned by hand that are given up, with what was processed of them and not committed: committed if
// automatic commit is on.
struct offsets_left {
    std::vector<std::pair<boundary::partition_ref, offset_and_metadata>> which;
};

// ---- to the position manager
// The assignment by the group changed. `added` get slots and positions; `removed` lose them. Partitions that stay are
// untouched.
struct assignment_changed {
    std::vector<boundary::partition_ref> added;
    std::vector<topic_partition> removed;
    bool callback_pending = false;  // `added` wait for the assigned-callback
    bool lost = false;  // `removed` were lost, not revoked
};
// These will be revoked: stop fetching and handing out. Answered by fences_met with the same ticket; the newest one is
// answered only, and none if it is zero: then nobody waits for it.
struct fence_wanted {
    std::vector<topic_partition> leaving;
    std::uint64_t ticket = 0;
};
// The assigned-callback of these was acknowledged: they may be delivered.
struct callback_acknowledged {
    std::vector<topic_partition> which;
};
// The subscription (not the assignment) was replaced: by_hand tells which kind of consumer this is now.
struct subscription_replaced {
    bool by_hand = false;
};
// Leader, leader epoch or topic id of these partitions changed in the metadata.
struct leadership_changed {
    std::vector<topic_partition> which;
};
struct committed_known {
    boundary::slot_id slot;
    boundary::incarnation era;
    std::optional<offset_and_metadata> committed;  // none: the group has no offset there
    std::optional<error> failure;  // the look-up failed for good
};
// A commit succeeded.
struct offsets_committed {
    std::vector<std::pair<boundary::slot_id, offset_and_metadata>> which;
};
// A verified answer moves a position. Dropped unless the era and `from` still hold.
struct position_advanced {
    boundary::slot_id slot;
    boundary::incarnation era;
    std::int64_t from = 0;
    std::int64_t to = 0;
    protocol::leader_epoch last_epoch = protocol::no_leader_epoch;
    std::int64_t high_watermark = -1;
    std::int64_t last_stable_offset = -1;
    std::int64_t log_start_offset = -1;
};
// The leader (not a follower) says the position is outside its log.
struct position_out_of_range {
    boundary::slot_id slot;
    boundary::incarnation era;
    std::int64_t offset = 0;
    std::int64_t log_start_offset = -1;
    std::int64_t high_watermark = -1;
};
// A broker found that its log and our position part ways (KIP-320): the position has to be validated.
struct position_doubted {
    boundary::slot_id slot;
    boundary::incarnation era;
};
// The partition cannot go on by itself: corrupt data, no permission.
struct partition_failed {
    boundary::slot_id slot;
    boundary::incarnation era;
    error reason;
};

// ---- to the fetch manager
// Phase, position, era, paused, fenced or leadership of these slots changed, or they were freed.
struct partition_changed {
    std::vector<boundary::slot_id> which;
};

// ---- to the lifecycle manager
// `cause`: what was answered, if that is why.
struct fatal_error {
    error reason;
    failure_cause cause = {};
};

using fact_kinds =
    std::variant<topics_of_interest, metadata_stale, leader_hint, broker_address_learnt, rebootstrap_wanted,
                 rebootstrap_started, broker_throttled, answer_unreadable, coordinator_needed, coordinator_lost,
                 topics_changed, fences_met, revocation_committed, member_fenced, revocation_commit_wanted,
                 committed_wanted, partitions_gone, assignment_changed, fence_wanted, callback_acknowledged,
                 subscription_replaced, leadership_changed, committed_known, offsets_committed, position_advanced,
                 position_out_of_range, position_doubted, partition_failed, partition_changed, offsets_left,
                 fatal_error>;

// One of them.
class fact : public base::kept_apart<fact_kinds> {
public:
    using kept_apart::kept_apart;
};

}  // namespace strandline::core::exchange

extern template class strandline::base::kept_apart<strandline::core::exchange::fact_kinds>;
