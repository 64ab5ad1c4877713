#include "records/record_decoder.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "records/reading_testsupport.hpp"

namespace strandline::records {
namespace {

constexpr record_scope scope{.base_offset = 100, .last_offset_delta = 1000, .base_timestamp = 5000};

// A record's bytes, field by field, so that each can be wrong.
struct raw_record {
    std::optional<std::int64_t> size;
    std::int64_t timestamp_delta = 7;
    std::int64_t offset_delta = 3;
    std::int64_t key_size = 3;
    std::string key = "key";
    std::int64_t value_size = 5;
    std::string value = "value";
    std::int64_t header_count = 0;
    std::string headers;

    std::vector<std::byte> encode() const {
        std::vector<std::byte> body{std::byte{0}};
        append_varint(body, timestamp_delta);
        append_varint(body, offset_delta);
        append_varint(body, key_size);
        append_text(body, key);
        append_varint(body, value_size);
        append_text(body, value);
        append_varint(body, header_count);
        append_text(body, headers);
        std::vector<std::byte> record;
        append_varint(record, size.value_or(static_cast<std::int64_t>(body.size())));
        record.insert(record.end(), body.begin(), body.end());
        return record;
    }

    static void append_text(std::vector<std::byte>& to, const std::string& text) {
        const auto bytes = base::as_bytes(text);
        to.insert(to.end(), bytes.begin(), bytes.end());
    }
};

// Decodes with `padding` bytes behind the record, both ways where the fast one takes it, and compares them.
std::optional<record_fault> decode(const std::vector<std::byte>& record, std::size_t padding, record_view& out) {
    auto bytes = record;
    bytes.resize(record.size() + padding, std::byte{0x55});
    const std::byte* const end = bytes.data() + bytes.size();
    const std::byte* cursor = bytes.data();
    const auto fault = decode_record_checked(cursor, end, scope, out);
    const std::byte* fast_cursor = bytes.data();
    record_view fast;
    if (decode_record_fast(fast_cursor, end, scope, fast)) {
        EXPECT_FALSE(fault) << "only the fast decoder accepts";
        EXPECT_EQ(fast_cursor, cursor);
        EXPECT_EQ(testsupport::copy_of(fast), testsupport::copy_of(out));
    } else {
        EXPECT_EQ(fast_cursor, bytes.data());
        EXPECT_TRUE(fault || padding < 32) << "the fast decoder refuses a plain record";
    }
    EXPECT_EQ(cursor - bytes.data(), fault ? 0 : static_cast<std::ptrdiff_t>(record.size()));
    return fault;
}

TEST(record_decoder, decodes_all_fields_near_the_end_and_far_from_it) {
    raw_record raw;
    raw.header_count = 2;
    raw.headers = std::string(
        "\x02"
        "a"
        "\x02"
        "1"
        "\x04"
        "bc"
        "\x01",
        8);
    const auto bytes = raw.encode();
    for (const std::size_t padding : {0U, 1U, 31U, 32U, 64U}) {
        record_view view;
        // The fault is about the bytes behind only when the record would reach into them.
        auto padded = bytes;
        padded.resize(bytes.size() + padding);
        const std::byte* cursor = padded.data();
        ASSERT_FALSE(decode_record_checked(cursor, padded.data() + padded.size(), scope, view));
        EXPECT_EQ(testsupport::copy_of(view),
                  (testsupport::owned_record{103, 5007, "key", "value", {{"a", "1"}, {"bc", std::nullopt}}}));
        const std::byte* fast_cursor = padded.data();
        record_view fast;
        if (decode_record_fast(fast_cursor, padded.data() + padded.size(), scope, fast)) {
            EXPECT_EQ(testsupport::copy_of(fast), testsupport::copy_of(view));
            EXPECT_EQ(fast_cursor, cursor);
        } else {
            EXPECT_LT(padded.size(), 40U);
        }
    }
}

// Empty came back as null.
// tickets: B10
TEST(record_decoder, null_and_empty_stay_apart_in_key_and_value) {
    for (const bool null_key : {false, true}) {
        for (const bool null_value : {false, true}) {
            raw_record raw;
            raw.key.clear();
            raw.value.clear();
            raw.key_size = null_key ? -1 : 0;
            raw.value_size = null_value ? -1 : 0;
            for (const std::size_t padding : {0U, 64U}) {
                record_view view;
                ASSERT_FALSE(decode(raw.encode(), padding, view));
                EXPECT_EQ(view.key().has_value(), !null_key);
                EXPECT_EQ(view.value().has_value(), !null_value);
            }
        }
    }
}

TEST(record_decoder, any_negative_size_is_null_as_in_kafkas_own_reader) {
    raw_record raw;
    raw.key.clear();
    raw.key_size = -2;
    record_view view;
    ASSERT_FALSE(decode(raw.encode(), 64, view));
    EXPECT_EQ(view.key_size, -1);
}

TEST(record_decoder, log_append_time_overrides_each_records_own) {
    const record_scope appended{
        .base_offset = 0, .last_offset_delta = 1000, .base_timestamp = 9000, .timestamp_delta_mask = 0};
    auto bytes = raw_record{}.encode();
    const std::size_t size = bytes.size();
    bytes.resize(size + 64);
    record_view view;
    const std::byte* cursor = bytes.data();
    ASSERT_TRUE(decode_record_fast(cursor, bytes.data() + bytes.size(), appended, view));
    EXPECT_EQ(view.timestamp, 9000);
    cursor = bytes.data();
    ASSERT_FALSE(decode_record_checked(cursor, bytes.data() + size, appended, view));
    EXPECT_EQ(view.timestamp, 9000);
}

TEST(record_decoder, a_record_cut_at_any_byte_is_bytes_missing) {
    const auto bytes = raw_record{}.encode();
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        record_view view;
        const std::byte* cursor = bytes.data();
        const auto fault = decode_record_checked(cursor, bytes.data() + size, scope, view);
        ASSERT_TRUE(fault) << size;
        EXPECT_EQ(fault->kind, record_error_kind::bytes_missing) << size;
        EXPECT_EQ(cursor, bytes.data());
    }
}

TEST(record_decoder, fields_that_contradict_each_other_are_a_malformed_record) {
    const auto faulty = [](auto change) {
        raw_record raw;
        change(raw);
        for (const std::size_t padding : {0U, 64U}) {
            record_view view;
            const auto fault = decode(raw.encode(), padding, view);
            ASSERT_TRUE(fault);
            EXPECT_EQ(fault->kind, record_error_kind::malformed_record) << fault->text;
        }
    };
    faulty([](raw_record& raw) { raw.size = -1; });
    faulty([](raw_record& raw) { raw.size = 0; });
    faulty([](raw_record& raw) { raw.size = 4; });
    faulty([](raw_record& raw) { raw.size = 13; });
    faulty([](raw_record& raw) { raw.offset_delta = -1; });
    faulty([](raw_record& raw) { raw.offset_delta = 1001; });
    faulty([](raw_record& raw) { raw.key_size = 100; });
    faulty([](raw_record& raw) { raw.key_size = 0x7fffffff; });
    faulty([](raw_record& raw) { raw.value_size = 6; });
    faulty([](raw_record& raw) { raw.value_size = 4; });
    faulty([](raw_record& raw) { raw.value_size = 0x7fffffff; });
    faulty([](raw_record& raw) { raw.header_count = -1; });
    faulty([](raw_record& raw) { raw.header_count = 1; });
    faulty([](raw_record& raw) { raw.header_count = 0x7fffffff; });
    faulty([](raw_record& raw) { raw.headers = "x"; });
    faulty([](raw_record& raw) {  // a header without a name
        raw.header_count = 1;
        raw.headers = std::string("\x01\x01", 2);
    });
    faulty([](raw_record& raw) {  // a header's value longer than the record
        raw.header_count = 1;
        raw.headers = std::string(
            "\x02"
            "a"
            "\x04"
            "1",
            4);
    });
    faulty([](raw_record& raw) {  // fewer headers than bytes
        raw.header_count = 1;
        raw.headers = std::string(
            "\x02"
            "a"
            "\x01"
            "\x02"
            "b"
            "\x01",
            6);
    });
}

TEST(record_decoder, a_record_longer_than_the_batch_is_bytes_missing) {
    raw_record raw;
    raw.size = 5000;
    record_view view;
    const auto fault = decode(raw.encode(), 64, view);
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->kind, record_error_kind::bytes_missing);
}

TEST(record_decoder, a_length_that_is_no_number_is_malformed) {
    const std::vector<std::byte> bytes(64, std::byte{0xff});
    record_view view;
    const auto fault = decode(bytes, 0, view);
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->kind, record_error_kind::malformed_record);
}

TEST(record_decoder, numbers_without_an_end_are_refused_in_each_place) {
    // Length, attributes, then as many bytes that go on for ever as stand where the number is.
    for (const std::size_t before : {0U, 1U, 2U, 3U}) {
        std::vector<std::byte> body(1, std::byte{0});
        body.resize(1 + before, std::byte{1});
        body.resize(body.size() + 12, std::byte{0xff});
        std::vector<std::byte> record;
        append_varint(record, static_cast<std::int64_t>(body.size()));
        record.insert(record.end(), body.begin(), body.end());
        record_view view;
        EXPECT_TRUE(decode(record, 0, view));
        EXPECT_TRUE(decode(record, 64, view));
    }
}

}  // namespace
}  // namespace strandline::records
