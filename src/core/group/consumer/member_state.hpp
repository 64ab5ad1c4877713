// The life of a member of a consumer group (KIP-848): its states, what may follow what, and the only way from one to
// the next.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/boundary/snapshot.hpp"
#include "core/kernel/walked_steps.hpp"

namespace strandline::core::group::consumer {

enum class member_state : std::uint8_t {
    unsubscribed,        // no member; sends nothing. A poll after subscribe ends it.
    joining,             // epoch 0 is being sent until the group answers
    stable,              // owns what it was assigned, and the group knows
    reconciling,  // was assigned something else: gives up, takes, or waits for a topic's name. Heartbeats go on.
    acknowledging,  // owns something else than the group was told; the next heartbeat tells, at once
    fenced,  // the group has forgotten this member: what it owned is lost. It joins again at once.
    preparing_to_leave,  // commits and lets the listener give up the partitions. Heartbeats go on.
    leaving,  // owns nothing; the leave is to be sent, or its answer is awaited. It is sent once.
    stale,  // left because the application did not poll. Its next poll ends it.
    fatal,  // the group refuses this member for good; nothing is sent any more
};

inline constexpr std::array member_states{
    member_state::unsubscribed,
    member_state::joining,
    member_state::stable,
    member_state::reconciling,
    member_state::acknowledging,
    member_state::fenced,
    member_state::preparing_to_leave,
    member_state::leaving,
    member_state::stale,
    member_state::fatal,
};

std::string_view to_string(member_state state) noexcept;

// What may follow `state`.
std::span<const member_state> successors(member_state state) noexcept;
bool may_follow(member_state state, member_state next) noexcept;

// The group counts on this member: it heartbeats, and its epoch is being kept or sought.
bool is_member(member_state state) noexcept;

// As explain() tells it.
boundary::member_standing standing_of(member_state state) noexcept;

// Holds the state. Starts unsubscribed.
class member_life {
public:
    member_state state() const noexcept { return state_; }
    // `next` must be a successor of the state, or the state itself, which changes nothing.
    void transition_to(member_state next) noexcept;
    const kernel::walked_steps& walked() const noexcept { return walked_; }

private:
    member_state state_ = member_state::unsubscribed;
    kernel::walked_steps walked_;
};

}  // namespace strandline::core::group::consumer
