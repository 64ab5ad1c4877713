// The trace of the last turns, and what publishing costs when nobody asks.
#include <algorithm>
#include <cstdint>
#include <string>

#include <gmock/gmock.h>

#include "tests/explain/allocations.hpp"
#include "tests/explain/driven_consumer.hpp"

namespace strandline::explain_tests {
namespace {

using testing::Contains;
using testing::HasSubstr;

TEST(turn_trace, tells_what_came_in_who_decided_what_and_what_went_out) {
    driven_consumer rig(config_of(std::nullopt));
    rig.topic();
    rig.assign({orders_0});
    const auto first = rig.explain().turns.back();
    EXPECT_THAT(first.came_in, Contains("command assign"));
    EXPECT_THAT(first.answered, Contains(HasSubstr("fetching")));
    EXPECT_THAT(first.went_out, Contains("1 connection opened"));
    rig.pass(2s);
    const auto turns = rig.explain().turns;
    EXPECT_THAT(turns.back().came_in, Contains(HasSubstr("of fetching from broker 1 after 0.5 s")));
    EXPECT_THAT(turns.back().answered, Contains(HasSubstr("fetching awaits the answer to request")));
    EXPECT_THAT(turns.back().went_out, Contains(HasSubstr("Fetch request")));
}

TEST(turn_trace, keeps_the_last_turns_and_no_more) {
    driven_consumer rig(config_of(std::nullopt));
    rig.topic();
    rig.assign({orders_0});
    rig.pass(60s);
    const auto turns = rig.explain().turns;
    ASSERT_EQ(turns.size(), handoff::turn_trace::capacity);
    for (std::size_t i = 1; i < turns.size(); ++i) EXPECT_EQ(turns[i].number, turns[i - 1].number + 1);
    EXPECT_EQ(turns.back().number, rig.meeting.snapshot()->version);
}

TEST(turn_trace, is_noted_without_allocating) {
    handoff::turn_trace trace;
    boundary::turn_record turn;
    const auto before = allocations();
    for (int i = 0; i < 1000; ++i) {
        ++turn.number;
        turn.answers.add({});
        trace.add(turn);
    }
    EXPECT_EQ(allocations(), before);
    EXPECT_EQ(trace.all().back().number, 1000U);
}

// A turn that changes nothing: the snapshot, its waits and its pages, however much there is to explain.
TEST(publishing, costs_a_turn_that_changed_nothing_the_same_whatever_there_is_to_explain) {
    const auto cost_of_a_quiet_turn = [](std::int32_t topics) {
        driven_consumer rig;
        std::vector<std::string> names;
        for (std::int32_t i = 0; i < topics; ++i) {
            names.push_back("a-topic-with-a-name-that-does-not-fit-" + std::to_string(i));
            rig.topic(names.back(), 4);
        }
        names.emplace_back("a-topic-that-does-not-exist-and-has-a-long-name");
        rig.subscribe(names);
        rig.enter_poll();
        rig.pass(10s);
        std::size_t fewest = SIZE_MAX;
        for (int i = 0; i < 20; ++i) {
            const auto before = allocations();
            rig.turn_for_nothing();
            fewest = std::min(fewest, allocations() - before);
        }
        return fewest;
    };
    EXPECT_EQ(cost_of_a_quiet_turn(2), cost_of_a_quiet_turn(200));
}

}  // namespace
}  // namespace strandline::explain_tests
