// Whether a broker may answer for a group, as every request about one asks first.
#pragma once

#include "protocol/broker_error.hpp"
#include "testkit/fake_cluster/call.hpp"
#include "testkit/fake_cluster/consumer_groups.hpp"

namespace strandline::testkit::fake {

inline protocol::broker_error check_coordinator(const call& call, const std::string& group) {
    const auto coordinator = call.all.groups.coordinator_of(group);
    return coordinator == call.broker.id ? protocol::broker_error::none : protocol::broker_error::not_coordinator;
}

}  // namespace strandline::testkit::fake
