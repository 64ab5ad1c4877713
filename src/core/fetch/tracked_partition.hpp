// What fetching remembers of one slot beside its state in the subscription view, and the order in which a broker is
// asked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "base/instant.hpp"
#include "core/boundary/core_config.hpp"
#include "core/boundary/identity.hpp"
#include "core/exchange/request_backoff.hpp"
#include "protocol/ids.hpp"

namespace strandline::core::fetch {

// What only partitions have that are busy or in trouble.
struct partition_extras {
    explicit partition_extras(boundary::backoff retry) : backoff(retry) {}

    // A replica that the leader told us to read from (KIP-392), for a while.
    protocol::broker_id replica = protocol::no_broker;
    base::instant replica_until = base::instant::min();

    exchange::request_backoff backoff;
    std::int32_t max_bytes = 0;    // asked for instead of max.partition.fetch.bytes, for a batch that did not fit
    std::int64_t corrupt_at = -1;  // a batch here was wrong once

    struct waiting_chunk {
        std::int64_t next_offset;
        std::size_t bytes;
    };
    std::vector<waiting_chunk> waiting;  // handed over, not taken yet
    std::size_t waiting_bytes = 0;
    std::size_t waiting_place = 0;  // in the list of those that have some
    bool recalled = false;          // asked back, not answered yet
};

// There may be very many of them.
struct tracked_partition {
    static constexpr std::uint32_t none = UINT32_MAX;

    boundary::incarnation era;         // what follows is about this one
    boundary::partition_ref identity;  // as it was asked for
    std::unique_ptr<partition_extras> extras;
    std::int64_t polled_from = -1;  // as the broker's session knows or is being told
    std::int64_t urged_from = -1;   // asked for beside a long poll already

    // Of which broker, and its neighbours in that broker's order. no_broker: not to be fetched now.
    protocol::broker_id broker = protocol::no_broker;
    std::uint32_t previous = none;
    std::uint32_t next = none;

    bool queued = false;         // to be looked at when planning
    bool dirty = false;          // the broker may not know how it stands
    bool is_of_replica = false;  // the broker is not the partition's leader
    bool withheld = false;       // its share is used: not asked for until half of it has been taken

    protocol::broker_id replica() const noexcept { return extras ? extras->replica : protocol::no_broker; }
    std::size_t waiting_bytes() const noexcept { return extras ? extras->waiting_bytes : 0; }
};

// Partitions in the order in which one broker is asked for them; those that gave something go to the end. Links live in
// the partitions, so that each change takes the same time however many there are.
class partition_order {
public:
    void push_back(std::deque<tracked_partition>& all, boundary::slot_id slot);
    void remove(std::deque<tracked_partition>& all, boundary::slot_id slot);
    void move_to_back(std::deque<tracked_partition>& all, boundary::slot_id slot);

    std::uint32_t first() const noexcept { return first_; }
    std::size_t size() const noexcept { return size_; }
    bool empty() const noexcept { return size_ == 0; }

private:
    std::uint32_t first_ = tracked_partition::none;
    std::uint32_t last_ = tracked_partition::none;
    std::size_t size_ = 0;
};

}  // namespace strandline::core::fetch
