#include "records/aborted_transactions.hpp"

#include <gtest/gtest.h>

#include "records/reading_testsupport.hpp"

namespace strandline::records {
namespace {

using namespace testsupport;

base::shared_bytes data(std::int64_t producer_id, std::int64_t offset, int records = 1, bool transactional = true) {
    batch_builder builder(
        {.base_offset = offset, .producer_id = producer_id, .producer_epoch = 0, .transactional = transactional});
    for (int i = 0; i < records; ++i) builder.append(value_of("record"));
    return builder.build();
}
base::shared_bytes commit(std::int64_t producer_id, std::int64_t offset) {
    return make_transaction_marker(control_record_type::commit, offset, producer_id, 0);
}
base::shared_bytes abort(std::int64_t producer_id, std::int64_t offset) {
    return make_transaction_marker(control_record_type::abort, offset, producer_id, 0);
}

// Offsets that a read_committed consumer delivers.
std::vector<std::int64_t> delivered(const std::vector<base::shared_bytes>& log,
                                    std::vector<aborted_transaction> aborted) {
    aborted_transactions transactions(std::move(aborted));
    decompression_context context;
    std::vector<std::int64_t> offsets;
    batch_scanner scanner(joined(log));
    record_batch batch;
    while (scanner.next(batch) == scan_status::batch) {
        const auto disposition = transactions.disposition_of(batch);
        EXPECT_TRUE(disposition);
        if (disposition != batch_disposition::deliver) continue;
        record_reader reader(batch, context);
        record_view view;
        while (reader.next(view) == read_status::record) offsets.push_back(view.offset);
    }
    return offsets;
}

using offsets = std::vector<std::int64_t>;

// Filtering stopped at the producer's first end marker.
// tickets: B57
TEST(aborted_transactions, one_aborted_transaction_between_two_committed_ones_is_skipped) {
    EXPECT_EQ(delivered({data(1, 1), commit(1, 2), data(1, 3), abort(1, 4), data(1, 5), commit(1, 6)}, {{1, 3}}),
              (offsets{1, 5}));
}

TEST(aborted_transactions, interleaved_producers_are_told_apart) {
    EXPECT_EQ(delivered({data(1, 0), data(2, 1), data(1, 2), data(2, 3), abort(1, 4), data(2, 5), data(1, 6),
                         commit(2, 7), commit(1, 8)},
                        {{1, 0}}),
              (offsets{1, 3, 5, 6}));
}

TEST(aborted_transactions, a_transaction_that_spans_two_answers_is_listed_in_both) {
    EXPECT_EQ(delivered({data(1, 0), data(2, 1)}, {{1, 0}}), (offsets{1}));
    EXPECT_EQ(delivered({data(1, 2), data(2, 3), abort(1, 4), data(1, 5)}, {{1, 0}}), (offsets{3, 5}));
}

// tickets: M18
TEST(aborted_transactions, the_list_may_be_unsorted) {
    EXPECT_EQ(
        delivered({data(1, 0), abort(1, 1), data(2, 2), data(1, 3), commit(1, 4), abort(2, 5), data(1, 6), abort(1, 7)},
                  {{1, 6}, {2, 2}, {1, 0}}),
        (offsets{3}));
}

// tickets: M18
TEST(aborted_transactions, the_list_may_repeat_itself_and_markers_may_come_twice) {
    EXPECT_EQ(delivered({data(1, 0), abort(1, 1), abort(1, 2), data(1, 3), commit(1, 4)}, {{1, 0}, {1, 0}}),
              (offsets{3}));
}

TEST(aborted_transactions, an_aborted_transaction_that_begins_in_the_middle_of_a_batch_skips_the_batch) {
    EXPECT_EQ(delivered({data(1, 0, 5), abort(1, 5)}, {{1, 2}}), (offsets{}));
}

TEST(aborted_transactions, what_is_not_transactional_is_delivered_also_from_a_producer_being_aborted) {
    EXPECT_EQ(delivered({data(1, 0), data(1, 1, 1, false), data(-1, 2, 1, false), abort(1, 3)}, {{1, 0}}),
              (offsets{1, 2}));
}

TEST(aborted_transactions, a_commit_marker_does_not_end_an_aborted_transaction) {
    EXPECT_EQ(delivered({data(1, 0), commit(1, 1), data(1, 2), abort(1, 3)}, {{1, 0}}), (offsets{}));
}

TEST(aborted_transactions, control_batches_are_never_delivered_with_or_without_a_list) {
    aborted_transactions none;
    EXPECT_EQ(none.disposition_of(*batch_scanner::single(commit(1, 0))), batch_disposition::control);
    EXPECT_EQ(none.disposition_of(*batch_scanner::single(abort(1, 1))), batch_disposition::control);
    EXPECT_EQ(none.disposition_of(*batch_scanner::single(data(1, 2))), batch_disposition::deliver);
}

TEST(aborted_transactions, a_control_batch_emptied_by_compaction_ends_nothing) {
    batch_builder emptied({.base_offset = 1, .producer_id = 1, .transactional = true, .control = true});
    EXPECT_EQ(delivered({data(1, 0), emptied.build(), data(1, 2), abort(1, 3), data(1, 4)}, {{1, 0}}), (offsets{4}));
}

TEST(aborted_transactions, an_unreadable_marker_is_an_error_while_it_would_matter) {
    batch_builder builder({.base_offset = 1, .producer_id = 1, .transactional = true, .control = true});
    builder.append({.timestamp = 0, .key = base::as_bytes("x"), .value = {}});
    const auto unreadable = *batch_scanner::single(builder.build());
    aborted_transactions transactions({{1, 0}});
    const auto disposition = transactions.disposition_of(unreadable);
    ASSERT_FALSE(disposition);
    EXPECT_EQ(disposition.error().offset, 1);
    aborted_transactions none;
    EXPECT_EQ(none.disposition_of(unreadable), batch_disposition::control);
}

// A stretch without a deliverable record was never crossed.
// tickets: B59
TEST(aborted_transactions, a_long_aborted_stretch_still_moves_the_position) {
    std::vector<base::shared_bytes> log;
    for (int i = 0; i < 500; ++i) log.push_back(data(1, i * 100, 100));
    log.push_back(abort(1, 50'000));
    log.push_back(data(1, 50'001, 10));
    log.push_back(commit(1, 50'011));
    aborted_transactions transactions({{1, 0}});
    batch_scanner scanner(joined(log));
    record_batch batch;
    std::int64_t position = 0;
    int delivered_records = 0;
    while (scanner.next(batch) == scan_status::batch) {
        EXPECT_GT(batch.next_offset(), position);
        position = batch.next_offset();
        if (transactions.disposition_of(batch) == batch_disposition::deliver) delivered_records += batch.record_count();
    }
    EXPECT_EQ(position, 50'012);
    EXPECT_EQ(delivered_records, 10);
}

TEST(aborted_transactions, producers_may_begin_in_any_order_of_their_ids) {
    for (const auto& ids : {std::vector<std::int64_t>{7, 3, 5}, std::vector<std::int64_t>{3, 5, 7}}) {
        std::vector<aborted_transaction> list;
        for (std::size_t i = 0; i < ids.size(); ++i) list.push_back({ids[i], static_cast<std::int64_t>(i)});
        aborted_transactions aborted(list);
        for (std::size_t i = 0; i < ids.size(); ++i) {
            batch_builder builder(
                {.base_offset = static_cast<std::int64_t>(i + 3), .producer_id = ids[i], .transactional = true});
            builder.append(testsupport::value_of("a"));
            EXPECT_EQ(aborted.disposition_of(*batch_scanner::single(builder.build())), batch_disposition::aborted);
        }
    }
}

}  // namespace
}  // namespace strandline::records
