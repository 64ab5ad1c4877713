// The states of all assigned partitions, by slot, in pages that snapshots share: what nobody changes is kept once,
// whoever looks at it.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "core/boundary/partition_state.hpp"

namespace strandline::core::boundary {

struct partition_page {
    static constexpr std::size_t capacity = 64;
    std::vector<partition_state> partitions;  // those that are assigned, by slot
};

using page_list = std::vector<std::shared_ptr<const partition_page>>;

const partition_state* find(const page_list& pages, slot_id slot) noexcept;

// A page that was shown is never written to again: who changes a partition in it gets a page of his own first.
// States that were looked up stay where they are until the next show(), but do not follow what is changed after.
class partition_pages {
public:
    const partition_state* find(slot_id slot) const noexcept;
    // For writing. Of one that is there; stays valid until one is added or removed, or pages are shown.
    partition_state& change(slot_id slot);
    // Of one that is not there.
    partition_state& add(slot_id slot);
    void remove(slot_id slot);

    // What is there now, for good.
    const std::shared_ptr<const page_list>& show() const;

private:
    struct kept_page {
        std::shared_ptr<partition_page> page;
        mutable bool shown = false;
    };
    partition_page& own(slot_id slot);

    std::vector<kept_page> pages_;
    // Who shares what; none of it changes what is there.
    mutable std::vector<std::shared_ptr<partition_page>> replaced_;  // since pages were shown last
    mutable std::shared_ptr<const page_list> shown_ = std::make_shared<page_list>();
    mutable bool changed_ = false;
};

}  // namespace strandline::core::boundary
