// Why am I not receiving?
#pragma once

#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <strandline/error.hpp>
#include <strandline/export.hpp>
#include <strandline/topic_partition.hpp>

namespace strandline::inline v0 {

// The causes that are told apart. More may come: treat those you do not know as `other`.
enum class wait_cause : std::uint8_t {
    // ---- it lies with the application
    not_subscribed,      // neither subscribed nor assigned
    poll_awaited,        // nobody polls: a member joins, and a wanted callback runs, inside a poll only
    max_poll_exceeded,  // the member left because nobody polled for max.poll.interval.ms; the next poll brings it back
    records_ready,  // records are there to be polled
    callback_running,  // a callback of the application has not returned
    checkpoint_awaited,  // partitions are to be given up, and records of them are handed out: until the next poll
    memory_held,  // memory_limit is used up by records that the application holds
    paused,  // every assigned partition is paused
    partition_stands,  // with an error, until it is sought: `reason` says which
    closing,  // close is under way
    closed,
    // ---- it lies with the group
    nothing_assigned,  // a member, and the group has given it nothing
    topic_unknown,  // the cluster does not know a topic
    pattern_unmatched,  // no topic matches the pattern
    partition_unknown,  // assigned by hand, and the topic has no such partition
    topic_id_unknown,  // assigned by the group, and nobody has told yet what it is called
    joining,  // the coordinator has not let the member in yet
    rejoining,  // the group had forgotten the member; it is on its way back
    coordinator_unknown,  // being looked for
    coordinator_unavailable,  // the cluster has none at present, or it cannot be reached
    commit_awaited,  // partitions are to be given up, or the consumer closes, after a commit
    instance_id_in_use,  // another member has this group.instance.id
    not_authorized,  // for the topic or the group
    refused_for_good,  // the group or the cluster refuses this consumer: `reason` says why
    // ---- it lies with brokers and networks
    connecting,
    broker_unreachable,  // connecting failed; tried again after a back-off
    name_not_resolved,
    wrong_protocol,  // what answers on the port is not Kafka, or speaks TLS
    broker_silent,  // connected, but a request has been without an answer for suspiciously long
    throttled,  // a quota
    leader_unknown,  // a partition has no leader, or nobody has told who it is
    retrying,  // a broker refused a request for now; it is tried again after a back-off
    answer_awaited,  // a request is on its way, as usual
    // ---- all is well
    position_lookup,  // where to start is being looked up
    position_validation,  // the log may have been cut: the leader is being asked whether the position still exists
    records_awaited,  // fetching; more should come any moment
    end_of_partitions,  // every partition has been read to its end
    other,
};

// "coordinator_unknown".
STRANDLINE_API std::string_view to_string(wait_cause cause) noexcept;
STRANDLINE_API std::ostream& operator<<(std::ostream& out, wait_cause cause);

// One who waits, and what for; or, as the last of a chain, who has to do something for all of them to go on.
struct explanation_step {
    std::string who;  // "poll", "fetching", "Metadata request 41 to broker 2"
    std::string text;  // the whole clause: "fetching awaits a leader for orders-3"
    std::string ends_with;  // what would end it: "its answer", "the next poll"
    std::optional<std::chrono::milliseconds> age;  // how long already
    std::optional<std::chrono::milliseconds> ends_in;  // when it ends by itself at the latest, from now
};

// From whoever waits down to the producer of what it waits for.
struct explanation_chain {
    wait_cause cause = wait_cause::other;
    std::vector<explanation_step> steps;
    partitions concerned;  // a few of the partitions this is about
    std::optional<error> reason;  // the error behind it, if there is one
};

// One turn of the consumer's reactor.
struct explained_turn {
    std::uint64_t number = 0;
    std::chrono::milliseconds age{};  // how long ago
    std::vector<std::string> came_in;  // nothing: its time had come
    std::vector<std::string> answered;  // who had to decide, and what they wait for since
    std::vector<std::string> went_out;
};

// From the published state alone: asking costs the consumer nothing, and waits for nothing.
struct explanation {
    std::string summary;  // the first cause in one sentence
    wait_cause cause = wait_cause::other;
    explanation_chain first;  // the cause to look at first
    std::vector<explanation_chain> also;  // others that hold at the same time
    std::vector<std::string> remarks;  // newest trouble, what is paused
    std::vector<explained_turn> turns;  // the last ones, oldest first
    bool contacted = false;  // a broker has answered since the consumer was made
    std::vector<error> network_trouble;  // addresses tried in vain since a broker was last reached
    std::vector<std::string> unknown_topics;  // subscribed, unknown to the cluster
};

// "poll waits 12.3 s for records of orders-3 <- fetching awaits a leader for orders-3 <- Metadata request 41 to broker
// 2, sent 0.4 s ago, expires in 29.6 s".
STRANDLINE_API std::string to_string(const explanation_chain& chain);
// "turn 812, 0.4 s ago: in Metadata from broker 2 | metadata awaits ... | out Fetch request 42 to broker 2".
STRANDLINE_API std::string to_string(const explained_turn& turn);
// The summary, the chains, the remarks and the last few turns, a line each.
STRANDLINE_API std::string to_string(const explanation& why);
STRANDLINE_API std::ostream& operator<<(std::ostream& out, const explanation& why);

}  // namespace strandline::inline v0
