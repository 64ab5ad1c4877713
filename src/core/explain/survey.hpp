// The assigned partitions, sorted by what keeps each from giving records.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include <strandline/error.hpp>
#include <strandline/topic_partition.hpp>

#include "core/boundary/snapshot.hpp"
#include "core/explain/chain_builder.hpp"
#include "protocol/ids.hpp"

namespace strandline::core::explain {

// In the order in which they are worth telling.
enum class standing : std::uint8_t {
    stands,           // with an error, until it is sought
    topic_in_trouble,  // the cluster says something against its topic
    leader_unknown,
    broker_in_trouble,  // its leader cannot be talked to, or does not answer
    looking_up_committed,
    looking_up_reset,
    validating,
    callback_pending,
    fenced,
    not_fetched,  // its leader can be talked to, and nothing is asked of it
    behind,       // there is more, or nobody knows
    at_end,
    paused,
};
inline constexpr std::size_t standings = 13;

struct partition_group {
    static constexpr std::size_t most_named = 3;

    std::size_t count = 0;
    partitions some;              // the first few
    std::optional<error> failure;  // of the first: stands
    protocol::broker_id broker = protocol::no_broker;  // of the first
    std::size_t in_transaction = 0;  // at_end: more is there, of a transaction that is still open

    // "orders-0, orders-1 and 4 others".
    std::string words() const;
};

struct survey {
    std::array<partition_group, standings> groups;
    std::size_t assigned = 0;

    const partition_group& at(standing which) const noexcept { return groups[static_cast<std::size_t>(which)]; }
    bool any(standing which) const noexcept { return at(which).count > 0; }
    bool all(standing which) const noexcept { return assigned > 0 && at(which).count == assigned; }
};

survey look_at_partitions(const situation& at);

}  // namespace strandline::core::explain
