#include "client/processing_ledger.hpp"

#include <memory>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace strandline::client {
namespace {

using core::boundary::incarnation;
using core::boundary::slot_id;
using counting = processing_ledger::counting;

std::shared_ptr<part_progress> part(std::uint32_t slot, std::int64_t from, std::int64_t to, std::uint64_t era = 1) {
    static const auto orders = std::make_shared<const core::boundary::partition_identity>(
        core::boundary::partition_identity{{"orders", 0}, {}});
    return std::make_shared<part_progress>(slot_id(slot), incarnation(era), orders, from, to, 7);
}

void cannot_be_read(part_progress& part, std::int64_t at) {
    part.fail(
        std::make_shared<partition_trouble>(part.partition, error(errc::corrupt_record, fmt::format("at {}", at))));
}

TEST(processing_ledger, counts_the_unbroken_run_of_processed_stretches) {
    processing_ledger ledger;
    const auto first = part(0, 0, 10);
    const auto second = part(0, 10, 20);
    const auto third = part(0, 20, 30);
    for (const auto& each : {first, second, third}) ledger.add(each);
    first->finish();
    third->finish();
    second->pass_to(12);
    const auto told = ledger.collect(counting::as_read);
    ASSERT_EQ(told.changed.size(), 1U);
    EXPECT_EQ(told.changed.front().processed_offset, 12);
    EXPECT_TRUE(told.settled.empty());
}

TEST(processing_ledger, settles_a_partition_when_everything_of_it_is_processed) {
    processing_ledger ledger;
    const auto only = part(3, 0, 10);
    ledger.add(only);
    only->finish();
    const auto told = ledger.collect(counting::as_read);
    EXPECT_EQ(told.changed.front().processed_offset, 10);
    EXPECT_EQ(told.changed.front().leader_epoch, 7);
    ASSERT_EQ(told.settled.size(), 1U);
    EXPECT_EQ(told.settled.front().slot, slot_id(3));
    EXPECT_TRUE(ledger.collect(counting::as_read).settled.empty());
}

TEST(processing_ledger, counts_what_was_let_go_of_at_the_entry_of_a_poll_only) {
    processing_ledger ledger;
    const auto dropped = part(0, 0, 10);
    ledger.add(dropped);
    dropped->pass_to(4);
    dropped->release();
    EXPECT_EQ(ledger.collect(counting::as_read).changed.front().processed_offset, 4);
    EXPECT_EQ(ledger.collect(counting::released_as_handled).changed.front().processed_offset, 10);
}

TEST(processing_ledger, says_nothing_twice) {
    processing_ledger ledger;
    const auto held = part(0, 0, 10);
    ledger.add(held);
    held->pass_to(4);
    EXPECT_EQ(ledger.collect(counting::as_read).changed.size(), 1U);
    EXPECT_TRUE(ledger.collect(counting::as_read).changed.empty());
}

TEST(processing_ledger, forgets_an_earlier_incarnation_when_the_next_one_begins) {
    processing_ledger ledger;
    const auto old = part(0, 0, 10, 1);
    const auto fresh = part(0, 500, 510, 2);
    ledger.add(old);
    ledger.add(fresh);
    old->finish();
    fresh->pass_to(501);
    const auto told = ledger.collect(counting::as_read);
    ASSERT_EQ(told.changed.size(), 1U);
    EXPECT_EQ(told.changed.front().era, incarnation(2));
    EXPECT_EQ(told.changed.front().processed_offset, 501);
}

TEST(processing_ledger, lets_nothing_of_an_earlier_incarnation_hold_back_or_silence_the_next_one) {
    processing_ledger ledger;
    const auto unread = part(0, 0, 10, 1);
    ledger.add(unread);
    unread->pass_to(4);
    cannot_be_read(*unread, 4);
    EXPECT_EQ(ledger.collect(counting::as_read).changed.front().processed_offset, 4);
    ledger.take_failed();
    const auto fresh = part(0, 4, 10, 2);
    ledger.add(fresh);
    auto told = ledger.collect(counting::as_read);
    ASSERT_EQ(told.changed.size(), 1U) << "at the same offset, and news";
    EXPECT_EQ(told.changed.front().era, incarnation(2));
    cannot_be_read(*fresh, 4);
    told = ledger.collect(counting::as_read);
    ASSERT_EQ(ledger.take_failed().size(), 1U);
}

TEST(processing_ledger, never_counts_beyond_a_record_that_could_not_be_read) {
    processing_ledger ledger;
    const auto bad = part(0, 0, 10);
    const auto later = part(0, 10, 20);
    ledger.add(bad);
    ledger.add(later);
    bad->pass_to(3);
    cannot_be_read(*bad, 3);
    bad->release();
    later->finish();
    EXPECT_EQ(ledger.collect(counting::released_as_handled).changed.front().processed_offset, 3);
    EXPECT_EQ(ledger.take_failed().size(), 1U);
    EXPECT_TRUE(ledger.take_failed().empty());
    ASSERT_NE(ledger.take_untold(), nullptr);
    EXPECT_EQ(ledger.take_untold(), nullptr);
}

TEST(processing_ledger, passes_what_comes_before_a_record_read_or_not) {
    processing_ledger ledger;
    const auto unread = part(0, 0, 10);
    const auto newer = part(0, 10, 20);
    ledger.add(unread);
    ledger.add(newer);
    EXPECT_EQ(ledger.pass_up_to(*newer, 13), nullptr);
    EXPECT_EQ(ledger.collect(counting::as_read).changed.front().processed_offset, 13);
    // Whoever reads it after all changes nothing.
    unread->pass_to(1);
    EXPECT_TRUE(ledger.collect(counting::as_read).changed.empty());
    EXPECT_EQ(ledger.pass_up_to(*unread, 5), nullptr);
    EXPECT_TRUE(ledger.collect(counting::as_read).changed.empty());
}

TEST(processing_ledger, does_not_pass_what_cannot_be_read) {
    processing_ledger ledger;
    const auto bad = part(0, 0, 10);
    const auto newer = part(0, 10, 20);
    ledger.add(bad);
    ledger.add(newer);
    bad->pass_to(3);
    cannot_be_read(*bad, 3);
    EXPECT_EQ(ledger.pass_up_to(*newer, 13), bad->failure());
    EXPECT_EQ(ledger.collect(counting::as_read).changed.front().processed_offset, 3);
    EXPECT_EQ(newer->so_far().offset, 10);
}

TEST(processing_ledger, names_the_partitions_that_are_held) {
    processing_ledger ledger;
    const auto held = part(0, 0, 10);
    ledger.add(held);
    held->finish();
    EXPECT_EQ(ledger.held(), (partitions{{"orders", 0}}));
    held->release();
    EXPECT_TRUE(ledger.held().empty());
}

}  // namespace
}  // namespace strandline::client
