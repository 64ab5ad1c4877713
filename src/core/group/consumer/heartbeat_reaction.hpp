// What an error in the answer to a heartbeat means for the member.
#pragma once

#include "protocol/broker_error.hpp"

namespace strandline::core::group::consumer {

enum class heartbeat_reaction {
    back_off,          // the coordinator cannot answer yet; ask it again later
    find_coordinator,  // another broker coordinates the group: find it and go on there
    rejoin,            // the group has forgotten this member: what it owned is lost
    report,            // the application can mend it: tell it, keep everything, try again later
    give_up,           // the group will never take this member as it is
};

heartbeat_reaction reaction_to(protocol::broker_error error) noexcept;

}  // namespace strandline::core::group::consumer
