#include "core/offsets/position_states.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <utility>

#include "core/offsets/position_errors.hpp"

namespace strandline::core::offsets {

using exchange::partition_phase;

namespace {

struct phase_row {
    partition_phase from;
    // Of awaiting_committed, awaiting_reset, awaiting_validation, fetching, stopped.
    std::array<bool, 5> to;
};

// A topic that is made anew under the name of a partition assigned by hand leads from anywhere to awaiting_committed.
constexpr std::array phase_table{
    phase_row{partition_phase::awaiting_committed, {true, true, true, true, true}},
    phase_row{partition_phase::awaiting_reset, {true, true, true, true, true}},
    phase_row{partition_phase::awaiting_validation, {true, true, true, true, true}},
    phase_row{partition_phase::fetching, {true, true, true, true, true}},
    // Only a seek, or another topic of that name, ends standing still.
    phase_row{partition_phase::stopped, {true, true, true, true, false}},
};

// No leader has said yet that it exists: not even one whose epoch is 0.
exchange::fetch_position unconfirmed(std::int64_t offset, std::optional<std::int32_t> last_epoch) {
    return {.offset = offset,
            .last_epoch = last_epoch ? protocol::leader_epoch(*last_epoch) : protocol::no_leader_epoch,
            .current_epoch = protocol::no_leader_epoch};
}

boundary::slot_update update_of(const exchange::partition_state& state) {
    return {state.slot, state.era, true, state.paused, state.fenced, state.callback_pending, state.partition};
}

std::optional<std::int64_t> if_known(std::int64_t offset) { return offset < 0 ? std::nullopt : std::optional(offset); }

}  // namespace

bool may_follow(partition_phase from, partition_phase to) noexcept {
    return phase_table[static_cast<std::size_t>(from)].to[static_cast<std::size_t>(to)];
}

position_states::position_states(const exchange::manager_context& context, kernel::view<exchange::cluster_view> cluster,
                                 exchange::outbox& outbox)
    : context_(context), cluster_(cluster), outbox_(&outbox), table_(context.views), search_(context.config) {}

// ---- assignment

void position_states::assign(boundary::partition_ref partition, bool callback_pending) {
    auto& state = table_.add(std::move(partition));
    if (state.partition->topic_id.is_zero()) {
        const auto* topic = cluster_->find(state.partition->name.topic);
        if (topic && !topic->id.is_zero()) identify(state.slot, topic->id);
    }
    state.callback_pending = callback_pending;
    note_leader(state.slot);
    set_next_to_process(state.slot, -1);
    // The slot first: what follows may be the error with which it stands still.
    announce(state.slot);
    begin(state.slot);
}

void position_states::unassign(boundary::slot_id slot) {
    auto update = update_of(*table_.find(slot));
    update.assigned = false;
    search_.forget(slot);
    table_.remove(slot);
    put_out(std::move(update));
    changed(slot);
}

void position_states::set_paused(boundary::slot_id slot, bool paused) {
    if (table_.find(slot)->paused == paused) return;
    table_.change(slot).paused = paused;
    announce(slot);
}

void position_states::set_fenced(boundary::slot_id slot) {
    if (table_.find(slot)->fenced) return;
    table_.change(slot).fenced = true;
    announce(slot);
}

void position_states::acknowledge_callback(boundary::slot_id slot) {
    if (!table_.find(slot)->callback_pending) return;
    table_.change(slot).callback_pending = false;
    announce(slot);
}

// ---- the application moves

void position_states::seek(boundary::slot_id slot, std::int64_t offset, std::optional<std::int32_t> leader_epoch) {
    renew(slot);
    auto& state = table_.change(slot);
    state.failure.reset();
    state.position = unconfirmed(offset, leader_epoch);
    // What lies behind the new position remains processed; what lies ahead of it will be processed again.
    if (state.processed && state.processed->offset > offset) {
        state.processed = offset_and_metadata(offset, leader_epoch);
        table_.note_progress(slot);
    }
    set_next_to_process(slot, offset);
    settle(slot);
    announce(slot);
}

void position_states::seek_to(boundary::slot_id slot, boundary::reset_policy where) {
    renew(slot);
    auto& state = transition_to(slot, partition_phase::awaiting_reset);
    state.failure.reset();
    state.position.reset();
    if (where.what == boundary::reset_policy::kind::earliest && state.processed) {
        state.processed.reset();
        table_.note_progress(slot);
    }
    search_.want_reset(slot, state.era, where);
    announce(slot);
}

void position_states::note_processed(boundary::slot_id slot, std::int64_t offset, std::int32_t leader_epoch) {
    set_next_to_process(slot, offset);
    const auto& known = table_.find(slot)->processed;
    if (known && known->offset == offset) return;
    table_.change(slot).processed =
        offset_and_metadata(offset, leader_epoch < 0 ? std::nullopt : std::optional(leader_epoch));
    table_.note_progress(slot);
}

void position_states::note_committed(boundary::slot_id slot, const offset_and_metadata& committed) {
    table_.change(slot).committed = committed;
    table_.note_progress(slot);
}

// ---- answers

void position_states::on_committed(boundary::slot_id slot, const std::optional<offset_and_metadata>& committed) {
    if (!committed) {
        const auto& state = *table_.find(slot);
        reset_by_policy(slot, position_reset{state.partition->name,
                                             position_reset::cause::no_committed_offset,
                                             {},
                                             0,
                                             if_known(state.log_start_offset)});
        changed(slot);
        return;
    }
    auto& state = table_.change(slot);
    state.committed = *committed;
    state.position = unconfirmed(committed->offset, committed->leader_epoch);
    set_next_to_process(slot, committed->offset);
    settle(slot);
    changed(slot);
}

void position_states::on_reset_found(boundary::slot_id slot, std::int64_t offset, protocol::leader_epoch epoch) {
    if (const auto* wanted = search_.find(slot); wanted && wanted->told) {
        resets_.push_back(*wanted->told);
        resets_.back().to = offset;
    }
    search_.forget(slot);
    auto& state = transition_to(slot, partition_phase::fetching);
    // The leader has just said so itself: nothing to validate until it changes.
    state.position = exchange::fetch_position{offset, epoch, leader_epoch_of(state)};
    set_next_to_process(slot, offset);
    changed(slot);
}

void position_states::on_validated(boundary::slot_id slot) {
    search_.forget(slot);
    auto& state = transition_to(slot, partition_phase::fetching);
    state.position->current_epoch = leader_epoch_of(state);
    changed(slot);
}

void position_states::on_truncated(boundary::slot_id slot, std::optional<std::int64_t> end_offset,
                                   protocol::leader_epoch epoch) {
    search_.forget(slot);
    const auto& state = *table_.find(slot);
    if (context_.config.auto_offset_reset.what == boundary::reset_policy::kind::none) {
        stop(slot, log_truncated(state.partition->name, state.position->offset, end_offset), false);
        return;
    }
    position_reset told{state.partition->name, position_reset::cause::log_truncation, state.position->offset,
                        end_offset.value_or(0), if_known(state.log_start_offset)};
    renew(slot);
    auto& renewed = table_.change(slot);
    renewed.processed.reset();
    table_.note_progress(slot);
    if (end_offset) {
        renewed.position = exchange::fetch_position{*end_offset, epoch, leader_epoch_of(renewed)};
        set_next_to_process(slot, *end_offset);
        transition_to(slot, partition_phase::fetching);
        resets_.push_back(std::move(told));
    } else {
        reset_by_policy(slot, std::move(told));
    }
    announce(slot);
}

void position_states::on_advanced(const exchange::position_advanced& fact) {
    const auto* known = table_.find(fact.slot, fact.era);
    if (!known || known->phase != partition_phase::fetching || known->position->offset != fact.from) return;
    auto& state = table_.change(fact.slot);
    state.position->offset = fact.to;
    if (fact.last_epoch != protocol::no_leader_epoch) state.position->last_epoch = fact.last_epoch;
    if (fact.high_watermark >= 0) state.high_watermark = fact.high_watermark;
    if (fact.last_stable_offset >= 0) state.last_stable_offset = fact.last_stable_offset;
    if (fact.log_start_offset >= 0) state.log_start_offset = fact.log_start_offset;
}

// The incarnation lasts: what the application has of it goes on being processed. The epoch of the last record that was
// fetched stays as well: a leader that does not know it any more says so, and where the one before it ends.
void position_states::on_given_back(boundary::slot_id slot, std::int64_t offset) {
    const auto& known = table_.find(slot)->position;
    if (!known || known->offset <= offset) return;
    table_.change(slot).position->offset = offset;
    changed(slot);
}

void position_states::on_out_of_range(boundary::slot_id slot, std::int64_t log_start_offset,
                                      std::int64_t high_watermark) {
    const auto& state = *table_.find(slot);
    if (context_.config.auto_offset_reset.what == boundary::reset_policy::kind::none) {
        stop(slot,
             offset_out_of_range(state.partition->name, state.position->offset,
                                 log_start_offset < 0 ? state.log_start_offset : log_start_offset,
                                 high_watermark < 0 ? state.high_watermark : high_watermark),
             false);
        return;
    }
    const auto log_start = if_known(log_start_offset < 0 ? state.log_start_offset : log_start_offset);
    position_reset told{state.partition->name, position_reset::cause::out_of_range, state.position->offset, 0,
                        log_start};
    renew(slot);
    table_.change(slot).processed.reset();
    table_.note_progress(slot);
    reset_by_policy(slot, std::move(told));
    announce(slot);
}

void position_states::on_leadership(boundary::slot_id slot) {
    const auto* known = table_.find(slot);
    note_leader(slot);
    const auto* topic = cluster_->find(known->partition->name.topic);
    if (topic && !topic->id.is_zero() && topic->id != known->partition->topic_id) {
        const bool is_another_topic = !known->partition->topic_id.is_zero();
        if (is_another_topic && table_.get().by_hand) {
            restart_as(slot, topic->id);
            return;
        }
        // What a group assigned stays of the topic it was assigned of, until the group takes it away.
        if (!is_another_topic) identify(slot, topic->id);
    }
    if (known->phase == partition_phase::fetching || known->phase == partition_phase::awaiting_validation) settle(slot);
    changed(slot);
}

// Offsets of the topic that had this name before mean nothing in this one.
void position_states::restart_as(boundary::slot_id slot, protocol::topic_id id) {
    renew(slot);
    identify(slot, id);
    auto& state = table_.change(slot);
    state.processed.reset();
    state.committed.reset();
    state.failure.reset();
    table_.note_progress(slot);
    announce(slot);
    begin(slot);
}

void position_states::validate(boundary::slot_id slot) {
    auto& state = transition_to(slot, partition_phase::awaiting_validation);
    search_.want_validation(slot, state.era);
    changed(slot);
}

void position_states::stop(boundary::slot_id slot, error failure, bool told) {
    search_.forget(slot);
    auto& state = transition_to(slot, partition_phase::stopped);
    state.failure = failure;
    if (!told) {
        boundary::completed_fetch last;
        last.slot = slot;
        last.era = state.era;
        last.partition = state.partition;
        last.from_offset = last.next_offset = state.position ? state.position->offset : -1;
        last.failure = std::move(failure);
        outbox_->add(std::move(last));
    }
    changed(slot);
}

void position_states::emit_gathered() {
    if (!changed_.empty()) context_.facts.emit(exchange::partition_changed{std::exchange(changed_, {})});
    if (!resets_.empty()) outbox_->add(boundary::notice(boundary::positions_reset{std::exchange(resets_, {})}));
    if (committed_wanted_.empty()) return;
    context_.facts.emit(exchange::committed_wanted{std::exchange(committed_wanted_, {})});
}

std::int64_t position_states::next_to_process(boundary::slot_id slot) const {
    return next_to_process_[static_cast<std::size_t>(slot.value())];
}

// ---- within

exchange::partition_state& position_states::transition_to(boundary::slot_id slot, partition_phase phase) {
    auto& state = table_.change(slot);
    assert(may_follow(state.phase, phase));
    walked_.note(static_cast<std::size_t>(state.phase), static_cast<std::size_t>(phase));
    state.phase = phase;
    return state;
}

// Where a partition starts that has no position: at what the group committed, or where the policy says.
void position_states::begin(boundary::slot_id slot) {
    auto& state = transition_to(slot, partition_phase::awaiting_committed);
    state.position.reset();
    search_.forget(slot);
    if (context_.config.group_id) {
        committed_wanted_.emplace_back(slot, state.era);
    } else {
        // Without a group nothing else could have decided.
        reset_by_policy(slot, std::nullopt);
    }
}

void position_states::reset_by_policy(boundary::slot_id slot, std::optional<position_reset> told) {
    const auto& policy = context_.config.auto_offset_reset;
    if (policy.what == boundary::reset_policy::kind::none) {
        stop(slot, no_offset_for_partition(table_.find(slot)->partition->name), false);
        return;
    }
    auto& state = transition_to(slot, partition_phase::awaiting_reset);
    state.position.reset();
    search_.want_reset(slot, state.era, policy, std::move(told));
}

// With a known epoch behind it a position is fetched from only once the present leader has confirmed it.
void position_states::settle(boundary::slot_id slot) {
    auto& state = table_.change(slot);
    const auto* leadership = leadership_of(state);
    auto& position = *state.position;
    const bool has_epoch = position.last_epoch != protocol::no_leader_epoch;
    const bool is_confirmed =
        leadership && position.current_epoch == leadership->epoch && state.phase == partition_phase::fetching;
    // A leader without an epoch is one that speaks too old a protocol to ask.
    const bool cannot_ask =
        leadership && leadership->leader != protocol::no_broker && leadership->epoch == protocol::no_leader_epoch;
    if (!has_epoch || is_confirmed || cannot_ask) {
        search_.forget(slot);
        transition_to(slot, partition_phase::fetching);
        if (leadership) position.current_epoch = leadership->epoch;
        return;
    }
    transition_to(slot, partition_phase::awaiting_validation);
    search_.want_validation(slot, state.era);
}

void position_states::identify(boundary::slot_id slot, protocol::topic_id id) {
    auto& state = table_.change(slot);
    state.partition = boundary::make_partition_ref(state.partition->name, id);
}

void position_states::renew(boundary::slot_id slot) {
    search_.forget(slot);
    set_next_to_process(slot, -1);
    table_.renew(slot);
}

// In the order of everything that is put out; what comes one after the other goes together.
void position_states::put_out(boundary::slot_update update) {
    auto* const newest = outbox_->newest();
    if (auto* const updates = newest ? std::get_if<boundary::slot_updates>(newest) : nullptr) {
        updates->which.push_back(std::move(update));
    } else {
        outbox_->add(boundary::slot_updates{{std::move(update)}});
    }
}

void position_states::announce(boundary::slot_id slot) {
    put_out(update_of(*table_.find(slot)));
    changed(slot);
}

void position_states::changed(boundary::slot_id slot) { changed_.push_back(slot); }

void position_states::set_next_to_process(boundary::slot_id slot, std::int64_t offset) {
    const auto index = static_cast<std::size_t>(slot.value());
    if (index >= next_to_process_.size()) next_to_process_.resize(index + 1, -1);
    next_to_process_[index] = offset;
}

const exchange::partition_leadership* position_states::leadership_of(const exchange::partition_state& state) const {
    return cluster_->find(state.partition->name.topic, state.partition->name.partition);
}

void position_states::note_leader(boundary::slot_id slot) {
    const auto* leadership = leadership_of(*table_.find(slot));
    const auto leader = leadership ? leadership->leader : exchange::leader_not_told;
    if (table_.find(slot)->leader != leader) table_.change(slot).leader = leader;
}

protocol::leader_epoch position_states::leader_epoch_of(const exchange::partition_state& state) const {
    const auto* leadership = leadership_of(state);
    return leadership ? leadership->epoch : protocol::no_leader_epoch;
}

}  // namespace strandline::core::offsets
