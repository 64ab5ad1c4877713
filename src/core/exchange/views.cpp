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

const partition_state* subscription_state::find(boundary::slot_id slot) const {
    return slot.value() < states.size() ? states[slot.value()].get() : nullptr;
}

const partition_state* subscription_state::find(const topic_partition& partition) const {
    const auto it = slots.find(partition);
    return it == slots.end() ? nullptr : find(it->second);
}

}  // namespace strandline::core::exchange
