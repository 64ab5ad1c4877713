#include "records/legacy_message.hpp"

#include <gtest/gtest.h>

#include "records/compression/compressor.hpp"
#include "records/crc32c.hpp"
#include "records/reading_testsupport.hpp"

namespace strandline::records {
namespace {

using namespace testsupport;

constexpr std::int8_t old_magics[] = {0, 1};
constexpr compression_codec old_codecs[] = {compression_codec::gzip, compression_codec::snappy, compression_codec::lz4};

base::shared_bytes messages(batch_options options, int count = 3) {
    batch_builder builder(options);
    for (int i = 0; i < count; ++i) {
        const auto value = "value " + std::to_string(i);
        builder.append({.timestamp = 1000 + i, .key = base::as_bytes("key"), .value = base::as_bytes(value)});
    }
    return builder.build();
}

// A message with something changed in it, checksum made to match.
base::shared_bytes sealed(std::vector<std::byte> message) {
    store_big_endian(message.data() + batch_layout::message::crc,
                     crc32_ieee(base::bytes_view(message).subspan(batch_layout::magic)));
    return base::shared_bytes::copy_of(message);
}

TEST(legacy_message, wrapped_sets_give_absolute_offsets_in_every_codec) {
    for (const auto magic : old_magics) {
        for (const auto codec : old_codecs) {
            const auto all = read_all(messages({.magic = magic, .codec = codec, .base_offset = 70}));
            EXPECT_FALSE(all.error) << to_string(*all.error);
            const std::int64_t first_timestamp = magic == 0 ? -1 : 1000;
            ASSERT_EQ(all.records.size(), 3U);
            EXPECT_EQ(all.records[0], (owned_record{70, first_timestamp, "key", "value 0", {}}));
            EXPECT_EQ(all.records[2].offset, 72);
            EXPECT_EQ(all.next_offset, 73);
        }
    }
}

TEST(legacy_message, compaction_inside_a_wrapped_set_keeps_offsets) {
    for (const auto magic : old_magics) {
        batch_builder builder({.magic = magic, .codec = compression_codec::gzip, .base_offset = 10});
        builder.append_at(12, value_of("a")).append_at(17, value_of("b"));
        EXPECT_EQ(offsets_of(read_all(builder.build()).records), (std::vector<std::int64_t>{12, 17}));
    }
}

TEST(legacy_message, records_below_the_fetch_offset_are_skipped_inside_a_wrapped_set) {
    for (const auto magic : old_magics) {
        const auto bytes = messages({.magic = magic, .codec = compression_codec::snappy, .base_offset = 70});
        EXPECT_EQ(offsets_of(read_all(bytes, {}, {.from_offset = 71}).records), (std::vector<std::int64_t>{71, 72}));
    }
}

TEST(legacy_message, the_wrappers_log_append_time_overrides_the_inner_ones) {
    const auto all = read_all(messages({.magic = 1,
                                        .codec = compression_codec::lz4,
                                        .timestamp_type = timestamp_type::log_append_time,
                                        .log_append_time = 5555}));
    ASSERT_EQ(all.records.size(), 3U);
    for (const auto& record : all.records) EXPECT_EQ(record.timestamp, 5555);
}

TEST(legacy_message, null_and_empty_stay_apart) {
    for (const auto magic : old_magics) {
        for (const auto codec : {compression_codec::none, compression_codec::gzip}) {
            batch_builder builder({.magic = magic, .codec = codec});
            builder.append({.timestamp = 1, .key = std::nullopt, .value = base::as_bytes("")});
            builder.append({.timestamp = 1, .key = base::as_bytes(""), .value = std::nullopt});
            const auto all = read_all(builder.build());
            ASSERT_EQ(all.records.size(), 2U);
            EXPECT_EQ(all.records[0].key, std::nullopt);
            EXPECT_EQ(all.records[0].value, "");
            EXPECT_EQ(all.records[1].key, "");
            EXPECT_EQ(all.records[1].value, std::nullopt);
        }
    }
}

TEST(legacy_message, cut_at_any_byte_is_refused_without_moving_on) {
    for (const auto magic : old_magics) {
        const auto bytes = messages({.magic = magic}, 1);
        for (std::size_t size = 0; size < bytes.size(); ++size) {
            legacy_message message;
            const std::byte* cursor = bytes.data();
            EXPECT_TRUE(decode_message(cursor, bytes.data() + size, message));
            EXPECT_EQ(cursor, bytes.data());
        }
    }
}

TEST(legacy_message, sizes_that_contradict_each_other_are_refused) {
    const auto whole = writable_copy(messages({.magic = 1}, 1));
    for (const std::int32_t size : {0, 2, 100, -2, 0x7fffffff}) {
        auto bytes = whole;
        store_big_endian(bytes.data() + batch_layout::message::key(1), size);
        const auto all = read_all(sealed(bytes));
        ASSERT_TRUE(all.error) << size;
        EXPECT_EQ(all.error->kind, record_error_kind::malformed_record);
    }
}

// Any bytes, compressed and put into a message of their own at `offset`.
base::shared_bytes wrapped(base::bytes_view inner, std::int8_t magic, std::int64_t offset) {
    const auto compressed = compression::compress(compression_codec::gzip, inner, magic);
    batch_builder builder({.magic = magic, .base_offset = offset});
    builder.append({.timestamp = 1, .key = {}, .value = base::bytes_view(compressed)});
    auto bytes = writable_copy(builder.build());
    bytes[batch_layout::message::attributes] = std::byte{static_cast<std::uint8_t>(compression_codec::gzip)};
    return sealed(std::move(bytes));
}

void expect_malformed(const base::shared_bytes& bytes, record_error_kind kind = record_error_kind::malformed_record) {
    const auto all = read_all(bytes, {}, {.from_offset = 40});
    EXPECT_TRUE(all.records.empty());
    ASSERT_TRUE(all.error);
    EXPECT_EQ(all.error->kind, kind) << to_string(*all.error);
    EXPECT_EQ(all.error->offset, 40) << "the position stays";
}

TEST(legacy_message, a_broken_checksum_inside_a_wrapped_set_is_found_when_asked_for) {
    for (const auto magic : old_magics) {
        auto inner = writable_copy(messages({.magic = magic}, 1));
        inner.back() ^= std::byte{1};
        const auto bytes = wrapped(inner, magic, 50);
        expect_malformed(bytes, record_error_kind::bad_checksum);
        EXPECT_FALSE(read_all(bytes, {}, {.verify_checksums = false}).error);
    }
}

TEST(legacy_message, what_no_writer_wraps_is_refused) {
    expect_malformed(wrapped({}, 1, 50));
    expect_malformed(wrapped(messages({.magic = 0}, 1), 1, 50));
    expect_malformed(wrapped(wrapped(messages({.magic = 1}, 1), 1, 0), 1, 50));
    expect_malformed(wrapped(messages({.magic = 2}, 1), 1, 50), record_error_kind::unknown_magic);
    const auto inner = messages({.magic = 1}, 2);
    expect_malformed(wrapped(inner.view().first(inner.size() - 1), 1, 50), record_error_kind::bytes_missing);
    expect_malformed(wrapped(messages({.magic = 1, .base_offset = 51}, 1), 1, 50));
    expect_malformed(wrapped(messages({.magic = 0, .base_offset = 51}, 1), 0, 50));
}

TEST(legacy_message, a_compressed_message_without_a_value_is_refused) {
    batch_builder builder({.magic = 1, .base_offset = 50});
    builder.append({.timestamp = 1, .key = {}, .value = std::nullopt});
    auto bytes = writable_copy(builder.build());
    bytes[batch_layout::message::attributes] = std::byte{1};
    expect_malformed(sealed(std::move(bytes)));
}

TEST(legacy_message, a_compressed_message_that_is_broken_is_an_error_where_it_stands) {
    for (const auto magic : old_magics) {
        auto bytes = writable_copy(messages({.magic = magic, .codec = compression_codec::gzip, .base_offset = 48}));
        auto undecompressable = bytes;
        undecompressable[batch_layout::message::key(magic) + 8] ^= std::byte{0xff};
        expect_malformed(sealed(undecompressable), record_error_kind::undecompressable);
        auto without_key = bytes;
        store_big_endian(without_key.data() + batch_layout::message::key(magic), std::int32_t{0x7fffffff});
        expect_malformed(sealed(without_key));
    }
}

TEST(legacy_message, offsets_inside_a_wrapped_set_that_go_below_its_beginning_are_refused) {
    for (const auto magic : old_magics) {
        auto inner = writable_copy(messages({.magic = magic}, 1));
        store_big_endian(inner.data() + batch_layout::base_offset, std::int64_t{-5});
        expect_malformed(wrapped(inner, magic, 50));
    }
}

TEST(legacy_message, bytes_that_are_left_over_or_a_length_too_short_inside_a_wrapped_set_are_refused) {
    for (const auto magic : old_magics) {
        const auto one = writable_copy(messages({.magic = magic}, 1));
        auto longer = one;
        longer.push_back(std::byte{0});
        store_big_endian(longer.data() + batch_layout::length,
                         static_cast<std::int32_t>(longer.size() - batch_layout::log_overhead));
        store_big_endian(longer.data() + batch_layout::message::crc,
                         crc32_ieee(base::bytes_view(longer).subspan(batch_layout::magic)));
        expect_malformed(wrapped(longer, magic, 50));
        for (const std::int32_t length : {-1, 3}) {
            auto shorter = one;
            store_big_endian(shorter.data() + batch_layout::length, length);
            expect_malformed(wrapped(shorter, magic, 50), record_error_kind::bad_size);
        }
    }
}

TEST(legacy_message, tells_what_a_batch_of_its_time_can_tell) {
    for (const auto magic : old_magics) {
        const auto batch = *batch_scanner::single(messages({.magic = magic}, 1));
        EXPECT_TRUE(batch.is_legacy());
        EXPECT_EQ(batch.leader_epoch(), -1);
        EXPECT_EQ(batch.producer_id(), -1);
        EXPECT_EQ(batch.producer_epoch(), -1);
        EXPECT_EQ(batch.base_sequence(), -1);
        EXPECT_FALSE(batch.is_transactional());
        EXPECT_FALSE(batch.is_control());
        EXPECT_EQ(batch.record_count(), 1);
        EXPECT_EQ(batch.base_timestamp(), magic == 0 ? -1 : 1000);
        const auto compressed = *batch_scanner::single(messages({.magic = magic, .codec = compression_codec::gzip}));
        EXPECT_EQ(compressed.record_count(), -1) << "only decompression tells";
    }
}

TEST(legacy_message, log_append_time_is_told_where_the_format_has_a_place_for_it) {
    for (const auto codec : {compression_codec::none, compression_codec::gzip}) {
        batch_options options{
            .codec = codec, .timestamp_type = timestamp_type::log_append_time, .log_append_time = 5555};
        options.magic = 1;
        EXPECT_EQ(read_all(messages(options, 1)).records.at(0).timestamp, 5555);
        options.magic = 0;
        EXPECT_EQ(read_all(messages(options, 1)).records.at(0).timestamp, -1);
    }
}

TEST(legacy_message, a_set_of_nothing_has_no_bytes) {
    EXPECT_TRUE(messages({.magic = 1, .codec = compression_codec::gzip}, 0).empty());
}

}  // namespace
}  // namespace strandline::records
