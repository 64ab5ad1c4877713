#include "core/offsets/position_manager.hpp"

#include <algorithm>
#include <cassert>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "core/offsets/position_errors.hpp"

namespace strandline::core::offsets {

using exchange::partition_phase;
using exchange::wait_reason;

namespace {

const char* what_is_awaited(const exchange::partition_state& state) {
    if (state.phase == partition_phase::awaiting_committed) return "its committed offset";
    if (state.phase == partition_phase::awaiting_reset) return "the offset that its reset policy means";
    return "its leader to validate the position";
}

}  // namespace

position_manager::position_manager(const exchange::manager_context& context,
                                   kernel::view<exchange::connections_handle> connections,
                                   kernel::view<exchange::cluster_view> cluster)
    : context_(context),
      cluster_(cluster),
      states_(context, cluster, outbox_),
      inquiry_(context, connections, cluster, states_) {}

// ---- commands

void position_manager::on_command(const boundary::command::assign& command, boundary::operation_token token,
                                  base::instant, exchange::turn_time) {
    const auto& subscription = states_.table().get();
    const std::set<topic_partition> wanted(command.wanted.begin(), command.wanted.end());
    std::vector<boundary::slot_id> leaving;
    for (const auto slot : subscription.slots()) {
        const auto& partition = subscription.find(slot)->partition->name;
        if (!subscription.by_hand || !wanted.contains(partition)) leaving.push_back(slot);
    }
    remove_by_hand(leaving);
    states_.table().set_by_hand(true);
    for (const auto& partition : wanted) {
        if (!states_.table().find(partition)) add_by_hand(partition);
    }
    tell(interest());
    states_.emit_gathered();
    complete(token, boundary::operation_value(boundary::done{}));
}

void position_manager::on_command(const boundary::command::pause& command, boundary::operation_token token,
                                  base::instant, exchange::turn_time) {
    if (!all_assigned(command.which, "pause", token)) return;
    for (const auto& partition : command.which) states_.set_paused(states_.table().find(partition)->slot, true);
    states_.emit_gathered();
    complete(token, boundary::operation_value(boundary::done{}));
}

void position_manager::on_command(const boundary::command::resume& command, boundary::operation_token token,
                                  base::instant, exchange::turn_time) {
    if (!all_assigned(command.which, "resume", token)) return;
    for (const auto& partition : command.which) states_.set_paused(states_.table().find(partition)->slot, false);
    states_.emit_gathered();
    complete(token, boundary::operation_value(boundary::done{}));
}

void position_manager::on_command(const boundary::command::seek& command, boundary::operation_token token,
                                  base::instant, exchange::turn_time) {
    if (!all_assigned({command.partition}, "seek", token)) return;
    assert(command.offset >= 0);  // the client has looked
    states_.seek(states_.table().find(command.partition)->slot, command.offset, command.leader_epoch);
    states_.emit_gathered();
    complete(token, boundary::operation_value(boundary::done{}));
}

void position_manager::on_command(const boundary::command::seek_to& command, boundary::operation_token token,
                                  base::instant, exchange::turn_time) {
    using end = boundary::command::seek_to::end;
    using kind = boundary::reset_policy::kind;
    if (!all_assigned(command.which, "seek", token)) return;
    const boundary::reset_policy where{command.where == end::beginning ? kind::earliest : kind::latest, {}};
    std::vector<boundary::slot_id> slots;
    for (const auto& partition : command.which) slots.push_back(states_.table().find(partition)->slot);
    if (command.which.empty()) {
        const auto& all = states_.table().get().slots();
        slots.assign(all.begin(), all.end());
    }
    for (const auto slot : slots) states_.seek_to(slot, where);
    states_.emit_gathered();
    complete(token, boundary::operation_value(boundary::done{}));
}

void position_manager::on_command(const boundary::command::position& command, boundary::operation_token token,
                                  base::instant deadline, exchange::turn_time) {
    if (!all_assigned({command.partition}, "position", token)) return;
    waiting_.push_back({token, deadline, command.partition});
}

void position_manager::on_cancel(boundary::operation_token token, exchange::turn_time) {
    const auto it = std::find_if(waiting_.begin(), waiting_.end(), [&](const auto& w) { return w.token == token; });
    if (it == waiting_.end()) return;
    complete(token, tl::unexpected(error(errc::timed_out, "position was cancelled")));
    waiting_.erase(it);
}

// ---- what the application has done

void position_manager::on_checkpoint(const boundary::checkpoint& checkpoint, exchange::turn_time) {
    for (const auto& progress : checkpoint.changed) {
        if (progress.processed_offset < 0 || !states_.table().find(progress.slot, progress.era)) continue;
        states_.note_processed(progress.slot, progress.processed_offset, progress.leader_epoch);
    }
}

void position_manager::on_given_back(const boundary::buffer_drained& drained, exchange::turn_time) {
    if (states_.table().find(drained.slot, drained.era)) states_.on_given_back(drained.slot, drained.given_back_from);
    states_.emit_gathered();
}

void position_manager::on_fence_acknowledged(const boundary::fence_acknowledged& acknowledged, exchange::turn_time) {
    const auto it = unmet_fences_.find(acknowledged.slot);
    // An incarnation that began after the fence is fenced from its beginning.
    if (it == unmet_fences_.end() || acknowledged.era < it->second) return;
    unmet_fences_.erase(it);
    tell_fences_met();
}

void position_manager::on_response(const exchange::response& response, exchange::turn_time time) {
    inquiry_.on_response(response, time);
    states_.emit_gathered();
}

// ---- facts

void position_manager::on_fact(const exchange::assignment_changed& fact, exchange::turn_time) {
    for (const auto& partition : fact.removed) {
        if (const auto* state = states_.table().find(partition)) remove(state->slot);
    }
    for (const auto& partition : fact.added) {
        // The same name with another id: the topic was made anew.
        if (const auto* state = states_.table().find(partition->name)) remove(state->slot);
        states_.assign(partition, fact.callback_pending);
    }
    tell_interest_if_new();
    states_.emit_gathered();
}

void position_manager::on_fact(const exchange::fence_wanted& fact, exchange::turn_time) {
    for (const auto& partition : fact.leaving) {
        const auto* state = states_.table().find(partition);
        if (!state) continue;
        if (!state->fenced) unmet_fences_.emplace(state->slot, state->era);
        states_.set_fenced(state->slot);
    }
    states_.emit_gathered();
    if (fact.ticket != 0) awaited_fence_ = fact.ticket;
    tell_fences_met();
}

void position_manager::on_fact(const exchange::callback_acknowledged& fact, exchange::turn_time) {
    for (const auto& partition : fact.which) {
        if (const auto* state = states_.table().find(partition)) states_.acknowledge_callback(state->slot);
    }
    states_.emit_gathered();
}

void position_manager::on_fact(const exchange::subscription_replaced& fact, exchange::turn_time) {
    const auto& subscription = states_.table().get();
    if (subscription.by_hand && !fact.by_hand) {
        remove_by_hand({subscription.slots().begin(), subscription.slots().end()});
        states_.table().set_by_hand(false);
        tell(interest());
    } else {
        states_.table().set_by_hand(fact.by_hand);
    }
    states_.emit_gathered();
}

void position_manager::on_fact(const exchange::leadership_changed& fact, exchange::turn_time) {
    for (const auto& partition : fact.which) {
        if (const auto* state = states_.table().find(partition)) states_.on_leadership(state->slot);
    }
    states_.emit_gathered();
}

void position_manager::on_fact(const exchange::committed_known& fact, exchange::turn_time) {
    const auto* state = states_.table().find(fact.slot, fact.era);
    if (!state || state->phase != partition_phase::awaiting_committed) return;
    if (fact.failure) {
        states_.stop(fact.slot, *fact.failure, false);
    } else {
        states_.on_committed(fact.slot, fact.committed);
    }
    states_.emit_gathered();
}

void position_manager::on_fact(const exchange::offsets_committed& fact, exchange::turn_time) {
    for (const auto& [slot, committed] : fact.which) {
        if (states_.table().find(slot)) states_.note_committed(slot, committed);
    }
}

void position_manager::on_fact(const exchange::position_advanced& fact, exchange::turn_time) {
    states_.on_advanced(fact);
}

void position_manager::on_fact(const exchange::position_out_of_range& fact, exchange::turn_time) {
    const auto* state = states_.table().find(fact.slot, fact.era);
    if (!state || state->phase != partition_phase::fetching || state->position->offset != fact.offset) return;
    states_.on_out_of_range(fact.slot, fact.log_start_offset, fact.high_watermark);
    states_.emit_gathered();
}

void position_manager::on_fact(const exchange::position_doubted& fact, exchange::turn_time) {
    const auto* state = states_.table().find(fact.slot, fact.era);
    if (!state || state->phase != partition_phase::fetching) return;
    states_.validate(fact.slot);
    states_.emit_gathered();
}

void position_manager::on_fact(const exchange::partition_failed& fact, exchange::turn_time) {
    const auto* state = states_.table().find(fact.slot, fact.era);
    if (!state || state->phase == partition_phase::stopped) return;
    states_.stop(fact.slot, fact.reason, true);
    states_.emit_gathered();
}

bool position_manager::on_turn(exchange::turn_time) {
    const bool validated = inquiry_.on_turn();
    states_.emit_gathered();
    // What was given up meanwhile meets no application any more.
    tell_fences_met();
    return validated;
}

// ---- plan

exchange::plan position_manager::plan(exchange::turn_time time) {
    if (auto ready = outbox_.take()) return std::move(*ready);
    exchange::pending_wait wait;
    answer_waiting(time, wait);
    report_unseen();
    inquiry_.plan(time, outbox_, wait);
    if (auto ready = outbox_.take()) return std::move(*ready);
    if (states_.table().get().slots().empty()) wait.because_of(wait_reason::nothing_assigned);
    return wait.answer();
}

void position_manager::answer_waiting(exchange::turn_time time, exchange::pending_wait& wait) {
    std::erase_if(waiting_, [&](const waiting_position& waiting) {
        const auto* state = states_.table().find(waiting.partition);
        if (!state) {
            complete(waiting.token, tl::unexpected(not_assigned(waiting.partition, "position")));
        } else if (state->phase == partition_phase::fetching) {
            boundary::position_value value{states_.next_to_process(state->slot), {}};
            if (value.offset == state->position->offset && state->position->last_epoch != protocol::no_leader_epoch) {
                value.leader_epoch = state->position->last_epoch.value();
            }
            complete(waiting.token, boundary::operation_value(value));
        } else if (state->phase == partition_phase::stopped) {
            complete(waiting.token, tl::unexpected(*state->failure));
        } else if (waiting.deadline <= time.now) {
            error_subject about;
            about.partition = waiting.partition;
            complete(waiting.token,
                     tl::unexpected(error(errc::timed_out,
                                          fmt::format("the position of {} is not known yet: waited for {}",
                                                      to_string(waiting.partition), what_is_awaited(*state)),
                                          std::move(about), {true, false})));
        } else {
            wait.until(time.now, waiting.deadline);
            if (state->phase == partition_phase::awaiting_committed) wait.because_of(wait_reason::committed_unknown);
            return false;
        }
        return true;
    });
}

// Once for each partition, from a Metadata answer that came after the assignment: it goes on waiting to appear.
void position_manager::report_unseen() {
    std::erase_if(unseen_, [&](unseen_partition& unseen) {
        const auto* state = states_.table().find(unseen.slot, unseen.era);
        if (!state) return true;
        const auto& name = state->partition->name;
        if (cluster_->find(name.topic, name.partition)) return true;
        const auto* topic = cluster_->find(name.topic);
        if (unseen.reported || cluster_->answers <= unseen.answers_before || !topic) return false;
        error_subject about;
        about.partition = name;
        about.topic = name.topic;
        if (topic->failure == protocol::broker_error::unknown_topic_or_partition) {
            outbox_.add(boundary::notice(boundary::error_raised{error(
                errc::topic_not_found, fmt::format("topic {} does not exist", name.topic), about, {true, false})}));
        } else if (topic->failure == protocol::broker_error::none && !topic->partitions.empty()) {
            outbox_.add(boundary::notice(
                boundary::error_raised{error(errc::partition_not_found,
                                             fmt::format("topic {} has no partition {}: it has {}", name.topic,
                                                         name.partition, topic->partitions.size()),
                                             about, {true, false})}));
        } else {
            return false;
        }
        unseen.reported = true;
        return false;
    });
}

// ---- within

void position_manager::complete(boundary::operation_token token, result<boundary::operation_value> outcome) {
    outbox_.add(boundary::completion{token, std::move(outcome)});
}

bool position_manager::all_assigned(const partitions& which, const char* call, boundary::operation_token token) {
    for (const auto& partition : which) {
        if (states_.table().find(partition)) continue;
        complete(token, tl::unexpected(not_assigned(partition, call)));
        return false;
    }
    return true;
}

void position_manager::remove_by_hand(const std::vector<boundary::slot_id>& leaving) {
    exchange::offsets_left left;
    for (const auto slot : leaving) {
        const auto& state = *states_.table().find(slot);
        if (states_.table().get().uncommitted.contains(slot))
            left.which.emplace_back(state.partition, *state.processed);
        remove(slot);
    }
    if (!left.which.empty()) context_.facts.emit(std::move(left));
}

void position_manager::add_by_hand(const topic_partition& partition) {
    states_.assign(boundary::make_partition_ref(partition), false);
    const auto& state = *states_.table().find(partition);
    unseen_.push_back({state.slot, state.era, cluster_->answers, false});
}

// Also what a group assigned: a subscription that brokers match names no topic. And the broker that assigns may know of
// a topic's growth before we do.
exchange::topics_of_interest position_manager::interest() const {
    exchange::topics_of_interest all;
    all.who = exchange::topics_of_interest::source::assignment;
    for (const auto slot : states_.table().get().slots()) {
        const auto& partition = states_.table().find(slot)->partition->name;
        if (all.names.empty() || all.names.back() != partition.topic) all.names.push_back(partition.topic);
        if (!cluster_->find(partition.topic, partition.partition)) all.unheard_of.push_back(partition);
    }
    return all;
}

void position_manager::tell(exchange::topics_of_interest interest) {
    told_interest_ = interest;
    context_.facts.emit(std::move(interest));
}

void position_manager::tell_interest_if_new() {
    auto now = interest();
    const bool is_same = now.names == told_interest_.names;
    if (!is_same || !now.unheard_of.empty() || !told_interest_.unheard_of.empty()) tell(std::move(now));
}

void position_manager::remove(boundary::slot_id slot) {
    unmet_fences_.erase(slot);
    states_.unassign(slot);
}

void position_manager::tell_fences_met() {
    if (awaited_fence_ == 0 || !unmet_fences_.empty()) return;
    context_.facts.emit(exchange::fences_met{std::exchange(awaited_fence_, 0)});
}

}  // namespace strandline::core::offsets
