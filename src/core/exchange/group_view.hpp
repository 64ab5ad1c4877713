// The group as its member sees it: where the coordinator is, who we are.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <strandline/error.hpp>

#include "protocol/ids.hpp"

namespace strandline::core::exchange {

// Owned by the coordinator manager.
struct coordinator_view {
    protocol::broker_id broker = protocol::no_broker;  // no_broker: unknown
    std::uint64_t version = 0;                         // of this finding; a loss names the version it saw
    // Set: the cluster will not tell, for good; who waits for a coordinator waits in vain.
    std::optional<error> refusal = {};
    bool known() const noexcept { return broker != protocol::no_broker; }
};

// Owned by the membership manager. Member id and epoch change together.
struct member_view {
    bool in_group = false;  // has a member epoch that commits may carry (> 0)
    std::string member_id;
    protocol::member_epoch epoch{-1};
    std::uint64_t incarnation = 0;  // counts joins; a commit of an earlier one is void
    bool fatal = false;             // the group refuses us for good
};

}  // namespace strandline::core::exchange
