#include "client/operations/looking.hpp"

#include <algorithm>

#include "core/boundary/snapshot.hpp"

namespace strandline::client {

namespace {

template <class Wanted>
partitions names_of(const consumer_state& state, Wanted wanted) {
    const auto published = state.meeting.snapshot();
    partitions names;
    for (const auto& page : *published->pages) {
        for (const auto& each : page->partitions) {
            if (wanted(each)) names.push_back(each.partition->name);
        }
    }
    std::ranges::sort(names);
    return names;
}

}  // namespace

partitions assignment(const consumer_state& state) {
    return names_of(state, [](const auto&) { return true; });
}

partitions paused(const consumer_state& state) {
    return names_of(state, [](const auto& each) { return each.paused; });
}

std::vector<std::string> subscription(const consumer_state& state) {
    return state.meeting.snapshot()->subscription->topics;
}

std::optional<std::int64_t> lag(const consumer_state& state, const topic_partition& partition) {
    const bool read_committed = state.core.isolation == core::boundary::isolation_level::read_committed;
    const auto slot = state.meeting.slot(partition);
    if (!slot) return std::nullopt;
    const auto published = state.meeting.snapshot();
    const auto* const known = core::boundary::find(*published->pages, *slot);
    // A slot that was freed meanwhile may be another partition's.
    if (!known || known->partition->name != partition) return std::nullopt;
    const auto end = read_committed ? known->last_stable_offset : known->high_watermark;
    const auto handed_out = state.meeting.position(partition);
    if (end < 0 || (!handed_out && !known->position)) return std::nullopt;
    const auto at = handed_out ? handed_out->offset : known->position->offset;
    return std::max<std::int64_t>(end - at, 0);
}

strandline::group_metadata group_metadata(const consumer_state& state) {
    const auto published = state.meeting.snapshot();
    strandline::group_metadata made;
    made.group_id = state.config.group_id.value_or("");
    made.generation_or_epoch = published->member->member_epoch;
    made.member_id = published->member->member_id;
    made.group_instance_id = state.config.group_instance_id;
    return made;
}

void wakeup(consumer_state& state) noexcept { state.meeting.wakeup(); }

void request_close(consumer_state& state) noexcept {
    state.close_requested = true;
    state.meeting.look_again();
}

}  // namespace strandline::client
