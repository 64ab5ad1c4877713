#include "testkit/fake_cluster/partition_log.hpp"

#include <string>

#include <gtest/gtest.h>

#include "records/batch_builder.hpp"
#include "records/batch_scanner.hpp"

namespace strandline::testkit::fake {
namespace {

base::shared_bytes batch(int count, std::int64_t timestamp = 1000, records::batch_options options = {}) {
    records::batch_builder builder(options);
    for (int i = 0; i < count; ++i) {
        builder.append({.timestamp = timestamp + i, .value = base::as_bytes(std::string_view("value"))});
    }
    return builder.build();
}

base::shared_bytes transactional(std::int64_t producer, int count) {
    return batch(count, 1000,
                 {.producer_id = producer, .producer_epoch = 0, .base_sequence = 0, .transactional = true});
}

constexpr std::size_t plenty = 1 << 20;

TEST(partition_log, stamps_offsets_and_the_leader_epoch) {
    partition_log log;
    EXPECT_EQ(log.append(batch(3), 0).base_offset, 0);
    EXPECT_EQ(log.append(batch(2), 4).base_offset, 3);
    EXPECT_EQ(log.high_watermark(), 5);
    const auto second = records::batch_scanner::single(log.read(3, plenty, true, false).bytes);
    ASSERT_TRUE(second.has_value());
    EXPECT_EQ(second->base_offset(), 3);
    EXPECT_EQ(second->leader_epoch(), 4);
}

TEST(partition_log, reads_whole_batches_and_a_first_one_that_is_too_large) {
    partition_log log;
    const auto one = batch(3);
    log.append(one, 0);
    log.append(one, 0);
    EXPECT_EQ(log.read(0, plenty, true, false).bytes.size(), 2 * one.size());
    // Where there is no room for the rest, the last one is cut off.
    EXPECT_EQ(log.read(0, 2 * one.size() - 1, true, false).bytes.size(), 2 * one.size() - 1);
    EXPECT_EQ(log.read(0, 1, true, false).bytes.size(), one.size());
    EXPECT_EQ(log.read(0, 1, false, false).bytes.size(), 0u);
    // From the middle of a batch, that batch is the first.
    EXPECT_EQ(log.read(4, plenty, true, false).bytes.size(), one.size());
}

TEST(partition_log, counts_what_is_there_until_it_is_enough) {
    partition_log log;
    const auto one = batch(3);
    for (int i = 0; i < 4; ++i) log.append(one, 0);
    EXPECT_EQ(log.available(0, 1, false), one.size());
    EXPECT_EQ(log.available(0, plenty, false), 4 * one.size());
    EXPECT_EQ(log.available(12, plenty, false), 0u);
}

TEST(partition_log, hides_open_transactions_and_lists_aborted_ones) {
    partition_log log;
    log.append(batch(1), 0);
    log.append(transactional(7, 2), 0);
    log.append(batch(1), 0);
    EXPECT_EQ(log.last_stable_offset(), 1);
    EXPECT_EQ(log.available(1, plenty, true), 0u);

    log.end_transaction(7, 0, false, 1000, 0);
    EXPECT_EQ(log.last_stable_offset(), 5);
    EXPECT_EQ(log.high_watermark(), 5);
    const auto seen = log.read(0, plenty, true, true);
    ASSERT_EQ(seen.aborted.size(), 1u);
    EXPECT_EQ(seen.aborted[0].producer_id, 7);
    EXPECT_EQ(seen.aborted[0].first_offset, 1);
    EXPECT_TRUE(log.read(0, plenty, true, false).aborted.empty());
    // Behind the marker nothing is aborted any more.
    EXPECT_TRUE(log.read(5, plenty, true, true).aborted.empty());
}

TEST(partition_log, ends_only_the_transaction_of_that_producer) {
    partition_log log;
    log.append(transactional(7, 1), 0);
    log.append(transactional(8, 1), 0);
    log.end_transaction(9, 0, true, 1000, 0);
    EXPECT_EQ(log.high_watermark(), 2);
    log.end_transaction(7, 0, true, 1000, 0);
    EXPECT_EQ(log.last_stable_offset(), 1);
    log.end_transaction(8, 0, true, 1000, 0);
    EXPECT_EQ(log.last_stable_offset(), 4);
}

TEST(partition_log, finds_records_by_time) {
    partition_log log;
    log.append(batch(3, 1000), 0);
    log.append(batch(3, 2000), 1);
    const auto found = log.find_time(1002);
    EXPECT_EQ(found.offset, 2);
    EXPECT_EQ(found.timestamp, 1002);
    EXPECT_EQ(log.find_time(1003).offset, 3);
    EXPECT_EQ(log.find_time(1003).leader_epoch, 1);
    EXPECT_EQ(log.find_time(3000).offset, -1);
    EXPECT_EQ(log.find_max_timestamp().offset, 5);
    EXPECT_EQ(log.find_max_timestamp().timestamp, 2002);
}

TEST(partition_log, knows_where_each_epoch_ended) {
    partition_log log;
    log.append(batch(3), 0);
    log.append(batch(2), 5);
    EXPECT_EQ(log.end_of_epoch(0).end_offset, 3);
    EXPECT_EQ(log.end_of_epoch(3).epoch, 0);
    EXPECT_EQ(log.end_of_epoch(3).end_offset, 3);
    EXPECT_EQ(log.end_of_epoch(5).end_offset, 5);
    EXPECT_EQ(log.end_of_epoch(-1).end_offset, -1);
}

TEST(partition_log, loses_its_beginning_and_its_end) {
    partition_log log;
    for (int i = 0; i < 3; ++i) log.append(batch(2), i);
    log.delete_before(3);
    EXPECT_EQ(log.start_offset(), 3);
    log.truncate_to(4);
    EXPECT_EQ(log.high_watermark(), 4);
    EXPECT_EQ(log.end_of_epoch(1).end_offset, 4);
    EXPECT_EQ(log.end_of_epoch(2).epoch, -1);
    EXPECT_EQ(log.append(batch(1), 3).base_offset, 4);
}

TEST(partition_log, tells_that_it_has_changed) {
    std::uint64_t changes = 0;
    partition_log log(&changes);
    log.append(batch(2), 0);
    EXPECT_EQ(changes, 1u);
    log.delete_before(1);
    EXPECT_EQ(changes, 2u);
    log.read(0, plenty, true, false);
    EXPECT_EQ(changes, 2u);
}

TEST(partition_log, compaction_leaves_offsets_and_markers_as_they_were) {
    partition_log log;
    log.append(batch(3), 0);
    log.append(transactional(7, 2), 0);
    log.end_transaction(7, 0, true, 1000, 0);
    log.append(batch(1), 0);
    log.compact([](const records::record_view& record) { return record.offset == 1 || record.offset == 6; }, true);
    EXPECT_EQ(log.high_watermark(), 7);
    ASSERT_EQ(log.batches().size(), 4U);
    const auto shown = [&](std::size_t at) { return records::batch_scanner::single(log.batches()[at].bytes).value(); };
    EXPECT_EQ(shown(0).record_count(), 1);
    EXPECT_EQ(shown(0).last_offset(), 2);
    EXPECT_EQ(shown(1).record_count(), 0);
    EXPECT_EQ(shown(1).producer_id(), 7);
    EXPECT_EQ(shown(1).last_offset(), 4);
    EXPECT_TRUE(shown(2).is_control());
    log.compact([](const records::record_view&) { return false; }, false);
    EXPECT_EQ(log.batches().size(), 1U);
    EXPECT_EQ(log.high_watermark(), 7);
    // A reader at an offset that is gone gets what comes next.
    EXPECT_EQ(log.read(0, plenty, true, false).bytes.size(), log.batches()[0].bytes.size());
}

}  // namespace
}  // namespace strandline::testkit::fake
