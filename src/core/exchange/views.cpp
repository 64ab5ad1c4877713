#include <utility>

#include "core/exchange/cluster_view.hpp"
#include "core/exchange/subscription_state.hpp"

namespace strandline::core::exchange {

const topic_metadata* cluster_view::find(const std::string& topic) const {
    const auto it = topics.find(topic);
    return it == topics.end() ? nullptr : &it->second;
}

const partition_leadership* cluster_view::find(const std::string& topic, std::int32_t partition) const {
    const auto* metadata = find(topic);
    if (!metadata || partition < 0 || static_cast<std::size_t>(partition) >= metadata->partitions.size())
        return nullptr;
    return &metadata->partitions[static_cast<std::size_t>(partition)];
}

const std::string* cluster_view::name_of(protocol::topic_id id) const {
    const auto it = names.find(id);
    return it == names.end() ? nullptr : &it->second;
}

namespace {

// Names as they stand in order.
auto by_name(const boundary::partition_pages& states) {
    return [&states](boundary::slot_id slot, const topic_partition& name) {
        return states.find(slot)->partition->name <=> name;
    };
}

}  // namespace

const partition_state* subscription_state::find(const topic_partition& partition) const {
    const auto* const slot = slots_.find(partition, by_name(states));
    return slot ? find(*slot) : nullptr;
}

partition_state& subscription_state::add(boundary::slot_id slot, boundary::partition_ref partition) {
    states.add(slot).partition = std::move(partition);
    slots_.insert(find(slot)->partition->name, slot, by_name(states));
    return states.change(slot);
}

void subscription_state::remove(boundary::slot_id slot) {
    const auto partition = find(slot)->partition;
    slots_.erase(partition->name, by_name(states));
    states.remove(slot);
    uncommitted.erase(slot);
}

}  // namespace strandline::core::exchange
