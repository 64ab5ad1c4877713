// Which errors say that the wrong broker was asked, or that the cluster is not as the metadata has it.
#pragma once

#include "protocol/broker_error.hpp"

namespace strandline::core::exchange {

constexpr bool is_about_leadership(protocol::broker_error failure) noexcept {
    using protocol::broker_error;
    switch (failure) {
        case broker_error::unknown_topic_or_partition:
        case broker_error::leader_not_available:
        case broker_error::not_leader_or_follower:
        case broker_error::replica_not_available:
        case broker_error::kafka_storage_error:
        case broker_error::fenced_leader_epoch:
        case broker_error::unknown_leader_epoch:
        case broker_error::unknown_topic_id:
        case broker_error::inconsistent_topic_id: return true;
        default: return false;
    }
}

}  // namespace strandline::core::exchange
