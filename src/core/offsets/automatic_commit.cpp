#include "core/offsets/automatic_commit.hpp"

#include <algorithm>

namespace strandline::core::offsets {

namespace {

commit_item item_of(const exchange::partition_state& state) {
    return {state.partition->name, state.partition->topic_id, state.slot, *state.processed};
}

}  // namespace

automatic_commit::automatic_commit(const boundary::core_config& config,
                                   kernel::view<exchange::subscription_state> subscription)
    : enabled_(config.enable_auto_commit && config.group_id.has_value()),
      interval_(std::max<base::duration>(config.auto_commit_interval, base::duration(1))),
      subscription_(subscription),
      backoff_(config.retry) {}

void automatic_commit::begin(base::instant now) noexcept {
    if (enabled_ && due_at_ == base::never) next_after(now);
}

void automatic_commit::on_explicit(const commit_items& items) {
    for (const auto& item : items) {
        const auto* state = item.slot ? subscription_->find(*item.slot) : nullptr;
        if (state) floors_.insert_or_assign(*item.slot, std::pair(state->era, item.offset.offset));
    }
}

void automatic_commit::on_explicit_failed(const commit_items& items) {
    for (const auto& item : items) {
        if (!item.slot) continue;
        const auto it = floors_.find(*item.slot);
        if (it != floors_.end() && it->second.second == item.offset.offset) floors_.erase(it);
    }
}

commit_items automatic_commit::processed() const {
    commit_items items;
    for (const auto slot : subscription_->uncommitted) items.push_back(item_of(*subscription_->find(slot)));
    return items;
}

commit_items automatic_commit::covered() const {
    commit_items items;
    if (!enabled_) return items;
    for (const auto slot : subscription_->uncommitted) {
        const auto& state = *subscription_->find(slot);
        if (covers(state)) items.push_back(item_of(state));
    }
    return items;
}

bool automatic_commit::covers_something() const {
    const auto& uncommitted = subscription_->uncommitted;
    return enabled_ && std::any_of(uncommitted.begin(), uncommitted.end(),
                                   [&](const auto slot) { return covers(*subscription_->find(slot)); });
}

bool automatic_commit::covers(const exchange::partition_state& state) const {
    const auto it = floors_.find(state.slot);
    return it == floors_.end() || it->second.first != state.era || it->second.second < state.processed->offset;
}

}  // namespace strandline::core::offsets
