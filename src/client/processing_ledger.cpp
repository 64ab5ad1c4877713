#include "client/processing_ledger.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace strandline::client {

void processing_ledger::add(std::shared_ptr<part_progress> part) {
    auto& of_slot = entries_[part->slot];
    if (of_slot.era != part->era) of_slot = {part->era, {}, -1, false};
    of_slot.parts.push_back(part);
    handed_out_.push_back(std::move(part));
    if (handed_out_.size() >= forget_at_) forget_released();
}

void processing_ledger::forget_released() {
    std::erase_if(handed_out_, [](const auto& part) { return !part->is_held(); });
    forget_at_ = 2 * handed_out_.size() + 64;
}

bool processing_ledger::collect(entry& from, counting how, std::vector<core::boundary::progress>& changed) {
    std::optional<core::boundary::progress> progress;
    while (!from.parts.empty()) {
        const auto& part = *from.parts.front();
        // In this order: who releases a part has read it before.
        const bool released = !part.is_held();
        const auto reached = part.so_far();
        const auto failure = part.failure();
        const bool handled =
            !failure && (reached.offset >= part.to || (released && how == counting::released_as_handled));
        if (!handled) {
            progress = {part.slot, part.era, reached.offset, reached.leader_epoch};
            if (failure && !std::exchange(from.failed, true)) {
                failed_.push_back({part.slot, part.era});
                troubles_.push_back(failure);
            }
            break;
        }
        const auto epoch = part.next_epoch >= 0 ? part.next_epoch : reached.leader_epoch;
        progress = {part.slot, part.era, part.to, epoch};
        from.parts.pop_front();
    }
    if (progress && progress->processed_offset != from.reported) {
        from.reported = progress->processed_offset;
        changed.push_back(*progress);
    }
    return from.parts.empty();
}

handoff::application_progress processing_ledger::collect(counting how) {
    handoff::application_progress made;
    for (auto at = entries_.begin(); at != entries_.end();) {
        if (collect(at->second, how, made.changed)) {
            made.settled.push_back({at->first, at->second.era});
            at = entries_.erase(at);
        } else {
            ++at;
        }
    }
    return made;
}

std::shared_ptr<partition_trouble> processing_ledger::pass_up_to(part_progress& part, std::int64_t next) {
    const auto at = entries_.find(part.slot);
    // Not there: all of it is processed already.
    if (at != entries_.end() && at->second.era == part.era) {
        auto& parts = at->second.parts;
        const auto own = std::ranges::find(parts, &part, &std::shared_ptr<part_progress>::get);
        if (own != parts.end()) {
            for (auto earlier = parts.begin(); earlier != own; ++earlier) {
                if (auto failure = (*earlier)->failure()) return failure;
            }
            // Taken out rather than marked: whoever still reads them would set their marks back.
            parts.erase(parts.begin(), own);
        }
    }
    if (part.so_far().offset < next) part.pass_to(next);
    return nullptr;
}

std::shared_ptr<partition_trouble> processing_ledger::take_untold() {
    while (!troubles_.empty()) {
        const auto trouble = std::move(troubles_.front());
        troubles_.erase(troubles_.begin());
        if (trouble->tell()) return trouble;
    }
    return nullptr;
}

partitions processing_ledger::held() {
    forget_released();
    std::set<topic_partition> names;
    for (const auto& part : handed_out_) names.insert(part->partition->name);
    return {names.begin(), names.end()};
}

}  // namespace strandline::client
