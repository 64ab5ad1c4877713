#include "handoff/fetch_queue.hpp"

#include <algorithm>
#include <utility>

namespace strandline::handoff {

using core::boundary::buffer_drained;
using core::boundary::slot_id;

void fetch_queue::push(core::boundary::completed_fetch data) {
    bytes_ += data.batches.size();
    const auto from = data.from_offset;
    ready_.push_back({std::make_shared<const core::boundary::completed_fetch>(std::move(data)), from});
}

void fetch_queue::used_up(const item& done, std::vector<buffer_drained>& drained) {
    bytes_ -= done.source->batches.size();
    drained.push_back({done.source->slot, done.source->era, done.source->next_offset});
}

void fetch_queue::take(delivery_table& table, const take_limits& limits, std::vector<fetched_piece>& into,
                       std::vector<buffer_drained>& drained) {
    std::size_t bytes = 0;
    auto records_left = limits.records;
    const bool counted = limits.records > 0;
    while (!ready_.empty() && (into.empty() || bytes < limits.bytes) && (!counted || records_left > 0)) {
        auto& first = ready_.front();
        const auto& data = *first.source;
        switch (table.judge(data.slot, data.era)) {
            case verdict::drop:
                used_up(first, drained);
                ready_.pop_front();
                continue;
            case verdict::keep_back:
                aside(data.slot).push_back(std::move(first));
                ready_.pop_front();
                continue;
            case verdict::deliver: break;
        }
        fetched_piece piece{first.source, first.from, data.next_offset, true, {}};
        if (counted && piece.to - piece.from > records_left) {
            piece.to = piece.from + records_left;
            piece.last = false;
            if (!first.place) first.place = std::make_shared<reading_place>();
        }
        piece.place = first.place;
        records_left -= piece.to - piece.from;
        bytes += data.batches.size();
        table.on_handed_out(data.slot, piece.to, piece.last ? data.next_leader_epoch : -1);
        into.push_back(piece);
        if (piece.last) {
            used_up(first, drained);
            ready_.pop_front();
        } else {
            first.from = piece.to;
        }
    }
}

void fetch_queue::bring_back(slot_id slot) {
    auto kept = aside_.extract(slot);
    if (kept.empty()) return;
    auto& items = kept.mapped();
    ready_.insert(ready_.begin(), std::make_move_iterator(items.begin()), std::make_move_iterator(items.end()));
}

void fetch_queue::drop_stale(slot_id slot, const delivery_table& table, std::vector<buffer_drained>& drained) {
    const auto found = aside_.find(slot);
    if (found == aside_.end()) return;
    std::erase_if(found->second, [&](const item& kept) {
        if (table.is_current(slot, kept.source->era)) return false;
        used_up(kept, drained);
        return true;
    });
    if (found->second.empty()) aside_.erase(found);
}

std::optional<buffer_drained> fetch_queue::give_back(slot_id slot, core::boundary::incarnation era) {
    std::optional<buffer_drained> given;
    const auto give = [&](const item& one) {
        const auto& source = *one.source;
        if (source.slot != slot || source.era != era) return false;
        bytes_ -= source.batches.size();
        if (!given) given.emplace(buffer_drained{slot, era, source.next_offset, one.from});
        given->next_offset = std::max(given->next_offset, source.next_offset);
        given->given_back_from = std::min(given->given_back_from, one.from);
        return true;
    };
    if (const auto kept = aside_.find(slot); kept != aside_.end()) {
        std::erase_if(kept->second, give);
        if (kept->second.empty()) aside_.erase(kept);
    }
    std::erase_if(ready_, give);
    return given;
}

void fetch_queue::put_back(const fetched_piece& piece) {
    const auto slot = piece.source->slot;
    // A fetch of which only a first stretch was taken still stands in the queue: let it begin earlier again.
    const auto same = std::ranges::find(ready_, piece.source, &item::source);
    if (same != ready_.end()) {
        same->from = piece.from;
        return;
    }
    bytes_ += piece.source->batches.size();
    aside(slot).push_back({piece.source, piece.from, piece.place});
}

}  // namespace strandline::handoff
