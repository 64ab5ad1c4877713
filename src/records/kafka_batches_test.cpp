// Reads what Kafka's own classes wrote, and writes the same bytes where nothing is left to a codec's choice.
#include <gtest/gtest.h>

#include "records/control_record.hpp"
#include "records/kafka_batches_testdata.hpp"
#include "records/reading_testsupport.hpp"

namespace strandline::records {
namespace {

using namespace testsupport;

constexpr std::int64_t t0 = 1'700'000'000'000;

std::vector<owned_record> expected(std::int8_t magic, std::optional<std::int64_t> append_time = {}) {
    std::vector<owned_record> records{
        {100, t0, "key", "first", {}}, {101, t0 + 5, "", std::nullopt, {}}, {102, t0 + 3, std::nullopt, "", {}}};
    if (magic == 2) records[1].headers = {{"trace", "1"}, {"trace", std::nullopt}, {"empty", ""}};
    for (auto& record : records) {
        if (magic == 0) record.timestamp = -1;
        if (append_time) record.timestamp = *append_time;
    }
    return records;
}

void expect_reads(std::string_view hex, const std::vector<owned_record>& records) {
    const auto all = read_all(from_hex(hex));
    EXPECT_FALSE(all.error) << to_string(*all.error);
    EXPECT_EQ(all.records, records);
    EXPECT_EQ(all.ending, scan_status::end);
    EXPECT_EQ(all.next_offset, 103);
}

TEST(kafka_batches, of_magic_2_are_read_in_every_codec) {
    using namespace testdata;
    for (const auto hex : {magic_2_none, magic_2_gzip, magic_2_snappy, magic_2_lz4, magic_2_zstd}) {
        expect_reads(hex, expected(2));
    }
    expect_reads(magic_2_log_append_time, expected(2, 1'800'000'000'000));
}

TEST(kafka_batches, of_magic_1_and_0_are_read_in_every_codec) {
    using namespace testdata;
    for (const auto hex : {magic_1_none, magic_1_gzip, magic_1_snappy, magic_1_lz4}) expect_reads(hex, expected(1));
    for (const auto hex : {magic_0_none, magic_0_gzip, magic_0_snappy, magic_0_lz4}) expect_reads(hex, expected(0));
    expect_reads(magic_1_gzip_log_append_time, expected(1, 1'800'000'000'000));
}

TEST(kafka_batches, carry_producer_and_codec_in_the_header) {
    const auto batch = batch_scanner::single(from_hex(testdata::magic_2_zstd));
    ASSERT_TRUE(batch);
    EXPECT_EQ(batch->codec(), compression_codec::zstd);
    EXPECT_EQ(batch->producer_id(), 7);
    EXPECT_EQ(batch->producer_epoch(), 3);
    EXPECT_EQ(batch->base_sequence(), 11);
    EXPECT_TRUE(batch->is_transactional());
    EXPECT_EQ(batch->max_timestamp(), t0 + 5);
}

TEST(kafka_batches, are_what_the_builder_writes) {
    const record_header headers[] = {
        {"trace", base::as_bytes("1")}, {"trace", std::nullopt}, {"empty", base::as_bytes("")}};
    const auto build = [&](batch_options options, bool with_headers) {
        options.base_offset = 100;
        batch_builder builder(options);
        builder.append({.timestamp = t0, .key = base::as_bytes("key"), .value = base::as_bytes("first")});
        builder.append(
            {.timestamp = t0 + 5,
             .key = base::as_bytes(""),
             .value = std::nullopt,
             .headers = with_headers ? std::span<const record_header>(headers) : std::span<const record_header>{}});
        builder.append({.timestamp = t0 + 3, .key = std::nullopt, .value = base::as_bytes("")});
        return builder.build();
    };
    EXPECT_EQ(build({.producer_id = 7, .producer_epoch = 3, .base_sequence = 11, .transactional = true}, true),
              from_hex(testdata::magic_2_none));
    EXPECT_EQ(build({.magic = 1}, false), from_hex(testdata::magic_1_none));
    EXPECT_EQ(build({.magic = 0}, false), from_hex(testdata::magic_0_none));
    EXPECT_EQ(make_transaction_marker(control_record_type::abort, 104, 7, 3, 42, t0 + 9),
              from_hex(testdata::abort_marker));
    EXPECT_EQ(make_transaction_marker(control_record_type::commit, 104, 7, 3, 42, t0 + 9),
              from_hex(testdata::commit_marker));
}

TEST(kafka_batches, markers_are_read) {
    EXPECT_EQ(read_control_record(*batch_scanner::single(from_hex(testdata::abort_marker))),
              (control_record{.version = 0, .type = control_record_type::abort, .coordinator_epoch = 42}));
    EXPECT_EQ(read_control_record(*batch_scanner::single(from_hex(testdata::commit_marker))),
              (control_record{.version = 0, .type = control_record_type::commit, .coordinator_epoch = 42}));
}

}  // namespace
}  // namespace strandline::records
