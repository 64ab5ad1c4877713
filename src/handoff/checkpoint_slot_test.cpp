#include "handoff/checkpoint_slot.hpp"

#include <chrono>

#include <gtest/gtest.h>

namespace strandline::handoff {
namespace {

using core::boundary::incarnation;
using core::boundary::slot_id;
using namespace std::chrono_literals;

application_progress processed(std::uint32_t slot, std::uint64_t era, std::int64_t offset) {
    application_progress made;
    made.changed.push_back({slot_id(slot), incarnation(era), offset, 3});
    return made;
}

TEST(checkpoint_slot, folds_progress_of_a_partition_into_its_newest) {
    checkpoint_slot slot;
    slot.fold(processed(4, 1, 10));
    slot.fold(processed(2, 1, 5));
    slot.fold(processed(4, 1, 20));
    const auto taken = slot.take();
    ASSERT_TRUE(taken.has_value());
    ASSERT_EQ(taken->changed.size(), 2U);
    EXPECT_EQ(taken->changed[0].processed_offset, 20);
    EXPECT_EQ(taken->changed[1].processed_offset, 5);
}

TEST(checkpoint_slot, never_lets_an_earlier_incarnation_replace_a_later_one) {
    checkpoint_slot slot;
    slot.fold(processed(0, 2, 3));
    slot.fold(processed(0, 1, 900));
    EXPECT_EQ(slot.take()->changed.front().processed_offset, 3);
}

TEST(checkpoint_slot, tells_each_thing_once_and_where_the_application_is_always) {
    checkpoint_slot slot;
    EXPECT_FALSE(slot.take().has_value());
    application_progress entry;
    entry.inside_poll = true;
    entry.polled = base::instant(5s);
    slot.fold(entry);
    const auto first = slot.take();
    EXPECT_TRUE(first->inside_poll);
    EXPECT_EQ(first->last_poll, base::instant(5s));
    slot.fold(processed(0, 1, 1));
    const auto second = slot.take();
    EXPECT_TRUE(second->inside_poll);
    EXPECT_FALSE(second->last_poll.has_value());
    EXPECT_FALSE(slot.take().has_value());
}

}  // namespace
}  // namespace strandline::handoff
