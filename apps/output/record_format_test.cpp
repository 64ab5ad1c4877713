#include "apps/output/record_format.hpp"

#include <array>

#include <gtest/gtest.h>

namespace strandline::apps::output {
namespace {

// As on the wire: a varint and the name, a varint and the value; 1 is a null value.
constexpr std::string_view two_headers(
    "\x02"
    "a"
    "\x04"
    "xy"
    "\x02"
    "b"
    "\x01",
    8);

header_range headers(std::string_view encoded, std::int32_t count) {
    return {reinterpret_cast<const std::byte*>(encoded.data()), count};
}

printable_record order() {
    return {.topic = "orders",
            .partition = 3,
            .offset = 42,
            .timestamp_ms = 1700,
            .key = "k",
            .value = "vw",
            .headers = headers(two_headers, 2)};
}

std::string formatted(std::string_view format, const printable_record& record) {
    const auto made = record_format::compile(format);
    EXPECT_TRUE(made);
    std::string text;
    if (made) made->append(text, record);
    return text;
}

TEST(record_format, knows_kcats_verbs) {
    EXPECT_EQ(formatted("%t|%p|%o|%k|%s|%K|%S|%T|%h|%%\\n", order()), "orders|3|42|k|vw|1|2|1700|a=xy,b|%\n");
}

TEST(record_format, knows_escapes) {
    EXPECT_EQ(formatted("\\t\\r\\n\\\\\\0\\x41\\xff", order()), std::string("\t\r\n\\\0A\xff", 7));
}

TEST(record_format, prints_nothing_for_null_and_tells_it_from_empty_by_the_length) {
    auto record = order();
    record.key.reset();
    record.value = "";
    record.headers = {};
    EXPECT_EQ(formatted("[%k|%s|%K|%S|%h]", record), "[||-1|0|]");
}

TEST(record_format, keeps_bytes_as_they_are) {
    auto record = order();
    record.value = std::string_view("\0\xff\n", 3);
    EXPECT_EQ(formatted("%s", record), std::string("\0\xff\n", 3));
}

TEST(record_format, refuses_unknown_verbs_and_escapes) {
    for (const auto* text : {"%q", "%", "abc%", "\\q", "\\", "\\x", "\\x4", "\\xg0"}) {
        EXPECT_FALSE(record_format::compile(text)) << text;
    }
}

TEST(record_format, puts_delimiters_behind_key_and_record) {
    std::string text;
    const std::string key = ":";
    record_format::delimited(&key, "|").append(text, order());
    record_format::delimited(nullptr, "\n").append(text, order());
    EXPECT_EQ(text, "k:vw|vw\n");
}

}  // namespace
}  // namespace strandline::apps::output
