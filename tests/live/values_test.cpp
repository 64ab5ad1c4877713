// Whatever Kafka can store, read as Kafka's own consumer reads it: codecs, nulls, headers, time stamps, old formats.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/live/one_broker.hpp"
#include "tests/live/patience.hpp"
#include "tests/live/record_lines.hpp"
#include "tests/live/tool.hpp"

namespace strandline::live {
namespace {

using namespace std::chrono_literals;
using values = one_broker_test;

json::object record(json::value key, json::value value, json::array headers = {}) {
    return {{"partition", 0}, {"key", std::move(key)}, {"value", std::move(value)}, {"headers", std::move(headers)}};
}

json::object base64(const char* text) { return {{"base64", text}}; }

json::array pair(const char* name, json::value value) { return {name, std::move(value)}; }

// Null against empty, bytes that are no text, text that JSON has to escape, headers twice and without a value.
json::array odd_records() {
    return {
        record("key", "value"),
        record(nullptr, nullptr),
        record("", ""),
        record(nullptr, ""),
        record("", nullptr),
        record(base64("AP/+gA=="), base64("w3rCkA==")),
        record("quote\" back\\slash / tab\t", "line\nfeed \r nul \u0001 \x7f"),
        record("ключ 鍵 🔑", "é ｗｉｄｅ \u2028 \U0001F30A"),
        // Cut inside a character, an overlong form, half of a surrogate pair: none is UTF-8.
        record(base64("4oI="), base64("wIA=")),
        record(base64("7aCA"), base64("9JCAgA==")),
        record("headers", "many",
               {pair("a", "1"), pair("a", "1"), pair("b", nullptr), pair("a", ""), pair("", "no name"),
                pair("bytes", base64("/w==")), pair("имя", "значение")}),
    };
}

TEST_F(values, of_every_codec_equal_what_kafkas_consumer_reads) {
    kafka().create_topic(topic, 2);
    for (const auto* codec : {"none", "gzip", "snappy", "lz4", "zstd"}) {
        kafka().produce(topic, odd_records(), codec);
        // Compresses well; several batches.
        kafka().call("produce_many", {{"topic", topic},
                                      {"partitions", 2},
                                      {"count", 3000},
                                      {"compression", codec},
                                      {"config", {{"batch.size", 20000}}}});
        // A value larger than the usual buffers of a codec.
        kafka().call(
            "produce_many",
            {{"topic", topic}, {"partitions", 2}, {"count", 2}, {"value_size", 700000}, {"compression", codec}});
    }
    const auto ours = consume(cluster(), {"-e", topic});
    EXPECT_EQ(ours.status, 0) << ours.errors;
    EXPECT_TRUE(same_records(ours.lines, kafka().read(topic)));
}

TEST_F(values, carry_the_time_the_broker_gave_them) {
    kafka().create_topic(topic, 1, {{"message.timestamp.type", "LogAppendTime"}});
    kafka().produce_many(topic, 1, 10);
    const auto ours = consume(cluster(), {"-e", topic});
    EXPECT_TRUE(same_records(ours.lines, kafka().read(topic)));
    EXPECT_THAT(ours.lines, testing::Each(testing::HasSubstr(R"("timestamp_type":"append")")));
}

TEST_F(values, are_empty_for_an_empty_topic) {
    kafka().create_topic(topic, 3);
    const auto ours = consume(cluster(), {"-e", topic});
    EXPECT_EQ(ours.status, 0) << ours.errors;
    EXPECT_THAT(ours.lines, testing::IsEmpty());
}

TEST_F(values, of_several_topics_come_together) {
    const auto other = unique_name("other");
    kafka().create_topic(topic, 2);
    kafka().create_topic(other, 1);
    kafka().produce_many(topic, 2, 20);
    kafka().produce_many(other, 1, 20);
    const auto ours = consume(cluster(), {"-e", topic, other});
    auto kafkas = kafka().read(topic);
    for (auto& line : kafka().read(other)) kafkas.push_back(std::move(line));
    EXPECT_TRUE(same_records(ours.lines, kafkas));
}

TEST_F(values, have_gaps_where_the_log_was_compacted) {
    kafka().create_topic(topic, 1,
                         {{"cleanup.policy", "compact"},
                          {"min.cleanable.dirty.ratio", "0.01"},
                          {"segment.ms", "100"},
                          {"delete.retention.ms", "100"}});
    const auto reads = [&] { return kafka().read(topic).size(); };
    // The same keys again and again; what a later segment has replaced goes away.
    eventually("the log was compacted", 60s, [&] {
        kafka().produce_many(topic, 1, 50);
        return reads() % 50 != 0 || kafka().call("offsets", {{"topic", topic}}).at(0).at("end").to_number<int>() >
                                        static_cast<int>(reads()) + 100;
    });
    const auto ours = consume(cluster(), {"-e", topic});
    EXPECT_EQ(ours.status, 0) << ours.errors;
    const auto kafkas = kafka().read(topic);
    // The cleaner may run between the two; what both saw must be equal, and ours ends where the log ends.
    EXPECT_TRUE(no_record_missing({ours.lines}, kafkas));
    EXPECT_EQ(next_offsets(ours.lines), next_offsets(kafkas));
}

// No broker of today takes these from a producer, but old logs hold them, and they are served as they are.
TEST_F(values, of_record_formats_0_and_1_equal_what_kafkas_consumer_reads) {
    kafka().create_topic(topic, 1);
    json::array batches;
    for (const auto* codec : {"none", "gzip", "snappy", "lz4"}) {
        for (const int magic : {0, 1}) {
            batches.push_back({{"magic", magic},
                               {"compression", codec},
                               {"records",
                                {{{"key", "k"}, {"value", codec}, {"timestamp", 11}},
                                 {{"key", nullptr}, {"value", ""}, {"timestamp", 12}},
                                 {{"key", ""}, {"value", nullptr}, {"timestamp", 13}}}}});
        }
    }
    cluster().stop(1);
    kafka().call("write_segment",
                 {{"log_dir", cluster().log_folder(1).string()}, {"topic", topic}, {"batches", std::move(batches)}});
    cluster().start(1);
    eventually("the old log is served", 20s, [&] { return kafka().read(topic).size() == 24; });
    const auto ours = consume(cluster(), {"-e", topic});
    EXPECT_EQ(ours.status, 0) << ours.errors;
    EXPECT_TRUE(same_records(ours.lines, kafka().read(topic)));
}

}  // namespace
}  // namespace strandline::live
