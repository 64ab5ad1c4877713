#include "records/batch_scanner.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "records/batch_stamp.hpp"
#include "records/reading_testsupport.hpp"

namespace strandline::records {
namespace {

using namespace testsupport;

base::shared_bytes batch_at(std::int64_t base_offset, int records = 3, batch_options options = {}) {
    options.base_offset = base_offset;
    batch_builder builder(options);
    for (int i = 0; i < records; ++i) builder.append(value_of("value", 1000 + i));
    return builder.build();
}

// A batch with some of its bytes changed and the checksum made to match.
template <class Number>
base::shared_bytes patched(const base::shared_bytes& batch, std::size_t at, Number value) {
    auto bytes = writable_copy(batch);
    store_big_endian(bytes.data() + at, value);
    seal_batch(bytes);
    return base::shared_bytes::copy_of(bytes);
}

record_error_kind kind_of_failure(const base::shared_bytes& bytes, scan_options options = {}) {
    const auto scanned = batch_scanner::single(bytes, options);
    EXPECT_FALSE(scanned.has_value());
    return scanned ? record_error_kind{} : scanned.error().kind;
}

TEST(batch_scanner, yields_the_header_of_each_batch_and_then_ends) {
    const auto bytes = joined({batch_at(10), batch_at(13, 2,
                                                      {.codec = compression_codec::lz4,
                                                       .leader_epoch = 7,
                                                       .producer_id = 42,
                                                       .producer_epoch = 3,
                                                       .base_sequence = 9,
                                                       .transactional = true})});
    batch_scanner scanner(bytes);
    record_batch batch;
    ASSERT_EQ(scanner.next(batch), scan_status::batch);
    EXPECT_EQ(batch.base_offset(), 10);
    EXPECT_EQ(batch.last_offset(), 12);
    EXPECT_EQ(batch.next_offset(), 13);
    EXPECT_EQ(batch.magic(), 2);
    EXPECT_EQ(batch.codec(), compression_codec::none);
    EXPECT_EQ(batch.producer_id(), -1);
    EXPECT_EQ(batch.record_count(), 3);
    EXPECT_EQ(batch.base_timestamp(), 1000);
    EXPECT_EQ(batch.max_timestamp(), 1002);
    EXPECT_EQ(batch.timestamp_type(), timestamp_type::create_time);
    EXPECT_FALSE(batch.is_transactional());
    EXPECT_FALSE(batch.is_control());
    EXPECT_EQ(scanner.consumed(), batch.size_in_bytes());

    ASSERT_EQ(scanner.next(batch), scan_status::batch);
    EXPECT_EQ(batch.base_offset(), 13);
    EXPECT_EQ(batch.codec(), compression_codec::lz4);
    EXPECT_EQ(batch.leader_epoch(), 7);
    EXPECT_EQ(batch.producer_id(), 42);
    EXPECT_EQ(batch.producer_epoch(), 3);
    EXPECT_EQ(batch.base_sequence(), 9);
    EXPECT_TRUE(batch.is_transactional());

    EXPECT_EQ(scanner.next(batch), scan_status::end);
    EXPECT_EQ(scanner.next(batch), scan_status::end);
    EXPECT_EQ(scanner.consumed(), bytes.size());
}

TEST(batch_scanner, batches_keep_their_bytes_alive_after_the_scanner_is_gone) {
    record_batch batch;
    {
        batch_scanner scanner(batch_at(5));
        ASSERT_EQ(scanner.next(batch), scan_status::batch);
    }
    EXPECT_EQ(batch.base_offset(), 5);
    EXPECT_EQ(batch.stored_checksum(), batch.computed_checksum());
}

TEST(batch_scanner, nothing_at_all_is_an_end) {
    batch_scanner scanner(base::shared_bytes{});
    record_batch batch;
    EXPECT_EQ(scanner.next(batch), scan_status::end);
}

TEST(batch_scanner, a_tail_cut_anywhere_is_no_error_and_the_batches_before_it_are_yielded) {
    for (const std::int8_t magic : {std::int8_t{0}, std::int8_t{1}, std::int8_t{2}}) {
        const auto whole = batch_at(0, 1, {.magic = magic});
        const auto next = batch_at(1, 1, {.magic = magic});
        const auto both = joined({whole, next});
        for (std::size_t size = whole.size() + 1; size < both.size(); ++size) {
            batch_scanner scanner(both.slice(0, size));
            record_batch batch;
            ASSERT_EQ(scanner.next(batch), scan_status::batch);
            ASSERT_EQ(scanner.next(batch), scan_status::truncated) << size;
            EXPECT_EQ(batch.base_offset(), 0);
            EXPECT_EQ(scanner.consumed(), whole.size());
            const bool length_is_there = size >= whole.size() + batch_layout::log_overhead;
            EXPECT_EQ(scanner.truncated_batch_size(), length_is_there ? next.size() : 0);
        }
    }
}

TEST(batch_scanner, a_changed_byte_breaks_the_checksum_unless_it_is_not_asked_for) {
    auto bytes = writable_copy(batch_at(0));
    bytes.back() ^= std::byte{1};
    const auto changed = base::shared_bytes::copy_of(bytes);
    EXPECT_EQ(kind_of_failure(changed), record_error_kind::bad_checksum);
    EXPECT_TRUE(batch_scanner::single(changed, {.verify_checksums = false}));
}

TEST(batch_scanner, what_brokers_stamp_is_not_sealed) {
    auto bytes = writable_copy(batch_at(0));
    stamp_base_offset(bytes, 900);
    stamp_leader_epoch(bytes, 12);
    const auto batch = batch_scanner::single(base::shared_bytes::copy_of(bytes));
    ASSERT_TRUE(batch);
    EXPECT_EQ(batch->base_offset(), 900);
    EXPECT_EQ(batch->last_offset(), 902);
    EXPECT_EQ(batch->leader_epoch(), 12);
}

// A count of -1 with a valid checksum went straight into an allocation.
// tickets: B03
TEST(batch_scanner, a_record_count_that_cannot_be_is_refused_although_the_checksum_matches) {
    for (const std::int32_t count :
         {-1, std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max(), 1000}) {
        const auto bytes = patched(batch_at(77), batch_layout::record_count, count);
        const auto scanned = batch_scanner::single(bytes);
        ASSERT_FALSE(scanned) << count;
        EXPECT_EQ(scanned.error().kind, record_error_kind::implausible_header);
        EXPECT_EQ(scanned.error().offset, 77);
    }
}

TEST(batch_scanner, lengths_too_short_for_a_header_are_refused) {
    for (const std::int32_t length : {-1, std::numeric_limits<std::int32_t>::min(), 0, 48}) {
        auto bytes = writable_copy(batch_at(0));
        store_big_endian(bytes.data() + batch_layout::length, length);
        EXPECT_EQ(kind_of_failure(base::shared_bytes::copy_of(bytes)), record_error_kind::bad_size) << length;
    }
}

TEST(batch_scanner, an_unknown_magic_is_refused_even_in_a_cut_tail) {
    auto bytes = writable_copy(batch_at(0));
    bytes[batch_layout::magic] = std::byte{3};
    EXPECT_EQ(kind_of_failure(base::shared_bytes::copy_of(bytes)), record_error_kind::unknown_magic);
    bytes.resize(bytes.size() - 1);
    EXPECT_EQ(kind_of_failure(base::shared_bytes::copy_of(bytes)), record_error_kind::unknown_magic);
}

TEST(batch_scanner, unknown_codecs_are_refused) {
    for (const std::int16_t codec : {std::int16_t{5}, std::int16_t{6}, std::int16_t{7}}) {
        EXPECT_EQ(kind_of_failure(patched(batch_at(0), batch_layout::attributes, codec)),
                  record_error_kind::unknown_codec);
    }
}

TEST(batch_scanner, a_negative_or_overflowing_last_offset_is_refused) {
    EXPECT_EQ(kind_of_failure(patched(batch_at(0), batch_layout::last_offset_delta, std::int32_t{-1})),
              record_error_kind::implausible_header);
    const auto at_the_end_of_numbers =
        patched(batch_at(0), batch_layout::base_offset, std::numeric_limits<std::int64_t>::max() - 1);
    EXPECT_EQ(kind_of_failure(at_the_end_of_numbers), record_error_kind::implausible_header);
}

TEST(batch_scanner, a_batch_must_not_begin_before_the_end_of_the_one_before_it) {
    batch_scanner scanner(joined({batch_at(10), batch_at(12)}));
    record_batch batch;
    ASSERT_EQ(scanner.next(batch), scan_status::batch);
    ASSERT_EQ(scanner.next(batch), scan_status::corrupt);
    EXPECT_EQ(scanner.error().kind, record_error_kind::offset_out_of_order);
    EXPECT_EQ(scanner.next(batch), scan_status::corrupt);
    EXPECT_EQ(kind_of_failure(batch_at(10), {.minimum_base_offset = 11}), record_error_kind::offset_out_of_order);
    EXPECT_TRUE(batch_scanner::single(batch_at(10), {.minimum_base_offset = 10}));
    EXPECT_EQ(kind_of_failure(batch_at(-5)), record_error_kind::offset_out_of_order);
}

TEST(batch_scanner, a_batch_must_end_below_the_high_watermark_when_that_is_known) {
    EXPECT_TRUE(batch_scanner::single(batch_at(10), {.high_watermark = 13}));
    EXPECT_EQ(kind_of_failure(batch_at(10), {.high_watermark = 12}), record_error_kind::beyond_high_watermark);
}

TEST(batch_scanner, single_wants_exactly_one_batch) {
    EXPECT_EQ(kind_of_failure(joined({batch_at(0), batch_at(3)})), record_error_kind::bytes_left_over);
    EXPECT_EQ(kind_of_failure(batch_at(0).slice(0, 20)), record_error_kind::bytes_missing);
    EXPECT_EQ(kind_of_failure({}), record_error_kind::bytes_missing);
}

TEST(batch_scanner, presents_old_messages_like_batches) {
    batch_scanner scanner(
        joined({batch_at(4, 2, {.magic = 1}), batch_at(6, 3, {.magic = 1, .codec = compression_codec::gzip}),
                batch_at(9, 1, {.magic = 0})}));
    record_batch batch;
    for (const std::int64_t offset : {4, 5}) {
        ASSERT_EQ(scanner.next(batch), scan_status::batch);
        EXPECT_EQ(batch.base_offset(), offset);
        EXPECT_EQ(batch.next_offset(), offset + 1);
        EXPECT_EQ(batch.magic(), 1);
        EXPECT_EQ(batch.record_count(), 1);
        EXPECT_EQ(batch.producer_id(), -1);
        EXPECT_EQ(batch.leader_epoch(), -1);
        EXPECT_FALSE(batch.is_control());
        EXPECT_EQ(batch.max_timestamp(), 1000 + offset - 4);
    }
    ASSERT_EQ(scanner.next(batch), scan_status::batch);
    EXPECT_EQ(batch.codec(), compression_codec::gzip);
    EXPECT_EQ(batch.last_offset(), 8);
    EXPECT_EQ(batch.record_count(), -1);
    ASSERT_EQ(scanner.next(batch), scan_status::batch);
    EXPECT_EQ(batch.magic(), 0);
    EXPECT_EQ(batch.timestamp_type(), timestamp_type::none);
    EXPECT_EQ(batch.max_timestamp(), -1);
    EXPECT_EQ(scanner.next(batch), scan_status::end);
}

TEST(batch_scanner, zstd_in_an_old_message_is_an_unknown_codec) {
    auto bytes = writable_copy(batch_at(0, 1, {.magic = 1}));
    bytes[batch_layout::message::attributes] = std::byte{4};
    EXPECT_EQ(kind_of_failure(base::shared_bytes::copy_of(bytes), {.verify_checksums = false}),
              record_error_kind::unknown_codec);
}

TEST(batch_scanner, a_magic_below_zero_and_an_end_beyond_all_offsets_are_refused) {
    auto magic = writable_copy(batch_builder({.base_offset = 5}).append(value_of("a")).build());
    auto end = magic;
    magic[batch_layout::magic] = std::byte{0xff};
    EXPECT_EQ(batch_scanner::single(base::shared_bytes::copy_of(magic)).error().kind, record_error_kind::unknown_magic);
    store_big_endian(end.data() + batch_layout::base_offset, std::numeric_limits<std::int64_t>::max() - 3);
    store_big_endian(end.data() + batch_layout::last_offset_delta, std::int32_t{10});
    seal_batch(end);
    EXPECT_EQ(batch_scanner::single(base::shared_bytes::copy_of(end)).error().kind,
              record_error_kind::implausible_header);
}

}  // namespace
}  // namespace strandline::records
