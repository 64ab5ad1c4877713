// Whether a broker may answer for a partition, as every partition's request asks first.
#pragma once

#include <tl/expected.hpp>

#include "protocol/broker_error.hpp"
#include "testkit/fake_cluster/call.hpp"

namespace strandline::testkit::fake {

// `known_epoch` is the leader epoch the client knows, -1 for none (KIP-320).
inline protocol::broker_error check_leadership(const partition_state* partition, protocol::broker_id asked,
                                               std::int32_t known_epoch) {
    using protocol::broker_error;
    if (!partition) return broker_error::unknown_topic_or_partition;
    if (partition->leader == protocol::no_broker) return broker_error::leader_not_available;
    if (partition->leader != asked) return broker_error::not_leader_or_follower;
    if (known_epoch >= 0 && known_epoch < partition->leader_epoch) return broker_error::fenced_leader_epoch;
    if (known_epoch > partition->leader_epoch) return broker_error::unknown_leader_epoch;
    return broker_error::none;
}

// The partition for which `asked` answers, or why it does not. `topic` may be null.
inline tl::expected<partition_state*, protocol::broker_error> find_led_partition(topic_state* topic,
                                                                                 protocol::partition_index index,
                                                                                 protocol::broker_id asked,
                                                                                 std::int32_t known_epoch = -1) {
    auto* partition = topic ? topic->find(index.value()) : nullptr;
    const auto error = check_leadership(partition, asked, known_epoch);
    if (error != protocol::broker_error::none) return tl::unexpected(error);
    return partition;
}

}  // namespace strandline::testkit::fake
