#include "core/group/consumer/member_state.hpp"

#include <algorithm>
#include <cassert>

namespace strandline::core::group::consumer {

namespace {

using enum member_state;

constexpr std::array after_unsubscribed{joining};
constexpr std::array after_joining{stable, reconciling, fenced, preparing_to_leave, leaving, fatal};
constexpr std::array after_stable{reconciling, fenced, preparing_to_leave, leaving, fatal};
constexpr std::array after_reconciling{stable, acknowledging, fenced, preparing_to_leave, leaving, fatal};
constexpr std::array after_acknowledging{stable, reconciling, fenced, preparing_to_leave, leaving, fatal};
constexpr std::array after_fenced{joining, unsubscribed};
constexpr std::array after_preparing_to_leave{leaving, unsubscribed, fenced, fatal};
constexpr std::array after_leaving{unsubscribed, stale};
constexpr std::array after_stale{joining, unsubscribed};

}  // namespace

std::string_view to_string(member_state state) noexcept {
    switch (state) {
        case unsubscribed: return "unsubscribed";
        case joining: return "joining";
        case stable: return "stable";
        case reconciling: return "reconciling";
        case acknowledging: return "acknowledging";
        case fenced: return "fenced";
        case preparing_to_leave: return "preparing_to_leave";
        case leaving: return "leaving";
        case stale: return "stale";
        case fatal: return "fatal";
    }
    return "unknown";
}

std::span<const member_state> successors(member_state state) noexcept {
    switch (state) {
        case unsubscribed: return after_unsubscribed;
        case joining: return after_joining;
        case stable: return after_stable;
        case reconciling: return after_reconciling;
        case acknowledging: return after_acknowledging;
        case fenced: return after_fenced;
        case preparing_to_leave: return after_preparing_to_leave;
        case leaving: return after_leaving;
        case stale: return after_stale;
        case fatal: return {};
    }
    return {};
}

bool may_follow(member_state state, member_state next) noexcept {
    const auto allowed = successors(state);
    return std::find(allowed.begin(), allowed.end(), next) != allowed.end();
}

bool is_member(member_state state) noexcept {
    return state == joining || state == stable || state == reconciling || state == acknowledging ||
           state == preparing_to_leave;
}

boundary::member_standing standing_of(member_state state) noexcept {
    switch (state) {
        case joining: return boundary::member_standing::joining;
        case stable:
        case acknowledging: return boundary::member_standing::settled;
        case preparing_to_leave:
        case leaving: return boundary::member_standing::leaving;
        case unsubscribed:
        case reconciling:
        case fenced:
        case stale:
        case fatal: break;
    }
    return boundary::member_standing::other;
}

void member_life::transition_to(member_state next) noexcept {
    assert(next == state_ || may_follow(state_, next));
    walked_.note(static_cast<std::size_t>(state_), static_cast<std::size_t>(next));
    state_ = next;
}

}  // namespace strandline::core::group::consumer
