#include "core/boundary/partition_pages.hpp"

#include <algorithm>
#include <utility>

namespace strandline::core::boundary {

namespace {

std::size_t page_of(slot_id slot) { return static_cast<std::size_t>(slot.value()) / partition_page::capacity; }

template <class Partitions>
auto place_of(Partitions& partitions, slot_id slot) {
    return std::partition_point(partitions.begin(), partitions.end(),
                                [&](const partition_state& one) { return one.slot < slot; });
}

const partition_state* find_in(const partition_page& page, slot_id slot) noexcept {
    const auto& partitions = page.partitions;
    // Mostly no slot is free.
    const auto usual = static_cast<std::size_t>(slot.value()) % partition_page::capacity;
    if (usual < partitions.size() && partitions[usual].slot == slot) return &partitions[usual];
    const auto found = place_of(partitions, slot);
    return found != partitions.end() && found->slot == slot ? &*found : nullptr;
}

}  // namespace

const partition_state* find(const page_list& pages, slot_id slot) noexcept {
    return page_of(slot) < pages.size() ? find_in(*pages[page_of(slot)], slot) : nullptr;
}

const partition_state* partition_pages::find(slot_id slot) const noexcept {
    return page_of(slot) < pages_.size() ? find_in(*pages_[page_of(slot)].page, slot) : nullptr;
}

partition_state& partition_pages::change(slot_id slot) {
    own(slot);
    return const_cast<partition_state&>(*find(slot));
}

partition_state& partition_pages::add(slot_id slot) {
    while (page_of(slot) >= pages_.size()) pages_.push_back({std::make_shared<partition_page>(), false});
    auto& partitions = own(slot).partitions;
    auto& made = *partitions.emplace(place_of(partitions, slot));
    made.slot = slot;
    return made;
}

void partition_pages::remove(slot_id slot) {
    auto& partitions = own(slot).partitions;
    partitions.erase(place_of(partitions, slot));
}

partition_page& partition_pages::own(slot_id slot) {
    changed_ = true;
    auto& kept = pages_[page_of(slot)];
    if (std::exchange(kept.shown, false)) {
        replaced_.push_back(kept.page);
        auto made = std::make_shared<partition_page>();
        // Another one may be added.
        made->partitions.reserve(std::min(kept.page->partitions.size() + 1, partition_page::capacity));
        made->partitions = kept.page->partitions;
        kept.page = std::move(made);
    }
    return *kept.page;
}

const std::shared_ptr<const page_list>& partition_pages::show() const {
    if (!std::exchange(changed_, false)) return shown_;
    auto made = std::make_shared<page_list>();
    made->reserve(pages_.size());
    for (const auto& kept : pages_) {
        kept.shown = true;
        made->push_back(kept.page);
    }
    shown_ = std::move(made);
    replaced_.clear();
    return shown_;
}

}  // namespace strandline::core::boundary
