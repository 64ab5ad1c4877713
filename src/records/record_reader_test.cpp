#include "records/record_reader.hpp"

#include <limits>
#include <numeric>

#include <gtest/gtest.h>

#include "records/batch_stamp.hpp"
#include "records/reading_testsupport.hpp"

namespace strandline::records {
namespace {

using namespace testsupport;

std::vector<std::int64_t> from_to(std::int64_t first, std::int64_t last) {
    std::vector<std::int64_t> offsets(static_cast<std::size_t>(last - first + 1));
    std::iota(offsets.begin(), offsets.end(), first);
    return offsets;
}

base::shared_bytes numbered(std::int64_t base_offset, std::int64_t count, batch_options options = {}) {
    options.base_offset = base_offset;
    batch_builder builder(options);
    for (std::int64_t i = 0; i < count; ++i)
        builder.append(value_of("value " + std::to_string(base_offset + i), 1000 + i));
    return builder.build();
}

// The batch with its third record's bytes changed, and sealed again.
base::shared_bytes with_broken_third_record(const base::shared_bytes& batch) {
    auto bytes = writable_copy(batch);
    std::size_t at = batch_layout::records;
    for (int skipped = 0; skipped < 2; ++skipped) at += std::to_integer<std::size_t>(bytes[at]) / 2 + 1;
    bytes[at] = std::byte{2 * 3};
    seal_batch(bytes);
    return base::shared_bytes::copy_of(bytes);
}

TEST(record_reader, reads_every_kind_of_record_in_every_codec) {
    const record_header headers[] = {{"trace", base::as_bytes("1")}, {"trace", std::nullopt}, {"", base::as_bytes("")}};
    for (std::uint8_t codec = 0; codec < compression_codec_count; ++codec) {
        batch_builder builder({.codec = static_cast<compression_codec>(codec), .base_offset = 50});
        builder.append({.timestamp = 10, .key = base::as_bytes("k"), .value = base::as_bytes("v"), .headers = headers});
        builder.append({.timestamp = 5, .key = base::as_bytes(""), .value = std::nullopt});
        builder.append({.timestamp = 30, .key = std::nullopt, .value = base::as_bytes("")});
        const auto all = read_all(builder.build());
        EXPECT_FALSE(all.error);
        EXPECT_EQ(all.records,
                  (std::vector<owned_record>{{50, 10, "k", "v", {{"trace", "1"}, {"trace", std::nullopt}, {"", ""}}},
                                             {51, 5, "", std::nullopt, {}},
                                             {52, 30, std::nullopt, "", {}}}));
        EXPECT_EQ(all.next_offset, 53);
    }
}

TEST(record_reader, payload_keeps_views_alive_when_reader_context_and_batch_are_gone) {
    for (const auto codec : {compression_codec::none, compression_codec::zstd}) {
        base::shared_bytes payload;
        record_view view;
        {
            decompression_context context;
            record_reader reader(*batch_scanner::single(numbered(0, 1, {.codec = codec})), context);
            ASSERT_EQ(reader.next(view), read_status::record);
            payload = reader.payload();
        }
        EXPECT_EQ(copy_of(view).value, "value 0");
    }
}

TEST(record_reader, records_below_the_fetch_offset_are_skipped) {
    for (const auto codec : {compression_codec::none, compression_codec::snappy}) {
        const auto all = read_all(numbered(100, 10, {.codec = codec}), {}, {.from_offset = 107});
        EXPECT_EQ(offsets_of(all.records), from_to(107, 109));
        EXPECT_EQ(all.next_offset, 110);
    }
}

TEST(record_reader, log_append_time_is_every_records_timestamp) {
    const auto all =
        read_all(numbered(0, 3, {.timestamp_type = timestamp_type::log_append_time, .log_append_time = 777}));
    for (const auto& record : all.records) EXPECT_EQ(record.timestamp, 777);
    auto bytes = writable_copy(numbered(0, 3));
    stamp_log_append_time(bytes, 888);
    const auto stamped = read_all(base::shared_bytes::copy_of(bytes));
    ASSERT_EQ(stamped.records.size(), 3U);
    for (const auto& record : stamped.records) EXPECT_EQ(record.timestamp, 888);
}

TEST(record_reader, timestamps_may_lie_anywhere) {
    constexpr auto far_past = std::numeric_limits<std::int64_t>::min();
    constexpr auto far_future = std::numeric_limits<std::int64_t>::max();
    batch_builder builder;
    builder.append(value_of("a", -1)).append(value_of("b", far_future - 1)).append(value_of("c", far_past));
    const auto all = read_all(builder.build());
    ASSERT_EQ(all.records.size(), 3U);
    EXPECT_EQ(all.records[0].timestamp, -1);
    EXPECT_EQ(all.records[1].timestamp, far_future - 1);
    EXPECT_EQ(all.records[2].timestamp, far_past);
}

// The position was derived from the last surviving record.
// tickets: B01
TEST(record_reader, a_compacted_batch_moves_the_position_to_its_end_whatever_survived) {
    batch_builder compacted({.base_offset = 100});
    for (int i = 0; i < 4; ++i) compacted.append(value_of("survivor"));
    compacted.reach(109);
    const auto both = joined({compacted.build(), numbered(110, 2)});
    const auto all = read_all(both, {}, {.from_offset = 104});
    EXPECT_EQ(offsets_of(all.records), (std::vector<std::int64_t>{110, 111}));
    EXPECT_FALSE(all.error);

    const auto first = read_all(compacted.build(), {}, {.from_offset = 104});
    EXPECT_TRUE(first.records.empty());
    EXPECT_EQ(first.next_offset, 110);
}

TEST(record_reader, gaps_inside_a_batch_are_kept) {
    batch_builder compacted({.codec = compression_codec::gzip, .base_offset = 100});
    compacted.append_at(102, value_of("a")).append_at(107, value_of("b")).reach(120);
    const auto all = read_all(compacted.build());
    EXPECT_EQ(offsets_of(all.records), (std::vector<std::int64_t>{102, 107}));
    EXPECT_EQ(all.next_offset, 121);
}

TEST(record_reader, a_batch_without_records_is_passed_and_is_no_end) {
    for (std::uint8_t codec = 0; codec < compression_codec_count; ++codec) {
        batch_builder emptied({.codec = static_cast<compression_codec>(codec), .base_offset = 100});
        emptied.reach(109);
        const auto all = read_all(joined({numbered(98, 2), emptied.build(), numbered(110, 1)}));
        EXPECT_FALSE(all.error);
        EXPECT_EQ(offsets_of(all.records), (std::vector<std::int64_t>{98, 99, 110}));
        EXPECT_EQ(all.ending, scan_status::end);
    }
}

TEST(record_reader, a_compressed_batch_without_records_may_have_no_bytes_at_all) {
    auto bytes = writable_copy(batch_builder({.base_offset = 5}).build());
    bytes[batch_layout::attributes + 1] = std::byte{static_cast<unsigned char>(compression_codec::zstd)};
    seal_batch(bytes);
    const auto all = read_all(base::shared_bytes::copy_of(bytes));
    EXPECT_FALSE(all.error);
    EXPECT_EQ(all.next_offset, 6);
}

// A broken record inside a whole batch was taken for the end of the response.
// tickets: B05
TEST(record_reader, a_broken_record_in_a_whole_batch_is_an_error_at_its_offset) {
    const auto broken = with_broken_third_record(numbered(200, 5));
    const auto all = read_all(joined({broken, numbered(205, 1)}));
    EXPECT_EQ(offsets_of(all.records), (std::vector<std::int64_t>{200, 201}));
    ASSERT_TRUE(all.error);
    EXPECT_EQ(all.error->kind, record_error_kind::malformed_record);
    EXPECT_EQ(all.error->offset, 202);
}

// A batch cut by the size limit is neither an error nor a reason to move on.
// tickets: B05 B09
TEST(record_reader, a_batch_cut_by_the_size_limit_is_no_error_and_moves_nothing) {
    const auto both = joined({numbered(200, 5), numbered(205, 5)});
    for (std::size_t cut = 1; cut < numbered(205, 5).size(); ++cut) {
        const auto all = read_all(both.slice(0, both.size() - cut));
        EXPECT_FALSE(all.error);
        EXPECT_EQ(all.ending, scan_status::truncated);
        EXPECT_EQ(offsets_of(all.records), from_to(200, 204));
        EXPECT_EQ(all.next_offset, 205);
    }
    const auto oversized = read_all(numbered(7, 1).slice(0, 40));
    EXPECT_FALSE(oversized.error);
    EXPECT_EQ(oversized.next_offset, -1);
}

TEST(record_reader, an_error_is_final_and_says_where_the_position_stays) {
    decompression_context context;
    record_reader reader(*batch_scanner::single(with_broken_third_record(numbered(200, 5))), context,
                         {.from_offset = 202});
    record_view view;
    EXPECT_EQ(reader.next(view), read_status::corrupt);
    EXPECT_EQ(reader.next(view), read_status::corrupt);
    EXPECT_EQ(reader.error().offset, 202);
}

TEST(record_reader, bytes_left_over_and_bytes_missing_after_the_last_record_are_errors) {
    const auto with_count = [](std::int32_t count, compression_codec codec) {
        auto bytes = writable_copy(numbered(0, 3, {.codec = codec}));
        store_big_endian(bytes.data() + batch_layout::record_count, count);
        seal_batch(bytes);
        return read_all(base::shared_bytes::copy_of(bytes));
    };
    for (std::uint8_t codec = 0; codec < compression_codec_count; ++codec) {
        const auto fewer = with_count(2, static_cast<compression_codec>(codec));
        ASSERT_TRUE(fewer.error);
        EXPECT_EQ(fewer.error->kind, record_error_kind::bytes_left_over);
        EXPECT_EQ(fewer.records.size(), 2U);
        EXPECT_EQ(fewer.error->offset, 2);
        const auto more = with_count(4, static_cast<compression_codec>(codec));
        ASSERT_TRUE(more.error);
        EXPECT_EQ(more.error->kind, record_error_kind::bytes_missing);
        EXPECT_EQ(more.records.size(), 3U);
        EXPECT_EQ(more.error->offset, 3);
    }
}

// For compressed batches, whose count only decoding can judge.
// tickets: B03
TEST(record_reader, an_absurd_count_in_a_compressed_batch_costs_no_memory) {
    auto bytes = writable_copy(numbered(0, 3, {.codec = compression_codec::lz4}));
    store_big_endian(bytes.data() + batch_layout::record_count, std::numeric_limits<std::int32_t>::max());
    seal_batch(bytes);
    const auto all = read_all(base::shared_bytes::copy_of(bytes));
    EXPECT_EQ(all.records.size(), 3U);
    ASSERT_TRUE(all.error);
    EXPECT_EQ(all.error->kind, record_error_kind::bytes_missing);
}

// A batch that no decompressor accepts was fetched again for ever, without a word.
// tickets: B06
TEST(record_reader, bytes_that_no_codec_accepts_are_an_error_with_codec_and_offset) {
    for (std::uint8_t codec = 1; codec < compression_codec_count; ++codec) {
        auto bytes = writable_copy(numbered(300, 5));
        bytes[batch_layout::attributes + 1] = std::byte{codec};
        seal_batch(bytes);
        const auto all = read_all(base::shared_bytes::copy_of(bytes));
        ASSERT_TRUE(all.error);
        EXPECT_EQ(all.error->kind, record_error_kind::undecompressable);
        EXPECT_EQ(all.error->codec, static_cast<compression_codec>(codec));
        EXPECT_EQ(all.error->offset, 300);
        EXPECT_FALSE(all.error->text.empty());
    }
}

TEST(record_reader, one_context_serves_good_batches_after_bad_ones) {
    decompression_context context;
    for (std::uint8_t codec = 1; codec < compression_codec_count; ++codec) {
        const auto good = *batch_scanner::single(numbered(0, 100, {.codec = static_cast<compression_codec>(codec)}));
        auto bytes = writable_copy(good.bytes());
        bytes.resize(bytes.size() - 3);
        store_big_endian(bytes.data() + batch_layout::length,
                         static_cast<std::int32_t>(bytes.size() - batch_layout::log_overhead));
        seal_batch(bytes);
        const auto bad = *batch_scanner::single(base::shared_bytes::copy_of(bytes));
        for (int turn = 0; turn < 3; ++turn) {
            record_view view;
            record_reader failing(bad, context);
            EXPECT_EQ(failing.next(view), read_status::corrupt);
            record_reader reading(good, context);
            int count = 0;
            while (reading.next(view) == read_status::record) ++count;
            EXPECT_EQ(count, 100) << reading.error().text;
        }
    }
}

TEST(record_reader, offsets_outside_the_batch_are_refused) {
    batch_builder builder({.base_offset = 10});
    builder.append(value_of("a")).append(value_of("b"));
    auto bytes = writable_copy(builder.build());
    store_big_endian(bytes.data() + batch_layout::last_offset_delta, std::int32_t{0});
    seal_batch(bytes);
    const auto all = read_all(base::shared_bytes::copy_of(bytes));
    EXPECT_EQ(all.records.size(), 1U);
    ASSERT_TRUE(all.error);
    EXPECT_EQ(all.error->kind, record_error_kind::malformed_record);
}

TEST(record_reader, after_its_end_or_an_error_it_goes_on_saying_so) {
    decompression_context context;
    record_view view;
    record_reader ended(*batch_scanner::single(numbered(0, 1)), context);
    EXPECT_EQ(ended.next(view), read_status::record);
    for (int asked = 0; asked < 3; ++asked) EXPECT_EQ(ended.next(view), read_status::end);
    auto bytes = writable_copy(numbered(0, 1));
    bytes[batch_layout::records] = std::byte{0x7f};
    seal_batch(bytes);
    record_reader failed(*batch_scanner::single(base::shared_bytes::copy_of(bytes)), context);
    for (int asked = 0; asked < 3; ++asked) EXPECT_EQ(failed.next(view), read_status::corrupt);
}

}  // namespace
}  // namespace strandline::records
