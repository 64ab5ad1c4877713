#include "client/configuration/property_text.hpp"

#include <chrono>

#include <gtest/gtest.h>

#include <strandline/properties.hpp>

#include "client/configuration/bootstrap_servers.hpp"

namespace strandline::client::configuration {
namespace {

using namespace std::chrono_literals;

TEST(read_iso_duration, understands_days_and_below) {
    EXPECT_EQ(read_iso_duration("P7D"), 168h);
    EXPECT_EQ(read_iso_duration("PT1H30M"), 90min);
    EXPECT_EQ(read_iso_duration("P1DT0.5S"), 24h + 500ms);
    EXPECT_EQ(read_iso_duration("P2W"), 336h);
}

TEST(read_iso_duration, takes_more_than_a_century_for_one) {
    constexpr auto century = std::chrono::hours(24 * 365 * 100);
    EXPECT_EQ(read_iso_duration("P999999999D"), century);
    EXPECT_EQ(read_iso_duration("P36499DT999999999H"), century);
}

TEST(read_iso_duration, refuses_everything_else) {
    for (const auto* text : {"", "P", "PT", "7D", "P7", "PT5D", "P5M", "PT-1S", "PT1S1H", "PTnanS"}) {
        EXPECT_FALSE(read_iso_duration(text).has_value()) << text;
    }
}

// tickets: B97 B98
TEST(read_bootstrap_servers, reads_names_and_addresses) {
    using core::boundary::host_port;
    EXPECT_EQ(*read_bootstrap_servers("a:1, PLAINTEXT://b.example:65535,,[::1]:9092"),
              (std::vector<host_port>{{"a", 1}, {"b.example", 65535}, {"::1", 9092}}));
}

// tickets: B99
TEST(read_bootstrap_servers, says_what_is_wrong_with_which) {
    EXPECT_EQ(read_bootstrap_servers("a:1,b").error(),
              "\"b\" has no port; write host:port, several separated by commas");
    for (const auto* text : {"", " , ", "a:0", "a:65536", "a:x", ":9092", "::1:9092", "a b:1", "a:9092 b:9092"}) {
        EXPECT_FALSE(read_bootstrap_servers(text).has_value()) << text;
    }
}

TEST(parse_properties, reads_javas_format) {
    const auto read = parse_properties(
        "# a comment\n! another\n\n  a = b \nc:d\ne f\ng\nlong=one, \\\n    two\r\npath=c:\\\\x\nu=\\u00e9\nk\\=ey=v");
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(*read, (properties{{"a", "b "},
                                 {"c", "d"},
                                 {"e", "f"},
                                 {"g", ""},
                                 {"long", "one, two"},
                                 {"path", "c:\\x"},
                                 {"u", "\xc3\xa9"},
                                 {"k=ey", "v"}}));
}

TEST(parse_properties, refuses_a_broken_escape_with_its_line) {
    EXPECT_NE(parse_properties("a=1\nb=\\u12").error().message().find("line 2"), std::string::npos);
}

TEST(load_properties, names_a_file_that_cannot_be_read) {
    for (const std::string file : {"/no/such/file", "/tmp"}) {
        const auto found = load_properties(file);
        ASSERT_FALSE(found.has_value());
        EXPECT_NE(found.error().message().find("cannot read " + file + ": "), std::string::npos)
            << found.error().message();
    }
}

}  // namespace
}  // namespace strandline::client::configuration
