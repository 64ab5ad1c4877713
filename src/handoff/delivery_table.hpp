// May this partition's data be handed out now? The reactor's word on each slot, and what the application did meanwhile.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include <strandline/topic_partition.hpp>

#include "base/sorted_chunks.hpp"
#include "core/boundary/completion.hpp"
#include "core/boundary/delivery.hpp"
#include "core/boundary/identity.hpp"
#include "handoff/application_progress.hpp"

namespace strandline::handoff {

enum class verdict : std::uint8_t {
    deliver,
    keep_back,  // paused, fenced, before its callback, or behind a closed gate: until that changes
    drop,  // of another incarnation, or the partition has proved bad
};

// Plain data, guarded by the outbox's lock.
class delivery_table {
public:
    struct change {
        bool opened = false;  // data that was kept back may flow
        bool fence_is_met = false;  // fenced, and the application holds nothing of it: acknowledge at once
        bool fence_waits = false;  // fenced, and the application must meet it
    };
    change update(const core::boundary::slot_update& update);

    verdict judge(core::boundary::slot_id slot, core::boundary::incarnation era) const noexcept;
    bool is_current(core::boundary::slot_id slot, core::boundary::incarnation era) const noexcept;

    // Data of the slot arrived, to be handed out from `offset` on.
    void on_delivered(core::boundary::slot_id slot, core::boundary::incarnation era, std::int64_t offset);
    // The application took everything below `next`.
    void on_handed_out(core::boundary::slot_id slot, std::int64_t next, std::int32_t leader_epoch);
    // What was handed out last is taken back, down to `next`.
    void on_taken_back(core::boundary::slot_id slot, std::int64_t next);
    // All that was handed out is processed. True: a fence was waiting for that.
    bool on_settled(const slot_era& settled);
    void stop(core::boundary::slot_id slot, core::boundary::incarnation era);

    // The application meets every fence that waits for it.
    bool fences_wait() const noexcept { return waiting_fences_ > 0; }
    std::vector<core::boundary::fence_acknowledged> meet_fences();
    // Counts what may make data void that was just handed out, so that a poll can tell that something did while it
    // gathered: a fence, another incarnation, the loss of a partition.
    std::uint64_t voidings() const noexcept { return voidings_; }

    // From now until open_gates with the same token nothing of these is handed out. Empty: of all that are assigned.
    void close_gates(core::boundary::operation_token by, std::span<const topic_partition> which);
    // The slots that became open again.
    std::vector<core::boundary::slot_id> open_gates(core::boundary::operation_token by);

    // Of what is assigned.
    std::optional<core::boundary::slot_id> slot(const topic_partition& partition) const;
    std::optional<core::boundary::position_value> position(const topic_partition& partition) const;
    // Of which something was handed out that is not settled yet.
    partitions handed_out() const;

private:
    // There may be very many of them.
    struct slot_state {
        core::boundary::incarnation era{0};
        core::boundary::partition_ref partition;
        std::int64_t next = -1;  // to be handed out; -1: nothing was and nothing waits to be
        std::int32_t next_epoch = -1;
        std::uint32_t closed_gates = 0;
        bool assigned = false;
        bool paused = false;
        bool fenced = false;
        bool fence_waits = false;
        bool callback_pending = false;
        bool stopped = false;
        bool handed_out = false;  // something that is not settled yet
    };
    slot_state& at(core::boundary::slot_id slot);
    slot_state* current(core::boundary::slot_id slot, core::boundary::incarnation era) noexcept;
    const slot_state* current(core::boundary::slot_id slot, core::boundary::incarnation era) const noexcept;
    static bool is_open(const slot_state& state) noexcept;
    void name(core::boundary::slot_id slot, slot_state& state, const core::boundary::slot_update& update);
    void let_fence_go(slot_state& state) noexcept;
    auto in_order_of_names() const {
        return [this](core::boundary::slot_id slot, const topic_partition& name) {
            return slots_[slot.value()].partition->name <=> name;
        };
    }

    // Not a vector: there may be very many, and half as many again would lie idle.
    std::deque<slot_state> slots_;
    base::sorted_chunks<core::boundary::slot_id> by_name_;  // of what is assigned
    std::map<core::boundary::operation_token, std::vector<core::boundary::slot_id>> closed_;
    std::size_t waiting_fences_ = 0;
    std::uint64_t voidings_ = 0;
};

}  // namespace strandline::handoff
