#include "core/fetch/fetch_board.hpp"

#include <algorithm>
#include <functional>

namespace strandline::core::fetch {

using exchange::partition_phase;

fetch_board::fetch_board(const exchange::manager_context& context,
                         kernel::view<exchange::subscription_state> subscription,
                         kernel::view<exchange::cluster_view> cluster)
    : context_(context),
      subscription_(subscription),
      cluster_(cluster),
      budget_(context.config.memory_limit),
      draw_(context.random) {}

tracked_partition& fetch_board::at(boundary::slot_id slot) {
    const auto index = static_cast<std::size_t>(slot.value());
    if (index >= tracked_.size()) tracked_.resize(index + 1);
    return tracked_[index];
}

partition_extras& fetch_board::extras_of(boundary::slot_id slot) {
    auto& extras = at(slot).extras;
    if (!extras) extras = std::make_unique<partition_extras>(context_.config.retry);
    return *extras;
}

void fetch_board::look_at(boundary::slot_id slot) {
    auto& tracked = at(slot);
    if (std::exchange(tracked.queued, true)) return;
    queue_.push_back(slot);
}

void fetch_board::place_all(base::instant now) {
    while (!timers_.empty() && timers_.begin()->first <= now) {
        look_at(timers_.begin()->second);
        timers_.erase(timers_.begin());
    }
    for (const auto slot : std::exchange(queue_, {})) {
        at(slot).queued = false;
        place(slot, now);
    }
}

void fetch_board::place(boundary::slot_id slot, base::instant now) {
    const auto* state = subscription_->find(slot);
    auto& tracked = at(slot);
    const auto home = [&] {
        if (!state || state->era != tracked.era) start_over(slot, tracked, state);
        return state ? home_of(*state, tracked, now) : protocol::no_broker;
    }();
    if (tracked.broker != protocol::no_broker && (home != tracked.broker || tracked.identity != state->partition)) {
        unlink(slot);
    }
    if (home == protocol::no_broker) return;
    if (tracked.broker == protocol::no_broker) link(slot, home, *state);
    mark(slot);
}

protocol::broker_id fetch_board::home_of(const exchange::partition_state& state, tracked_partition& tracked,
                                         base::instant now) {
    if (!state.fetchable() || tracked.withheld) return protocol::no_broker;
    if (tracked.extras) {
        auto& extras = *tracked.extras;
        if (!extras.backoff.may_try(now)) {
            timers_.emplace(extras.backoff.allowed_at(), state.slot);
            return protocol::no_broker;
        }
        if (extras.replica != protocol::no_broker) {
            if (extras.replica_until > now && cluster_->brokers.contains(extras.replica)) {
                timers_.emplace(extras.replica_until, state.slot);
                return extras.replica;
            }
            extras.replica = protocol::no_broker;
        }
    }
    const auto* leadership = cluster_->find(state.partition->name.topic, state.partition->name.partition);
    return leadership ? leadership->leader : protocol::no_broker;
}

// What was known of an earlier incarnation says nothing about this one; where its replica is, still does.
void fetch_board::start_over(boundary::slot_id slot, tracked_partition& tracked,
                             const exchange::partition_state* state) {
    withhold(tracked, false);
    tracked.polled_from = tracked.urged_from = -1;
    if (auto former = std::move(tracked.extras)) {
        count_waiting(slot, *former, 0);
        if (former->replica != protocol::no_broker && state && state->partition == tracked.identity) {
            tracked.extras = std::make_unique<partition_extras>(context_.config.retry);
            tracked.extras->replica = former->replica;
            tracked.extras->replica_until = former->replica_until;
        }
    }
    tracked.era = state ? state->era : boundary::incarnation{};
}

void fetch_board::link(boundary::slot_id slot, protocol::broker_id broker, const exchange::partition_state& state) {
    auto& tracked = at(slot);
    auto& fetcher = brokers_.try_emplace(broker, context_.config.retry).first->second;
    tracked.broker = broker;
    tracked.identity = state.partition;
    fetcher.order.push_back(tracked_, slot);
    if (tracked.identity->topic_id.is_zero()) ++fetcher.without_id;
    tracked.is_of_replica = tracked.replica() == broker;
    if (tracked.is_of_replica) ++fetcher.of_replica;
}

void fetch_board::unlink(boundary::slot_id slot) {
    auto& tracked = at(slot);
    auto& fetcher = brokers_.at(tracked.broker);
    fetcher.order.remove(tracked_, slot);
    fetcher.dropped.push_back({slot, tracked.identity});
    if (tracked.identity->topic_id.is_zero()) --fetcher.without_id;
    if (tracked.is_of_replica) --fetcher.of_replica;
    tracked.broker = protocol::no_broker;
    tracked.dirty = tracked.is_of_replica = false;
    tracked.polled_from = -1;
}

void fetch_board::mark(boundary::slot_id slot) {
    auto& tracked = at(slot);
    auto& fetcher = brokers_.at(tracked.broker);
    if (!std::exchange(tracked.dirty, true)) fetcher.dirty.push_back(slot);
    if (fetcher.polling) fetcher.urgent_wish.push_back(slot);
}

const exchange::partition_state* fetch_board::current(const fetch_entry& entry) const {
    const auto* state = subscription_->find(entry.slot);
    const bool counts = state && state->era == entry.era && state->phase == partition_phase::fetching &&
                        !state->fenced && state->position->offset == entry.offset;
    return counts ? state : nullptr;
}

fetch_entry fetch_board::entry_of(boundary::slot_id slot) const {
    const auto& tracked = tracked_[static_cast<std::size_t>(slot.value())];
    const auto& state = *subscription_->find(slot);
    fetch_entry entry;
    entry.slot = slot;
    entry.era = state.era;
    entry.partition = tracked.identity;
    entry.offset = state.position->offset;
    entry.leader_epoch = state.position->current_epoch;
    entry.max_bytes =
        std::max(context_.config.max_partition_fetch_bytes, tracked.extras ? tracked.extras->max_bytes : 0);
    entry.of_follower = tracked.is_of_replica;
    return entry;
}

void fetch_board::hold_off(boundary::slot_id slot, exchange::failure_cause why, base::instant now) {
    newest_trouble_ = why;
    extras_of(slot).backoff.on_failure(now, draw_.at(now), why);
    look_at(slot);
}

void fetch_board::on_success(boundary::slot_id slot) {
    if (auto& extras = at(slot).extras) extras->backoff.on_success();
}

void fetch_board::read_from_replica(boundary::slot_id slot, protocol::broker_id replica, base::instant now) {
    auto& extras = extras_of(slot);
    extras.replica = replica;
    extras.replica_until = base::saturating_add(now, context_.config.metadata_max_age);
    look_at(slot);
}

void fetch_board::read_from_leader(boundary::slot_id slot) {
    if (auto& extras = at(slot).extras) extras->replica = protocol::no_broker;
    look_at(slot);
}

void fetch_board::leave_replica(protocol::broker_id broker) {
    const auto it = brokers_.find(broker);
    if (it == brokers_.end() || it->second.of_replica == 0) return;
    for (auto slot = it->second.order.first(); slot != tracked_partition::none; slot = tracked_[slot].next) {
        if (tracked_[slot].is_of_replica) read_from_leader(boundary::slot_id(slot));
    }
}

void fetch_board::ask_last(boundary::slot_id slot) {
    const auto broker = at(slot).broker;
    if (broker != protocol::no_broker) brokers_.at(broker).order.move_to_back(tracked_, slot);
}

// ---- data that waits for the application

void fetch_board::on_handed_over(boundary::slot_id slot, std::int64_t next_offset, std::size_t bytes) {
    auto& extras = extras_of(slot);
    extras.waiting.push_back({next_offset, bytes});
    count_waiting(slot, extras, extras.waiting_bytes + bytes);
    if (extras.waiting_bytes >= share()) withhold(at(slot), true);
}

void fetch_board::on_drained(const boundary::buffer_drained& drained) {
    auto& tracked = at(drained.slot);
    if (tracked.era != drained.era || !tracked.extras) return;
    auto left = tracked.extras->waiting_bytes;
    std::erase_if(tracked.extras->waiting, [&](const auto& chunk) {
        if (chunk.next_offset > drained.next_offset) return false;
        left -= chunk.bytes;
        return true;
    });
    count_waiting(drained.slot, *tracked.extras, left);
    tracked.extras->recalled = false;
    // What was given back may be asked for beside a long poll once more.
    if (drained.given_back_from >= 0) tracked.urged_from = -1;
    if (!tracked.withheld || left > share() / 2) return;
    withhold(tracked, false);
    look_at(drained.slot);
}

void fetch_board::count_waiting(boundary::slot_id slot, partition_extras& extras, std::size_t bytes) {
    if (extras.waiting_bytes == 0 && bytes > 0) {
        extras.waiting_place = with_waiting_.size();
        with_waiting_.push_back(slot);
    } else if (extras.waiting_bytes > 0 && bytes == 0) {
        const auto last = with_waiting_.back();
        with_waiting_[extras.waiting_place] = last;
        with_waiting_.pop_back();
        if (last != slot) at(last).extras->waiting_place = extras.waiting_place;
    }
    extras.waiting_bytes = bytes;
}

void fetch_board::recall(std::size_t wanted, exchange::outbox& out) {
    std::vector<std::pair<std::size_t, boundary::slot_id>> idle;
    for (const auto slot : with_waiting_) {
        const auto* state = subscription_->find(slot);
        const auto& tracked = at(slot);
        const bool waits_in_vain = state && state->era == tracked.era && state->paused && !state->fenced &&
                                   state->phase == partition_phase::fetching;
        if (waits_in_vain && !tracked.extras->recalled) idle.emplace_back(tracked.waiting_bytes(), slot);
    }
    // The most at once.
    std::sort(idle.begin(), idle.end(), std::greater<>());
    for (const auto& [bytes, slot] : idle) {
        if (wanted == 0) return;
        out.add(boundary::buffer_recall{slot, at(slot).era});
        at(slot).extras->recalled = true;
        wanted -= std::min(wanted, bytes);
    }
}

void fetch_board::withhold(tracked_partition& tracked, bool withheld) {
    if (tracked.withheld == withheld) return;
    tracked.withheld = withheld;
    withheld ? ++withheld_ : --withheld_;
}

std::size_t fetch_board::share() const {
    std::size_t ahead = 0;
    for (const auto& [id, fetcher] : brokers_) {
        if (!fetcher.order.empty()) ahead += fetch_budget::answers_ahead * fetcher.answer_size;
    }
    return budget_.share(with_waiting_.size(),
                         std::max(ahead, fetch_budget::answers_ahead * fetch_budget::answer_size));
}

}  // namespace strandline::core::fetch
