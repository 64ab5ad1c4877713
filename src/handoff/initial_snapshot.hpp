// What the application sees before the reactor has published anything.
#pragma once

#include <memory>

#include "core/boundary/snapshot.hpp"

namespace strandline::handoff {

inline core::boundary::snapshot_ref initial_snapshot() {
    auto made = std::make_shared<core::boundary::snapshot>();
    made->pages = std::make_shared<const core::boundary::page_list>();
    made->subscription = std::make_shared<const core::boundary::subscription_snapshot>();
    made->member = std::make_shared<const core::boundary::member_snapshot>();
    made->network = std::make_shared<const core::boundary::network_snapshot>();
    made->cluster = std::make_shared<const core::boundary::cluster_snapshot>();
    return made;
}

}  // namespace strandline::handoff
