// Why managers wait, as codes with words. Each manager appends its own; explain() prints them.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/kernel/plan.hpp"

namespace strandline::core::exchange {

enum class wait_reason : std::uint16_t {
    nothing_to_do = 0,      // until a command or a change comes
    broker_connecting,      // subject: broker id
    broker_backing_off,     // subject: broker id
    no_broker_reachable,
    response,               // subject: request id
    backoff,                // after a failure; subject: a failure_cause
    closing,                // subject: step of the close plan
    coordinator_search,     // subject: request id
    coordinator_unknown,
    poll_to_join,           // the application has to poll first
    topics_of_pattern,      // what a client-side pattern matches is not known yet
    topic_names,            // topic ids were assigned that have no name yet
    heartbeat_interval,
    fences_of_revocation,   // records of leaving partitions are handed out until the next poll
    commit_of_revocation,
    listener,               // subject: callback id
    leave_answer,           // subject: request id
    refused_for_good,
    throttled,              // by a quota; subject: broker id
    leader_unknown,         // of a partition whose offsets are asked for
    committed_unknown,      // until the committed offset of a partition is known
    nothing_assigned,
    nothing_fetchable,      // every assigned partition is paused, fenced or without a position
    buffers_full,           // what was fetched has not been taken yet
    memory_limit,
    newer_epoch,            // the member epoch that was used is stale
    coordinator_unreachable,  // it was found and cannot be connected to; subject: broker id
};

constexpr std::string_view words(wait_reason why) noexcept {
    switch (why) {
        case wait_reason::nothing_to_do: return "has nothing to do";
        case wait_reason::broker_connecting: return "awaits a connection to broker";
        case wait_reason::broker_backing_off: return "waits to reconnect to broker";
        case wait_reason::no_broker_reachable: return "waits because no broker is reachable";
        case wait_reason::response: return "awaits the answer to request";
        case wait_reason::backoff: return "waits before it tries again";
        case wait_reason::closing: return "waits for a stage of close to end, number";
        case wait_reason::coordinator_search: return "looks for the group's coordinator, request";
        case wait_reason::coordinator_unknown: return "waits for the group's coordinator";
        case wait_reason::poll_to_join: return "waits for the next poll to join the group";
        case wait_reason::topics_of_pattern: return "waits to hear which topics match the pattern";
        case wait_reason::topic_names: return "waits for the names of topics it was assigned";
        case wait_reason::heartbeat_interval: return "waits until the next heartbeat";
        case wait_reason::fences_of_revocation:
            return "waits for a poll: records of partitions that leave are handed out";
        case wait_reason::commit_of_revocation: return "waits for the commit of partitions that leave";
        case wait_reason::listener: return "waits for the rebalance listener, callback";
        case wait_reason::leave_answer: return "awaits the group's answer to its leaving, request";
        case wait_reason::refused_for_good: return "was refused by the group for good";
        case wait_reason::throttled: return "is kept waiting by a quota of broker";
        case wait_reason::leader_unknown: return "waits for a partition's leader";
        case wait_reason::committed_unknown: return "waits for committed offsets";
        case wait_reason::nothing_assigned: return "waits for an assignment";
        case wait_reason::nothing_fetchable:
            return "has no partition to fetch: paused, being revoked or without a position";
        case wait_reason::buffers_full: return "waits until fetched records are taken";
        case wait_reason::newer_epoch: return "waits for a newer member epoch";
        case wait_reason::coordinator_unreachable: return "found the group's coordinator and cannot reach broker";
        case wait_reason::memory_limit: return "waits until memory within memory_limit is given back";
    }
    return "waits";
}

constexpr kernel::reason because(wait_reason why, std::uint64_t subject = 0) noexcept {
    return {static_cast<std::uint16_t>(why), subject};
}

}  // namespace strandline::core::exchange
