// What a run can come into, by name, and all of it as a list: what a set of runs has not reached it has not tested.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "testkit/simulator/checkers/observation.hpp"

namespace strandline::testkit::sim {

using observed::call_kind;

// What of a member's is in flight to its coordinator.
enum class group_request : std::uint8_t { nothing, heartbeat, commit, committed };
inline constexpr std::size_t group_requests = 4;
inline constexpr std::size_t coordinator_reaches = static_cast<std::size_t>(observed::coordinator_reach::ready) + 1;
inline constexpr std::size_t call_kinds = static_cast<std::size_t>(call_kind::close) + 1;
// Calls that only leave a wish behind, and are over at once or in the turn in which they came.
constexpr bool is_at_once(call_kind what) noexcept {
    return (what <= call_kind::seek_to && what != call_kind::unsubscribe) || what == call_kind::commit_async;
}

std::string_view to_string(observed::coordinator_reach reach) noexcept;
std::string_view to_string(call_kind what) noexcept;

// "member stable, coordinator ready, heartbeat under way".
std::string situation_of(std::string_view member, observed::coordinator_reach coordinator, group_request what);
// "member stable, in commit()".
std::string situation_of(std::string_view member, call_kind what);
// "coordinator connecting, in commit()".
std::string situation_of(observed::coordinator_reach coordinator, call_kind what);
// "fetch is answered NOT_LEADER_OR_FOLLOWER".
std::string situation_of(protocol::api_key api, protocol::broker_error error);

// Every one there is: kinds of faults, steps of transition tables, members by their coordinator and what is under way,
// errors by API. Made from the tables themselves, so that what is new there is looked for here.
std::vector<std::string> all_situations();

}  // namespace strandline::testkit::sim
