#include "core/connection/address_book.hpp"

#include <gtest/gtest.h>

#include "core/connection/network_words.hpp"

namespace strandline::core::connection {
namespace {

const boundary::host_port kafka{"kafka.example", 9092};

TEST(address_book, literal_addresses_are_known_without_asking) {
    EXPECT_EQ(literal_address("127.0.0.1"), "127.0.0.1");
    EXPECT_EQ(literal_address("::1"), "::1");
    EXPECT_EQ(literal_address("[2001:db8::7]"), "2001:db8::7");
    EXPECT_EQ(literal_address("fe80::1%eth0"), "fe80::1%eth0");
    for (const auto* const name : {"localhost", "kafka.example", "1.2.3", "256.0.0.1", "", "[]", "::g", "a:b"}) {
        EXPECT_EQ(literal_address(name), std::nullopt) << name;
    }
    const auto found = address_book().find({"[::1]", 9092});
    ASSERT_TRUE(found);
    EXPECT_EQ(*found, (std::vector{ip_endpoint{"::1", 9092}}));
}

TEST(address_book, a_name_is_asked_for_once_however_many_wait) {
    address_book book;
    EXPECT_EQ(book.find(kafka), std::nullopt);
    const auto first = book.look_up(kafka);
    EXPECT_TRUE(first.is_new);
    const auto second = book.look_up(kafka);
    EXPECT_FALSE(second.is_new);
    EXPECT_EQ(first.id, second.id);
    EXPECT_NE(book.look_up({"kafka.example", 9093}).id, first.id);
    EXPECT_TRUE(book.on_resolved({first.id, {{"10.0.0.1", 9092}}, ""}));
    EXPECT_EQ(book.find(kafka)->size(), 1U);
    EXPECT_FALSE(book.on_resolved({first.id, {}, ""})) << "nobody waits any more";
}

TEST(address_book, a_failed_look_up_can_be_repeated) {
    address_book book;
    const auto first = book.look_up(kafka);
    EXPECT_TRUE(book.on_resolved({first.id, {}, "timed out"}));
    EXPECT_EQ(book.find(kafka), std::nullopt);
    EXPECT_TRUE(book.look_up(kafka).is_new);
}

TEST(address_book, what_worked_last_comes_first_and_the_others_keep_their_order) {
    address_book book;
    book.on_resolved({book.look_up(kafka).id, {{"10.0.0.1", 9092}, {"10.0.0.2", 9092}, {"10.0.0.3", 9092}}, ""});
    book.prefer(kafka, {"10.0.0.3", 9092});
    EXPECT_EQ(*book.find(kafka),
              (std::vector<ip_endpoint>{{"10.0.0.3", 9092}, {"10.0.0.1", 9092}, {"10.0.0.2", 9092}}));
    book.prefer(kafka, {"10.9.9.9", 9092});
    EXPECT_EQ(book.find(kafka)->size(), 3U);
}

TEST(address_book, answers_from_before_it_was_cleared_are_not_awaited) {
    address_book book;
    const auto query = book.look_up(kafka);
    book.clear();
    EXPECT_FALSE(book.on_resolved({query.id, {{"10.0.0.1", 9092}}, ""}));
    EXPECT_EQ(book.find(kafka), std::nullopt);
    EXPECT_NE(book.look_up(kafka).id, query.id);
}

TEST(address_book, addresses_are_written_as_people_write_them) {
    EXPECT_EQ(to_string(kafka), "kafka.example:9092");
    EXPECT_EQ(to_string(boundary::host_port{"::1", 9092}), "[::1]:9092");
    EXPECT_EQ(to_string(boundary::host_port{"[::1]", 9092}), "[::1]:9092");
}

}  // namespace
}  // namespace strandline::core::connection
