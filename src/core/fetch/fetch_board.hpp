// Which partition is asked of which broker: placed when something about it changed, and only then.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "core/boundary/delivery.hpp"
#include "core/exchange/cluster_view.hpp"
#include "core/exchange/manager.hpp"
#include "core/exchange/output.hpp"
#include "core/exchange/shared_draw.hpp"
#include "core/exchange/subscription_state.hpp"
#include "core/fetch/broker_fetcher.hpp"
#include "core/fetch/fetch_budget.hpp"
#include "core/fetch/fetch_session.hpp"
#include "core/fetch/tracked_partition.hpp"
#include "core/kernel/view.hpp"

namespace strandline::core::fetch {

class fetch_board {
public:
    fetch_board(const exchange::manager_context& context, kernel::view<exchange::subscription_state> subscription,
                kernel::view<exchange::cluster_view> cluster);

    fetch_budget& budget() noexcept { return budget_; }
    std::map<protocol::broker_id, broker_fetcher>& brokers() noexcept { return brokers_; }
    tracked_partition& at(boundary::slot_id slot);
    // From now on it has them.
    partition_extras& extras_of(boundary::slot_id slot);

    // To be placed anew when planning.
    void look_at(boundary::slot_id slot);
    // Puts every partition that was looked at, or whose time has come, where it belongs now.
    void place_all(base::instant now);
    base::instant next_due() const noexcept { return timers_.empty() ? base::never : timers_.begin()->first; }

    // The state of what was asked for, if an answer to it still counts: same incarnation, same position, still wanted.
    const exchange::partition_state* current(const fetch_entry& entry) const;
    // What the broker where the slot is placed is to be told of it.
    fetch_entry entry_of(boundary::slot_id slot) const;

    // Not to be asked for until its back-off has passed.
    void hold_off(boundary::slot_id slot, exchange::failure_cause why, base::instant now);
    // It was answered as it should be.
    void on_success(boundary::slot_id slot);
    // Why a partition was held off last.
    exchange::failure_cause newest_trouble() const noexcept { return newest_trouble_; }
    void read_from_replica(boundary::slot_id slot, protocol::broker_id replica, base::instant now);
    void read_from_leader(boundary::slot_id slot);
    // Nothing can be had from this broker: what was read there as a replica goes back to its leader.
    void leave_replica(protocol::broker_id broker);

    // Others first next time: this one has given something.
    void ask_last(boundary::slot_id slot);

    // ---- data that waits for the application
    void on_handed_over(boundary::slot_id slot, std::int64_t next_offset, std::size_t bytes);
    void on_drained(const boundary::buffer_drained& drained);
    bool nothing_waiting() const noexcept { return with_waiting_.empty(); }
    // Memory is short: paused partitions give back `wanted` bytes that nobody will take soon, if they have them.
    void recall(std::size_t wanted, exchange::outbox& out);
    std::size_t withheld() const noexcept { return withheld_; }

private:
    void place(boundary::slot_id slot, base::instant now);
    protocol::broker_id home_of(const exchange::partition_state& state, tracked_partition& tracked, base::instant now);
    void start_over(boundary::slot_id slot, tracked_partition& tracked, const exchange::partition_state* state);
    void link(boundary::slot_id slot, protocol::broker_id broker, const exchange::partition_state& state);
    void unlink(boundary::slot_id slot);
    void mark(boundary::slot_id slot);
    void count_waiting(boundary::slot_id slot, partition_extras& extras, std::size_t bytes);
    void withhold(tracked_partition& tracked, bool withheld);
    std::size_t share() const;

    exchange::manager_context context_;
    kernel::view<exchange::subscription_state> subscription_;
    kernel::view<exchange::cluster_view> cluster_;
    fetch_budget budget_;
    // By slot. Not a vector: there may be very many, and half as many again would lie idle.
    std::deque<tracked_partition> tracked_;
    std::map<protocol::broker_id, broker_fetcher> brokers_;
    std::vector<boundary::slot_id> queue_;
    std::set<std::pair<base::instant, boundary::slot_id>> timers_;
    exchange::shared_draw draw_;
    std::vector<boundary::slot_id> with_waiting_;
    std::size_t withheld_ = 0;
    exchange::failure_cause newest_trouble_;
};

}  // namespace strandline::core::fetch
