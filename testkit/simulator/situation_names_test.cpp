#include "testkit/simulator/situation_names.hpp"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

namespace strandline::testkit::sim {
namespace {

bool lists(const std::vector<std::string>& all, const char* name) {
    return std::find(all.begin(), all.end(), name) != all.end();
}

TEST(all_situations, come_from_the_tables_and_are_named_once_each) {
    const auto all = all_situations();
    EXPECT_EQ(std::set<std::string>(all.begin(), all.end()).size(), all.size());
    EXPECT_TRUE(lists(all, "fault fail_allocation"));
    EXPECT_TRUE(lists(all, "member joining -> stable"));
    EXPECT_TRUE(lists(all, "partition fetching -> stopped"));
    EXPECT_TRUE(lists(all, "connection handshaking -> ready"));
    EXPECT_TRUE(lists(all, "fact leadership_changed -> partition_changed"));
    EXPECT_TRUE(lists(all, "member stable, coordinator ready, heartbeat under way"));
    EXPECT_TRUE(lists(all, "coordinator unknown, in commit()"));
    EXPECT_TRUE(lists(all, "Fetch is answered NOT_LEADER_OR_FOLLOWER"));
}

TEST(all_situations, hold_no_step_that_the_tables_do_not_allow) {
    const auto all = all_situations();
    EXPECT_FALSE(lists(all, "member fatal -> joining"));
    EXPECT_FALSE(lists(all, "connection closed -> ready"));
    EXPECT_FALSE(lists(all, "close drain -> open"));
    EXPECT_FALSE(lists(all, "partition fetching -> fetching"));
    for (const auto* step : {"close open -> commit", "close leave -> drain", "close drain -> stopped"}) {
        EXPECT_TRUE(lists(all, step)) << step;
    }
}

TEST(transition_tables, name_every_state_differently) {
    for (const auto& table : transition_tables()) {
        std::set<std::string_view> names;
        for (std::size_t i = 0; i < table.states; ++i) names.insert(table.state(i));
        EXPECT_EQ(names.size(), table.states) << table.name;
    }
}

}  // namespace
}  // namespace strandline::testkit::sim
