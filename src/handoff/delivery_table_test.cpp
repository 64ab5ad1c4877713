#include "handoff/delivery_table.hpp"

#include <memory>

#include <gtest/gtest.h>

namespace strandline::handoff {
namespace {

using core::boundary::incarnation;
using core::boundary::operation_token;
using core::boundary::partition_identity;
using core::boundary::slot_id;
using core::boundary::slot_update;

const slot_id slot{3};
const incarnation first{1};
const incarnation second{2};
const topic_partition orders_0{"orders", 0};

slot_update open_slot(incarnation era) {
    slot_update made;
    made.slot = slot;
    made.era = era;
    made.partition = std::make_shared<const partition_identity>(partition_identity{orders_0, {}});
    return made;
}

delivery_table open_table() {
    delivery_table table;
    table.update(open_slot(first));
    return table;
}

TEST(delivery_table, lets_pass_what_is_assigned_and_open) {
    auto table = open_table();
    EXPECT_EQ(table.judge(slot, first), verdict::deliver);
    EXPECT_EQ(table.judge(slot_id(9), first), verdict::drop);
}

TEST(delivery_table, drops_data_of_an_earlier_incarnation) {
    auto table = open_table();
    table.update(open_slot(second));
    EXPECT_EQ(table.judge(slot, first), verdict::drop);
    EXPECT_EQ(table.judge(slot, second), verdict::deliver);
}

TEST(delivery_table, keeps_back_what_is_paused_fenced_or_before_its_callback) {
    for (const auto flag : {&slot_update::paused, &slot_update::fenced, &slot_update::callback_pending}) {
        auto table = open_table();
        auto update = open_slot(first);
        update.*flag = true;
        table.update(update);
        EXPECT_EQ(table.judge(slot, first), verdict::keep_back);
        EXPECT_TRUE(table.update(open_slot(first)).opened);
        EXPECT_EQ(table.judge(slot, first), verdict::deliver);
    }
}

TEST(delivery_table, acknowledges_a_fence_at_once_when_nothing_is_handed_out) {
    auto table = open_table();
    auto fence = open_slot(first);
    fence.fenced = true;
    EXPECT_TRUE(table.update(fence).fence_is_met);
    EXPECT_FALSE(table.update(fence).fence_is_met) << "once";
    EXPECT_FALSE(table.fences_wait());
}

TEST(delivery_table, lets_a_fence_wait_while_records_are_handed_out) {
    auto table = open_table();
    table.on_handed_out(slot, 10, 1);
    auto fence = open_slot(first);
    fence.fenced = true;
    const auto change = table.update(fence);
    EXPECT_TRUE(change.fence_waits);
    EXPECT_FALSE(change.fence_is_met);
    ASSERT_EQ(table.meet_fences().size(), 1U);
    EXPECT_TRUE(table.meet_fences().empty());
}

TEST(delivery_table, meets_a_waiting_fence_when_what_was_handed_out_is_settled) {
    auto table = open_table();
    table.on_handed_out(slot, 10, 1);
    auto fence = open_slot(first);
    fence.fenced = true;
    table.update(fence);
    EXPECT_TRUE(table.on_settled({slot, first}));
    EXPECT_FALSE(table.fences_wait());
}

TEST(delivery_table, forgets_a_waiting_fence_with_its_partition) {
    auto table = open_table();
    table.on_handed_out(slot, 10, 1);
    auto fence = open_slot(first);
    fence.fenced = true;
    table.update(fence);
    auto gone = open_slot(first);
    gone.assigned = false;
    table.update(gone);
    EXPECT_FALSE(table.fences_wait());
    EXPECT_EQ(table.judge(slot, first), verdict::drop);
}

TEST(delivery_table, closes_gates_at_once_and_opens_them_with_the_end_of_each_call) {
    auto table = open_table();
    const std::vector<topic_partition> which{orders_0};
    table.close_gates(operation_token(1), which);
    table.close_gates(operation_token(2), {});
    EXPECT_EQ(table.judge(slot, first), verdict::keep_back);
    EXPECT_TRUE(table.open_gates(operation_token(1)).empty());
    EXPECT_EQ(table.judge(slot, first), verdict::keep_back);
    EXPECT_EQ(table.open_gates(operation_token(2)), std::vector{slot});
    EXPECT_EQ(table.judge(slot, first), verdict::deliver);
}

TEST(delivery_table, knows_where_the_application_stands) {
    auto table = open_table();
    EXPECT_FALSE(table.position(orders_0).has_value());
    table.on_delivered(slot, first, 100);
    EXPECT_EQ(table.position(orders_0)->offset, 100);
    table.on_delivered(slot, first, 300);
    table.on_handed_out(slot, 200, 4);
    EXPECT_EQ(table.position(orders_0)->offset, 200);
    table.update(open_slot(second));
    EXPECT_FALSE(table.position(orders_0).has_value());
}

TEST(delivery_table, drops_everything_of_a_partition_that_proved_bad_until_it_is_sought) {
    auto table = open_table();
    table.stop(slot, first);
    EXPECT_EQ(table.judge(slot, first), verdict::drop);
    table.update(open_slot(second));
    EXPECT_EQ(table.judge(slot, second), verdict::deliver);
}

TEST(delivery_table, a_name_belongs_to_the_slot_that_took_it_last) {
    auto table = open_table();
    auto elsewhere = open_slot(first);
    elsewhere.slot = slot_id(5);
    table.update(elsewhere);
    // The slot that had the name before goes; the name stays where it is.
    auto gone = open_slot(first);
    gone.assigned = false;
    table.update(gone);
    table.on_handed_out(slot_id(5), 7, 1);
    EXPECT_EQ(table.position(orders_0)->offset, 7);
    elsewhere.assigned = false;
    table.update(elsewhere);
    EXPECT_FALSE(table.position(orders_0));
    table.update(elsewhere);
    EXPECT_FALSE(table.position(orders_0)) << "gone once is gone";
}

TEST(delivery_table, an_update_without_a_name_keeps_the_one_it_has) {
    auto table = open_table();
    auto nameless = open_slot(second);
    nameless.partition = nullptr;
    table.update(nameless);
    table.on_handed_out(slot, 7, -1);
    EXPECT_EQ(table.position(orders_0)->offset, 7);
    EXPECT_FALSE(table.position(orders_0)->leader_epoch);
}

TEST(delivery_table, what_is_told_of_another_incarnation_or_slot_changes_nothing) {
    auto table = open_table();
    table.on_delivered(slot, second, 9);
    table.on_delivered(slot_id(9), first, 9);
    EXPECT_FALSE(table.position(orders_0));
    table.on_delivered(slot, first, 3);
    table.on_delivered(slot, first, 9);
    EXPECT_EQ(table.position(orders_0)->offset, 3) << "where the first of it begins";
    table.on_taken_back(slot, 5);
    EXPECT_EQ(table.position(orders_0)->offset, 3);
    table.on_taken_back(slot, 1);
    EXPECT_EQ(table.position(orders_0)->offset, 1);
    EXPECT_FALSE(table.on_settled({slot, second}));
    table.stop(slot, second);
    EXPECT_EQ(table.judge(slot, first), verdict::deliver);
}

TEST(delivery_table, a_gate_of_nothing_that_is_assigned_closes_nothing) {
    auto table = open_table();
    const topic_partition unknown{"bills", 0};
    table.close_gates(operation_token(1), {{unknown}});
    EXPECT_EQ(table.judge(slot, first), verdict::deliver);
    EXPECT_TRUE(table.open_gates(operation_token(1)).empty());
    EXPECT_FALSE(table.position(unknown));
    delivery_table empty;
    empty.close_gates(operation_token(2), {});
    EXPECT_TRUE(empty.open_gates(operation_token(2)).empty());
}

TEST(delivery_table, a_fence_of_a_new_incarnation_is_another_fence) {
    auto table = open_table();
    auto fenced = open_slot(first);
    fenced.fenced = true;
    EXPECT_TRUE(table.update(fenced).fence_is_met);
    EXPECT_FALSE(table.update(fenced).fence_is_met) << "the same again";
    fenced.era = second;
    EXPECT_TRUE(table.update(fenced).fence_is_met);
}

}  // namespace
}  // namespace strandline::handoff
