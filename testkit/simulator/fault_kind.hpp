// Everything that can go wrong in a simulation, by name.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace strandline::testkit::sim {

enum class fault_kind : std::uint8_t {
    // ---- the network between consumers and a broker, while it lasts
    latency,      // `delay` more each way, and as much again at random
    bandwidth,    // `amount` bytes a second
    pieces,       // arrives in pieces of at most `amount` bytes
    reset,        // connections are reset, once
    half_open,    // the broker has forgotten its connections and nobody tells the consumers, once
    refused,      // connections are refused
    black_hole,   // nothing arrives, either way; what was sent arrives when it is over
    trickle,      // answers come at one byte a second
    // ---- answers of brokers, while it lasts
    no_answer,    // to the next `amount` requests of `api`
    late_answer,  // `delay` later, to the next `amount` requests of `api`
    error_answer, // `error`, `delay` later, to the next `amount` requests of `api`
    swapped,      // the next `amount` pairs of answers of a connection change places
    // ---- names, while it lasts
    no_name,       // NXDOMAIN
    slow_name,     // the resolver takes `delay`
    dead_address,  // an address that never answers comes first
    moved_broker,  // the broker has another address, the former one is dead; names lead there once it is over
    // ---- brokers
    stop_broker,   // stops, and starts again when it is over
    pause_broker,  // stands still with its connections open
    // ---- the cluster
    move_leader,       // of a partition to the next of its replicas
    move_coordinator,  // to `broker`
    truncate,          // an unclean election: the last `amount` records are gone
    delete_topic,      // made again under a new id when it is over
    add_partitions,    // `amount` of them
    move_log_start,    // the first `amount` records are deleted
    // ---- applications
    slow_callbacks,      // each takes `delay`, while it lasts
    throwing_callbacks,  // while it lasts
    slow_application,    // `delay` between polls, while it lasts
    seek,                // `amount` records back (or, negative, to an end)
    pause,               // all partitions, while it lasts
    wakeup,
    resubscribe,  // unsubscribes, and subscribes again when it is over
    close,        // and another consumer takes its place when it is over
    crash,        // destroyed without close; another one starts when it is over
    // ---- time and memory
    wall_jump,        // the consumer's wall clock, by `delay` (may be negative)
    stall,            // the consumer's process stands still
    fail_allocation,  // the `amount`-th allocation of a consumer's from now fails, while it lasts
    // ---- last, so that seeds go on drawing what they drew before there was this one
    garbled_answer,   // the next `amount` answers to `api` end in their middle, while it lasts
    expire_offsets,   // of groups that have no members
    forget_sessions,  // of fetches, as a broker does that has too many
};

inline constexpr std::size_t fault_kinds = static_cast<std::size_t>(fault_kind::forget_sessions) + 1;

std::string_view to_string(fault_kind kind) noexcept;
std::optional<fault_kind> fault_kind_named(std::string_view name) noexcept;

}  // namespace strandline::testkit::sim
