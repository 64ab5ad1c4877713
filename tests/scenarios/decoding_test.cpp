// Logs as brokers hold them after compaction, bad disks and odd producers: what other clients lost, repeated or died
// of.
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "protocol/messages/fetch.hpp"
#include "records/batch_builder.hpp"
#include "records/crc32c.hpp"
#include "tests/scenarios/log_reader.hpp"

namespace strandline::testkit::sim::scenarios {

namespace {

using protocol::api_key;
using records::compression_codec;

constexpr std::size_t crc_at = 17;
constexpr std::size_t attributes_at = 21;
constexpr std::size_t count_at = 57;
constexpr std::size_t records_at = 61;

// A batch of one-letter values; offsets count from its base.
base::shared_bytes batch(const std::vector<std::int64_t>& offsets, std::optional<std::int64_t> last = {},
                         records::batch_options how = {}) {
    records::batch_builder builder(how);
    for (const auto offset : offsets) builder.append_at(offset, {.value = base::as_bytes("v")});
    if (last) builder.reach(*last);
    return builder.build();
}

// The same with bytes changed behind its checksum, which is right all the same.
base::shared_bytes patched(const base::shared_bytes& from, const std::function<void(std::span<std::byte>)>& change) {
    std::vector<std::byte> bytes(from.data(), from.data() + from.size());
    change(bytes);
    const auto seal = records::crc32c(base::bytes_view(bytes).subspan(attributes_at));
    for (std::size_t i = 0; i < 4; ++i) bytes[crc_at + i] = static_cast<std::byte>(seal >> (8 * (3 - i)));
    return base::shared_bytes::copy_of(bytes);
}

void write_number(std::span<std::byte> to, std::uint32_t number) {
    for (std::size_t i = 0; i < 4; ++i) to[i] = static_cast<std::byte>(number >> (8 * (3 - i)));
}

// orders-0 with these batches, and whoever reads it by hand.
struct one_log {
    world where{{.seed = 1}};
    log_reading seen;

