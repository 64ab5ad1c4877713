// Partitions as the group names them, by topic id, against those that this member owns, by name.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include <strandline/topic_partition.hpp>

#include "core/boundary/identity.hpp"
#include "core/exchange/cluster_view.hpp"
#include "protocol/ids.hpp"
#include "protocol/messages/consumer_group_heartbeat.hpp"

namespace strandline::core::group::consumer {

// Each topic's partitions in order, none twice, no topic without one.
using assignment_by_id = std::map<protocol::topic_id, std::vector<protocol::partition_index>>;
// Each under the name that its id had when it was taken.
using owned_partitions = std::map<topic_partition, boundary::partition_ref>;

// What an answer names, brought into order.
assignment_by_id assignment_of(
    const std::vector<protocol::messages::consumer_group_heartbeat_response::topic_partitions_value>& told);
assignment_by_id ids_of(const owned_partitions& owned);
partitions names_of(const owned_partitions& owned);
partitions names_of(const std::vector<boundary::partition_ref>& which);

// What has to happen for `owned` to become `target`.
struct assignment_difference {
    std::vector<boundary::partition_ref> leaving;
    std::vector<boundary::partition_identity> added;
    std::vector<protocol::topic_id> unnamed;  // of the target, without a name as yet: nothing of them can be added
};
// A partition whose name is still owned under another id (its topic was made again) is added only once that one has
// left.
assignment_difference difference(const owned_partitions& owned, const assignment_by_id& target,
                                 const exchange::cluster_view& cluster);

}  // namespace strandline::core::group::consumer
