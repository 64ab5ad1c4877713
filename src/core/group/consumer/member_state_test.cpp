#include "core/group/consumer/member_state.hpp"

#include <initializer_list>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace strandline::core::group::consumer {
namespace {

using enum member_state;

// Leads from the start to each state by legal steps.
const std::map<member_state, std::vector<member_state>> ways{
    {unsubscribed, {}},
    {joining, {joining}},
    {stable, {joining, stable}},
    {reconciling, {joining, reconciling}},
    {acknowledging, {joining, reconciling, acknowledging}},
    {fenced, {joining, fenced}},
    {preparing_to_leave, {joining, preparing_to_leave}},
    {leaving, {joining, leaving}},
    {stale, {joining, leaving, stale}},
    {fatal, {joining, fatal}},
};

member_life life_in(member_state state) {
    member_life life;
    for (const auto step : ways.at(state)) life.transition_to(step);
    return life;
}

TEST(member_state, every_state_can_be_reached_by_legal_steps) {
    for (const auto state : member_states) EXPECT_EQ(life_in(state).state(), state);
}

TEST(member_state, every_legal_transition_moves_and_every_other_one_asserts) {
    for (const auto from : member_states) {
        for (const auto to : member_states) {
            auto life = life_in(from);
            if (from == to || may_follow(from, to)) {
                life.transition_to(to);
                EXPECT_EQ(life.state(), to);
            } else {
                EXPECT_DEBUG_DEATH(life.transition_to(to), "may_follow") << to_string(from) << " -> " << to_string(to);
            }
        }
    }
}

TEST(member_state, no_state_but_fatal_is_a_dead_end) {
    for (const auto state : member_states) EXPECT_EQ(successors(state).empty(), state == fatal) << to_string(state);
}

TEST(member_state, a_member_becomes_stale_only_after_it_has_left) {
    for (const auto state : member_states) EXPECT_EQ(may_follow(state, stale), state == leaving) << to_string(state);
}

TEST(member_state, acknowledging_comes_only_after_reconciling) {
    for (const auto state : member_states) {
        EXPECT_EQ(may_follow(state, acknowledging), state == reconciling) << to_string(state);
    }
}

TEST(member_state, only_those_whom_the_group_counts_on_are_members) {
    for (const auto state : {joining, stable, reconciling, acknowledging, preparing_to_leave}) {
        EXPECT_TRUE(is_member(state)) << to_string(state);
    }
    for (const auto state : {unsubscribed, fenced, leaving, stale, fatal}) {
        EXPECT_FALSE(is_member(state)) << to_string(state);
    }
}

std::string table() {
    std::string text;
    for (const auto state : member_states) {
        text.append(to_string(state)).append(" -> {");
        for (const auto next : member_states) {
            if (may_follow(state, next)) text.append(" ").append(to_string(next));
        }
        text.append(" }\n");
    }
    return text;
}

TEST(member_state, its_successors_are_those_of_the_protocol) {
    EXPECT_EQ(table(), R"(unsubscribed -> { joining }
joining -> { stable reconciling fenced preparing_to_leave leaving fatal }
stable -> { reconciling fenced preparing_to_leave leaving fatal }
reconciling -> { stable acknowledging fenced preparing_to_leave leaving fatal }
acknowledging -> { stable reconciling fenced preparing_to_leave leaving fatal }
fenced -> { unsubscribed joining }
preparing_to_leave -> { unsubscribed fenced leaving fatal }
leaving -> { unsubscribed stale }
stale -> { unsubscribed joining }
fatal -> { }
)");
}

}  // namespace
}  // namespace strandline::core::group::consumer
