// How each assigned partition moves from phase to phase: the only place where a phase, a position or an incarnation
// changes.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include <strandline/error.hpp>
#include <strandline/position_reset.hpp>

#include "core/boundary/identity.hpp"
#include "core/exchange/cluster_view.hpp"
#include "core/exchange/fact.hpp"
#include "core/exchange/manager.hpp"
#include "core/exchange/output.hpp"
#include "core/exchange/subscription_state.hpp"
#include "core/kernel/view.hpp"
#include "core/kernel/walked_steps.hpp"
#include "core/offsets/partition_table.hpp"
#include "core/offsets/position_search.hpp"

namespace strandline::core::offsets {

bool may_follow(exchange::partition_phase from, exchange::partition_phase to) noexcept;

// Used while inputs are applied only: it emits facts. Slots named must be assigned.
class position_states {
public:
    position_states(const exchange::manager_context& context, kernel::view<exchange::cluster_view> cluster,
                    exchange::outbox& outbox);

    partition_table& table() noexcept { return table_; }
    const partition_table& table() const noexcept { return table_; }
    // What partitions went through.
    const kernel::walked_steps& walked() const noexcept { return walked_; }
    position_search& search() noexcept { return search_; }
    // Next to process in this incarnation as far as the application has told; -1 while no position is known.
    std::int64_t next_to_process(boundary::slot_id slot) const;

    // ---- assignment
    void assign(boundary::partition_ref partition, bool callback_pending);
    void unassign(boundary::slot_id slot);
    void set_paused(boundary::slot_id slot, bool paused);
    void set_fenced(boundary::slot_id slot);
    void acknowledge_callback(boundary::slot_id slot);

    // ---- the application moves
    void seek(boundary::slot_id slot, std::int64_t offset, std::optional<std::int32_t> leader_epoch);
    void seek_to(boundary::slot_id slot, boundary::reset_policy where);
    void note_processed(boundary::slot_id slot, std::int64_t offset, std::int32_t leader_epoch);
    void note_committed(boundary::slot_id slot, const offset_and_metadata& committed);

    // ---- answers
    // The group's offset, or none.
    void on_committed(boundary::slot_id slot, const std::optional<offset_and_metadata>& committed);
    void on_reset_found(boundary::slot_id slot, std::int64_t offset, protocol::leader_epoch epoch);
    void on_validated(boundary::slot_id slot);
    // The log ends at `end_offset` of `epoch`, below the position; none: the leader knows nothing of the position's
    // epoch.
    void on_truncated(boundary::slot_id slot, std::optional<std::int64_t> end_offset, protocol::leader_epoch epoch);
    void on_advanced(const exchange::position_advanced& fact);
    // What was fetched from `offset` on is gone.
    void on_given_back(boundary::slot_id slot, std::int64_t offset);
    void on_out_of_range(boundary::slot_id slot, std::int64_t log_start_offset, std::int64_t high_watermark);
    // Leader, leader epoch or topic id may have changed.
    void on_leadership(boundary::slot_id slot);
    void validate(boundary::slot_id slot);
    // Stands until the application seeks. `told`: whoever found out has put the error out already.
    void stop(boundary::slot_id slot, error failure, bool told);

    // Emits what was gathered, and puts out what the application is to hear: to be called at the end of every input.
    void emit_gathered();

private:
    exchange::partition_state& transition_to(boundary::slot_id slot, exchange::partition_phase phase);
    void begin(boundary::slot_id slot);
    void reset_by_policy(boundary::slot_id slot, std::optional<position_reset> told);
    void settle(boundary::slot_id slot);
    void restart_as(boundary::slot_id slot, protocol::topic_id id);
    void identify(boundary::slot_id slot, protocol::topic_id id);
    void renew(boundary::slot_id slot);
    void announce(boundary::slot_id slot);
    void put_out(boundary::slot_update update);
    void changed(boundary::slot_id slot);
    void note_leader(boundary::slot_id slot);
    void set_next_to_process(boundary::slot_id slot, std::int64_t offset);
    const exchange::partition_leadership* leadership_of(const exchange::partition_state& state) const;
    protocol::leader_epoch leader_epoch_of(const exchange::partition_state& state) const;

    exchange::manager_context context_;
    kernel::view<exchange::cluster_view> cluster_;
    exchange::outbox* outbox_;
    partition_table table_;
    position_search search_;
    std::vector<std::int64_t> next_to_process_;  // by slot
    kernel::walked_steps walked_;
    std::vector<std::pair<boundary::slot_id, boundary::incarnation>> committed_wanted_;
    std::vector<position_reset> resets_;
    std::vector<boundary::slot_id> changed_;
};

}  // namespace strandline::core::offsets
