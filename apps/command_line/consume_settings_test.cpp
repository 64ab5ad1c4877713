#include "apps/command_line/consume_settings.hpp"

#include <cstdio>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace strandline::apps::command_line {
namespace {

using testing::HasSubstr;

consume_words plain() { return {.brokers = "b:1", .topics = {"t"}}; }

consume_options settled(const consume_words& words) {
    auto made = settle(words, {});
    EXPECT_TRUE(made) << made.error();
    return made.value_or(consume_options());
}

std::string refused(const consume_words& words) {
    const auto made = settle(words, {});
    EXPECT_FALSE(made);
    return made ? std::string() : made.error();
}

class properties_file {
public:
    explicit properties_file(const std::string& text) { std::ofstream(name()) << text; }
    ~properties_file() { std::remove(name().c_str()); }
    properties_file(const properties_file&) = delete;
    properties_file& operator=(const properties_file&) = delete;
    std::string name() const { return testing::TempDir() + "consume_settings_test.properties"; }
};

TEST(consume_settings, turn_automatic_commit_and_automatic_topics_off) {
    const auto made = settled(plain());
    EXPECT_FALSE(*made.config.enable_auto_commit);
    EXPECT_FALSE(made.config.allow_auto_create_topics);
    EXPECT_EQ(*made.config.isolation_level, isolation_level::read_committed);
    EXPECT_TRUE(made.format.has_value());
}

TEST(consume_settings, let_options_win_over_properties_and_these_over_files) {
    const properties_file file("metadata.broker.list = file:1\nclient.id = file\nfetch.min.bytes = 2\n");
    auto words = plain();
    words.files = {file.name()};
    words.properties = {"client.id=x", "bootstrap.servers=x:1"};
    const auto made = settled(words);
    EXPECT_EQ(made.config.bootstrap_servers, "b:1");
    EXPECT_EQ(made.config.client_id, "x");
    EXPECT_EQ(made.config.fetch_min_bytes, 2);
    words.brokers.reset();
    EXPECT_EQ(settled(words).config.bootstrap_servers, "x:1");
    words.properties.clear();
    EXPECT_EQ(settled(words).config.bootstrap_servers, "file:1");
}

TEST(consume_settings, take_librdkafkas_names) {
    auto words = plain();
    words.properties = {"fetch.wait.max.ms=7", "auto.offset.reset=smallest", "group.id=g"};
    const auto made = settled(words);
    EXPECT_EQ(made.config.fetch_max_wait.count(), 7);
    EXPECT_EQ(*made.config.auto_offset_reset, offset_reset::earliest);
    EXPECT_EQ(made.config.group_id, "g");
}

TEST(consume_settings, name_an_unknown_key_and_the_nearest_one) {
    auto words = plain();
    words.properties = {"fetch.min.byte=1"};
    EXPECT_THAT(refused(words), testing::AllOf(HasSubstr("fetch.min.byte"), HasSubstr("fetch.min.bytes")));
    words.properties = {"fetch.min.bytes=many"};
    EXPECT_THAT(refused(words), testing::AllOf(HasSubstr("fetch.min.bytes"), HasSubstr("bytes, 0 to 2147483647")));
    words.properties = {"group.protocol=classic"};
    EXPECT_THAT(refused(words), HasSubstr("group.protocol"));
    words.properties = {"security.protocol=SSL"};
    EXPECT_THAT(refused(words), HasSubstr("security.protocol"));
}

TEST(consume_settings, never_show_a_secret) {
    auto words = plain();
    words.properties = {"sasl.password=hunter2"};
    EXPECT_THAT(refused(words), testing::AllOf(HasSubstr("sasl.password"), testing::Not(HasSubstr("hunter2"))));
    words.properties = {"hunter2"};
    EXPECT_THAT(refused(words), testing::Not(HasSubstr("hunter2")));
    words.properties = {"sasl.passwort=hunter2", "sasl.jaas.config=hunter2", "ssl.key.password=hunter2"};
    EXPECT_THAT(refused(words), testing::Not(HasSubstr("hunter2")));
}

TEST(consume_settings, refuse_options_that_exclude_each_other) {
    const auto with = [](auto change) {
        auto words = plain();
        change(words);
        return refused(words);
    };
    EXPECT_THAT(with([](auto& w) { w.json = true, w.format = "%s"; }), HasSubstr("-f"));
    EXPECT_THAT(with([](auto& w) { w.json = true, w.key_delimiter = ":"; }), HasSubstr("-K"));
    EXPECT_THAT(with([](auto& w) { w.json = true, w.record_delimiter = ":"; }), HasSubstr("-D"));
    EXPECT_THAT(with([](auto& w) { w.format = "%s", w.record_delimiter = ":"; }), HasSubstr("-D"));
    EXPECT_THAT(with([](auto& w) { w.group = "g", w.partitions = "0"; }), HasSubstr("-p"));
    EXPECT_THAT(with([](auto& w) { w.topics = {"a", "b"}, w.partitions = "0"; }), HasSubstr("-p"));
    EXPECT_THAT(with([](auto& w) { w.quiet = w.verbose = true; }), HasSubstr("-q"));
    EXPECT_THAT(with([](auto& w) { w.group = "g", w.offset = "5"; }), HasSubstr("-o"));
    EXPECT_THAT(with([](auto& w) { w.topics.clear(); }), HasSubstr("TOPIC"));
    EXPECT_THAT(with([](auto& w) { w.brokers.reset(); }), HasSubstr("-b"));
    EXPECT_THAT(with([](auto& w) { w.count = "0"; }), HasSubstr("-c"));
    EXPECT_THAT(with([](auto& w) { w.format = "%q"; }), HasSubstr("%q"));
    EXPECT_THAT(with([](auto& w) { w.files = {"/nowhere/at.all"}; }), HasSubstr("/nowhere/at.all"));
}

TEST(consume_settings, take_where_to_start_in_a_group_as_its_reset_policy) {
    auto words = plain();
    words.group = "g";
    EXPECT_EQ(*settled(words).config.auto_offset_reset, offset_reset::latest);
    words.properties = {"auto.offset.reset=none"};
    EXPECT_EQ(*settled(words).config.auto_offset_reset, offset_reset::none);
    words.offset = "beginning";
    EXPECT_EQ(*settled(words).config.auto_offset_reset, offset_reset::earliest);
}

}  // namespace
}  // namespace strandline::apps::command_line
