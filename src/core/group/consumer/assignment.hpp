// Partitions as the group names them, by topic id, against those that this member owns, by name.
#pragma once

#include <compare>
#include <cstddef>
#include <map>
#include <vector>

#include <strandline/topic_partition.hpp>

#include "base/sorted_chunks.hpp"
#include "core/boundary/identity.hpp"
#include "core/exchange/cluster_view.hpp"
#include "protocol/ids.hpp"
#include "protocol/messages/consumer_group_heartbeat.hpp"

namespace strandline::core::group::consumer {

// Each topic's partitions in order, none twice, no topic without one.
using assignment_by_id = std::map<protocol::topic_id, std::vector<protocol::partition_index>>;
// Each under the name that its id had when it was taken; in the order of names, each name once.
class owned_partitions {
public:
    using const_iterator = base::sorted_chunks<boundary::partition_ref>::const_iterator;

    bool empty() const noexcept { return owned_.empty(); }
    std::size_t size() const noexcept { return owned_.size(); }
    const_iterator begin() const noexcept { return owned_.begin(); }
    const_iterator end() const noexcept { return owned_.end(); }
    bool contains(const topic_partition& name) const { return owned_.find(name, by_name) != nullptr; }
    // Under this very id, taken at that time.
    bool contains(const boundary::partition_ref& partition) const;

    void add(boundary::partition_ref partition);
    void remove(const boundary::partition_ref& partition) { owned_.erase(partition->name, by_name); }

private:
    static std::strong_ordering by_name(const boundary::partition_ref& owned, const topic_partition& name) {
        return owned->name <=> name;
    }
    base::sorted_chunks<boundary::partition_ref> owned_;
};

// What an answer names, brought into order.
assignment_by_id assignment_of(
    const std::vector<protocol::messages::consumer_group_heartbeat_response::topic_partitions_value>& told);
assignment_by_id ids_of(const owned_partitions& owned);
partitions names_of(const owned_partitions& owned);
partitions names_of(const std::vector<boundary::partition_ref>& which);

// What has to happen for `owned` to become `target`.
struct assignment_difference {
    std::vector<boundary::partition_ref> leaving;
    std::vector<boundary::partition_ref> added;
    std::vector<protocol::topic_id> unnamed;  // of the target, without a name as yet: nothing of them can be added
};
// A partition whose name is still owned under another id (its topic was made again) is added only once that one has
// left.
assignment_difference difference(const owned_partitions& owned, const assignment_by_id& target,
                                 const exchange::cluster_view& cluster);

}  // namespace strandline::core::group::consumer