    one_log() { where.create_topic("orders", 2); }
    void hold(const base::shared_bytes& bytes, std::int32_t partition = 0) {
        auto& state = *where.cluster().state().find_topic("orders")->find(partition);
        state.log.append(bytes, state.leader_epoch);
        where.cluster().touched();
    }
    // What no broker would have taken, in a log all the same: as a bad disk leaves it.
    void hold_broken(const base::shared_bytes& bytes, std::int64_t records) {
        auto& state = *where.cluster().state().find_topic("orders")->find(0);
        const auto base = state.log.high_watermark();
        std::vector<std::byte> placed(bytes.data(), bytes.data() + bytes.size());
        write_number(std::span(placed).subspan(4), static_cast<std::uint32_t>(base));  // the upper half stays zero
        state.log.append_raw(base::shared_bytes::copy_of(placed), base + records, state.leader_epoch);
        where.cluster().touched();
    }
    application& read(consumer_config config = {}) { return where.start(std::move(config), reading_log(seen)); }
    bool reads(std::size_t count, base::duration limit = 10s) {
        return where.run_until([&] { return seen.offsets.size() >= count; }, limit);
    }
};

using list = std::vector<std::int64_t>;

// tickets: B01; invariants: V2 V8
TEST(decoding, a_batch_whose_tail_was_compacted_away_is_passed_once_and_an_empty_one_is_no_end) {
    one_log log;
    request_watch<protocol::messages::fetch_request> fetches(log.where);
    log.hold(batch({0, 1, 2, 3}, 9));
    log.hold(batch({}, 4));  // 10 to 14, nothing left
    log.hold(batch({0, 1}));  // 15 and 16
    log.seen.start = 4;
    log.read();
    ASSERT_TRUE(log.reads(2));
    log.where.run_for(5s);
    EXPECT_EQ(log.seen.offsets, (list{15, 16}));
    EXPECT_TRUE(log.seen.errors.empty());
    int from_the_gap = 0;
    for (const auto& each : fetches.all) {
        for (const auto& topic : each.said.topics) {
            for (const auto& partition : topic.partitions) from_the_gap += partition.fetch_offset == 4 ? 1 : 0;
        }
    }
    EXPECT_LE(from_the_gap, 2);
}

// tickets: B03; invariants: V20
TEST(decoding, a_count_of_records_that_cannot_be_stops_its_partition_with_an_error_and_no_other) {
    for (const std::uint32_t count : {0xffff'ffffU, 0x8000'0000U, 0x7fff'ffffU}) {
        one_log log;
        log.hold(batch({0, 1}));
        log.hold_broken(
            patched(batch({0}), [&](std::span<std::byte> bytes) { write_number(bytes.subspan(count_at), count); }), 1);
        log.hold(batch({0, 1, 2}), 1);
        log.seen.both = true;
        auto& reader = log.read();
        ASSERT_TRUE(log.where.run_until([&] { return !log.seen.errors.empty() && log.seen.others.size() == 3; }, 10s));
        log.where.run_for(5s);
        EXPECT_EQ(log.seen.offsets, (list{0, 1}));
        ASSERT_EQ(log.seen.errors.size(), 1U) << "told once";
        EXPECT_EQ(log.seen.errors[0], errc::corrupt_record) << log.seen.errors[0].message();
        EXPECT_EQ(log.seen.errors[0].about().partition, (topic_partition{"orders", 0}));
        EXPECT_EQ(log.seen.errors[0].about().offset, 2);
        EXPECT_TRUE(reader.is_running());
    }
}

// tickets: B05; invariants: V8 V20
TEST(decoding, a_record_whose_length_is_wrong_is_an_error_at_its_offset_and_nothing_behind_it_is_delivered) {
    one_log log;
    // Each record takes as many bytes as the others; the third one says that it takes more than there are.
    const auto third_too_long = [](std::span<std::byte> bytes) {
        const auto each = (bytes.size() - records_at) / 5;
        bytes[records_at + 2 * each] = std::byte{0x7e};
    };
    log.hold_broken(patched(batch({0, 1, 2, 3, 4}), third_too_long), 5);
    log.hold(batch({0}));  // 5
    log.read({.check_crcs = false});
    ASSERT_TRUE(log.where.run_until([&] { return !log.seen.errors.empty(); }, 10s));
    log.where.run_for(5s);
    EXPECT_EQ(log.seen.offsets, (list{0, 1}));
    ASSERT_EQ(log.seen.errors.size(), 1U);
    EXPECT_EQ(log.seen.errors[0], errc::corrupt_record);
    EXPECT_EQ(log.seen.errors[0].about().offset, 2);
    // It goes on where the application wants it to.
    log.seen.seek_to = 5;
    ASSERT_TRUE(log.reads(3));
    EXPECT_EQ(log.seen.offsets.back(), 5);
}

// tickets: B06; invariants: V2 V20
TEST(decoding, bytes_that_no_decompressor_takes_are_told_at_once_and_not_fetched_again_and_again) {
    for (const auto codec :
         {compression_codec::gzip, compression_codec::snappy, compression_codec::lz4, compression_codec::zstd}) {
        one_log log;
        const auto nonsense = [](std::span<std::byte> bytes) {
            for (auto& each : bytes.subspan(records_at)) each = std::byte{0xee};
        };
        log.hold_broken(patched(batch({0, 1}, {}, {.codec = codec}), nonsense), 2);
        log.read();
        ASSERT_TRUE(log.where.run_until([&] { return !log.seen.errors.empty(); }, 2s)) << static_cast<int>(codec);
        EXPECT_EQ(log.seen.errors[0], errc::corrupt_record) << static_cast<int>(codec);
        EXPECT_EQ(log.seen.errors[0].about().offset, 0);
        const auto before = log.where.requests(api_key::fetch);
        log.where.run_for(5s);
        EXPECT_LE(log.where.requests(api_key::fetch) - before, 50U) << static_cast<int>(codec);
        EXPECT_EQ(log.seen.errors.size(), 1U);
        EXPECT_TRUE(log.seen.offsets.empty());
    }
}

// tickets: B07
TEST(decoding, records_of_every_codec_are_the_same_records) {
    one_log log;
    for (const auto codec : {compression_codec::none, compression_codec::gzip, compression_codec::snappy,
                             compression_codec::lz4, compression_codec::zstd}) {
        log.hold(batch({0, 1}, {}, {.codec = codec}));
    }
    log.read();
    ASSERT_TRUE(log.reads(10));
    EXPECT_EQ(log.seen.offsets, (list{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
    for (const auto& value : log.seen.values) EXPECT_EQ(value, "v");
}

// tickets: B09; invariants: V6 V8
TEST(decoding, a_batch_larger_than_the_limit_of_its_partition_comes_beside_one_that_always_has_data) {
    one_log log;
    records::batch_builder large;
    const std::string bytes(std::size_t{3} << 20U, 'x');
    large.append({.value = base::as_bytes(bytes)});
    log.hold(large.build());
    for (int i = 0; i < 200; ++i) log.hold(batch({0, 1, 2, 3, 4, 5, 6, 7}), 1);
    log.seen.both = true;
    log.read({.fetch_max_bytes = 1 << 20, .max_partition_fetch_bytes = 1 << 20});
    ASSERT_TRUE(log.reads(1, 20s));
    EXPECT_EQ(log.seen.offsets, list{0});
    ASSERT_TRUE(log.where.run_until([&] { return log.seen.others.size() == 1600; }, 20s));
    for (std::size_t i = 0; i < log.seen.others.size(); ++i) ASSERT_EQ(log.seen.others[i], static_cast<int>(i));
    EXPECT_TRUE(log.seen.errors.empty());
}

// tickets: B10
TEST(decoding, null_and_empty_are_kept_apart_in_keys_and_values) {
    one_log log;
    records::batch_builder builder;
    const auto empty = base::as_bytes("");
    builder.append({.key = std::nullopt, .value = std::nullopt});
    builder.append({.key = std::nullopt, .value = empty});
    builder.append({.key = empty, .value = std::nullopt});
    builder.append({.key = empty, .value = empty});
    log.hold(builder.build());
    log.read();
    ASSERT_TRUE(log.reads(4));
    using text = std::optional<std::string>;
    EXPECT_EQ(log.seen.keys, (std::vector<text>{std::nullopt, std::nullopt, "", ""}));
    EXPECT_EQ(log.seen.values, (std::vector<text>{std::nullopt, "", std::nullopt, ""}));
}

}  // namespace

}  // namespace strandline::testkit::sim::scenarios
