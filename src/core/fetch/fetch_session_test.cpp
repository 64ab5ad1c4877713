#include "core/fetch/fetch_session.hpp"

#include <limits>
#include <memory>

#include <gtest/gtest.h>

namespace strandline::core::fetch {

namespace {

protocol::topic_id id_of(std::uint8_t number) {
    protocol::topic_id id;
    id.octets[15] = number;
    return id;
}

fetch_entry entry(std::uint32_t slot, std::int32_t partition, std::int64_t offset, std::uint8_t topic = 1) {
    fetch_entry made;
    made.slot = boundary::slot_id(slot);
    made.era = boundary::incarnation(slot + 1U);
    made.partition = std::make_shared<const boundary::partition_identity>(
        boundary::partition_identity{{"orders", partition}, topic == 0 ? protocol::topic_id{} : id_of(topic)});
    made.offset = offset;
    return made;
}

fetch_session open_session(const std::vector<fetch_entry>& entries, bool by_id = true) {
    fetch_session session;
    session.on_answer(session.open(entries, by_id), 9);
    return session;
}

}  // namespace

TEST(fetch_session, epochs_count_up_from_one_and_come_round_to_one) {
    auto session = open_session({entry(0, 0, 5)});
    EXPECT_FALSE(session.needs_all(true));
    auto step = session.go_on({}, {});
    EXPECT_EQ(step.epoch.value(), 1);
    step.epoch = protocol::session_epoch(std::numeric_limits<std::int32_t>::max());
    session.on_answer(step, 9);
    EXPECT_EQ(session.go_on({}, {}).epoch.value(), 1);
}

TEST(fetch_session, state_advances_with_the_answer_and_not_with_the_request) {
    auto session = open_session({entry(0, 0, 5)});
    const auto step = session.go_on({entry(0, 0, 8)}, {});
    EXPECT_EQ(session.find(id_of(1), 0)->offset, 5);
    session.on_answer(step, 9);
    EXPECT_EQ(session.find(id_of(1), 0)->offset, 8);
}

TEST(fetch_session, what_the_broker_knows_is_not_told_again) {
    const auto known = entry(0, 0, 5);
    const auto session = open_session({known});
    EXPECT_TRUE(session.go_on({known}, {}).updated.empty());
    auto moved = known;
    moved.offset = 6;
    EXPECT_EQ(session.go_on({moved}, {}).updated.size(), 1U);
}

TEST(fetch_session, a_partition_asked_for_under_another_slot_is_not_forgotten_in_the_same_request) {
    const auto old = entry(0, 0, 5);
    const auto session = open_session({old});
    const auto step = session.go_on({entry(7, 0, 5)}, {{old.slot, old.partition}});
    EXPECT_EQ(step.updated.size(), 1U);
    EXPECT_TRUE(step.forgotten.empty());
}

TEST(fetch_session,
     by_id_another_topic_of_the_same_name_is_added_and_the_former_forgotten_and_by_name_it_is_an_update) {
    const auto by_id = open_session({entry(0, 0, 5, 1)});
    auto step = by_id.go_on({entry(1, 0, 0, 2)}, {});
    ASSERT_EQ(step.forgotten.size(), 1U);
    EXPECT_EQ(step.forgotten[0]->topic_id, id_of(1));

    const auto by_name = open_session({entry(0, 0, 5, 1)}, false);
    step = by_name.go_on({entry(1, 0, 0, 2)}, {});
    EXPECT_TRUE(step.forgotten.empty());
    EXPECT_EQ(step.updated.size(), 1U);
}

TEST(fetch_session, an_answer_is_looked_up_under_the_id_that_was_asked_for) {
    const auto session = open_session({entry(0, 0, 5, 1)});
    EXPECT_NE(session.find(id_of(1), 0), nullptr);
    EXPECT_EQ(session.find(id_of(2), 0), nullptr);
    EXPECT_EQ(session.find(id_of(1), 1), nullptr);
    EXPECT_NE(session.find("orders", 0), nullptr);
}

TEST(fetch_session, without_a_session_nothing_is_closed_and_everything_is_named_each_time) {
    fetch_session session;
    EXPECT_FALSE(session.close());
    session.on_answer(session.open({entry(0, 0, 5)}, true), 0);
    EXPECT_TRUE(session.needs_all(true));
    EXPECT_FALSE(session.close());
    const auto open = open_session({entry(0, 0, 5)});
    ASSERT_TRUE(open.close());
    EXPECT_EQ(open.close()->epoch.value(), -1);
    EXPECT_EQ(open.close()->session_id, 9);
}

TEST(fetch_session, a_change_from_names_to_ids_needs_a_new_session) {
    const auto session = open_session({entry(0, 0, 5, 0)}, false);
    EXPECT_TRUE(session.needs_all(true));
    EXPECT_FALSE(session.needs_all(false));
}

}  // namespace strandline::core::fetch
