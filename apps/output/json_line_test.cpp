#include "apps/output/json_line.hpp"

#include <gtest/gtest.h>

#include "apps/output/utf8.hpp"

namespace strandline::apps::output {
namespace {

std::string line(const printable_record& record) {
    std::string text;
    append_json_line(text, record);
    return text;
}

std::string value_of(std::string_view bytes) {
    const auto text = line({.topic = "t", .value = bytes});
    constexpr std::string_view before = "\"value\":";
    const auto from = text.find(before) + before.size();
    return text.substr(from, text.find(",\"headers\"") - from);
}

TEST(json_line, has_every_field_in_its_order) {
    EXPECT_EQ(line({.topic = "orders",
                    .partition = 3,
                    .offset = 42,
                    .timestamp_ms = 1700,
                    .timestamp_type = timestamp_type::create_time,
                    .leader_epoch = 7,
                    .key = "k",
                    .value = "v"}),
              R"({"topic":"orders","partition":3,"offset":42,"timestamp":1700,"timestamp_type":"create",)"
              R"("leader_epoch":7,"key":"k","value":"v","headers":[]})"
              "\n");
}

TEST(json_line, tells_null_from_empty) {
    EXPECT_EQ(line({.topic = "t", .value = ""}),
              R"({"topic":"t","partition":0,"offset":0,"timestamp":-1,"timestamp_type":"none",)"
              R"("leader_epoch":null,"key":null,"value":"","headers":[]})"
              "\n");
}

TEST(json_line, escapes_what_json_requires) {
    EXPECT_EQ(value_of(std::string_view("\"\\\n\r\t\b\f\0\x1f", 9)), R"("\"\\\n\r\t\b\f\u0000\u001f")");
    EXPECT_EQ(value_of("\x7f"), R"("\u007f")");
    EXPECT_EQ(value_of("gr\xc3\xbc\xc3\x9f \xf0\x9f\x90\x9a"), "\"gr\xc3\xbc\xc3\x9f \xf0\x9f\x90\x9a\"");
}

TEST(json_line, makes_base64_of_what_is_no_text) {
    EXPECT_EQ(value_of("\xff"), R"({"base64":"/w=="})");
    EXPECT_EQ(value_of("\xff\xfe"), R"({"base64":"//4="})");
    EXPECT_EQ(value_of("\xff\xfe\xfd"), R"({"base64":"//79"})");
    EXPECT_EQ(value_of(std::string_view("\0\x10\x83\x10\x51\x87", 6)), R"({"base64":"ABCDEFGH"})");
}

TEST(json_line, keeps_headers_in_order_with_duplicates_and_names_that_are_no_text) {
    constexpr std::string_view encoded(
        "\x02"
        "a"
        "\x02"
        "1"
        "\x02"
        "a"
        "\x01"
        "\x02"
        "\xff"
        "\0",
        10);
    const auto text = line({.topic = "t", .headers = {reinterpret_cast<const std::byte*>(encoded.data()), 3}});
    EXPECT_NE(text.find(R"("headers":[["a","1"],["a",null],[{"base64":"/w=="},""]])"), std::string::npos) << text;
}

TEST(utf8, takes_shortest_forms_only) {
    for (const auto* text : {"", "plain ascii, longer than one word", "\xc2\x80", "\xe0\xa0\x80", "\xed\x9f\xbf",
                             "\xee\x80\x80", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf", "12345678\xc3\xbc"}) {
        EXPECT_TRUE(is_utf8(text)) << text;
    }
    for (const auto* bytes :
         {"\x80", "\xc0\xaf", "\xc1\xbf", "\xc3", "\xe0\x9f\xbf", "\xed\xa0\x80", "\xe2\x82", "\xf0\x8f\xbf\xbf",
          "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "12345678\xff", "\xe2\x28\xa1"}) {
        EXPECT_FALSE(is_utf8(bytes)) << bytes;
    }
}

}  // namespace
}  // namespace strandline::apps::output
