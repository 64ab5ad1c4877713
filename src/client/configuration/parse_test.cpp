#include <chrono>
#include <string>

#include <gtest/gtest.h>

#include <strandline/consumer_config.hpp>

#include "client/configuration/property.hpp"
#include "client/core_settings.hpp"

namespace strandline::client::configuration {
namespace {

using namespace std::chrono_literals;

consumer_config parsed(const properties& given) {
    auto made = consumer_config::parse(given);
    EXPECT_TRUE(made.has_value()) << (made ? "" : made.error().message());
    return made ? std::move(*made) : consumer_config();
}

std::string refused(const properties& given) {
    const auto made = consumer_config::parse(given);
    EXPECT_FALSE(made.has_value());
    if (made) return {};
    EXPECT_EQ(made.error(), errc::invalid_configuration);
    return made.error().message();
}

TEST(parse, reads_properties_by_javas_names) {
    const auto made = parsed({{"bootstrap.servers", "a:9092, b:9093"},
                              {"group.id", "billing"},
                              {"enable.auto.commit", "false"},
                              {"auto.offset.reset", "by_duration:PT1H30M"},
                              {"isolation.level", "read_uncommitted"},
                              {"max.poll.records", "100"},
                              {"fetch.max.wait.ms", "250"},
                              {"group.protocol", "consumer"},
                              {"security.protocol", "PLAINTEXT"}});
    EXPECT_EQ(made.bootstrap_servers, "a:9092, b:9093");
    EXPECT_EQ(made.group_id, "billing");
    EXPECT_TRUE(made.enable_auto_commit.is_set());
    EXPECT_FALSE(*made.enable_auto_commit);
    EXPECT_EQ(*made.auto_offset_reset, offset_reset::by_duration(90min));
    EXPECT_EQ(*made.isolation_level, isolation_level::read_uncommitted);
    EXPECT_EQ(made.max_poll_records, 100);
    EXPECT_EQ(made.fetch_max_wait, 250ms);
    EXPECT_TRUE(made.warnings.empty());
}

TEST(parse, reads_properties_by_librdkafkas_names_and_values) {
    const auto made = parsed({{"metadata.broker.list", "a:9092"},
                              {"fetch.wait.max.ms", "10"},
                              {"fetch.message.max.bytes", "2048"},
                              {"socket.timeout.ms", "5000"},
                              {"auto.offset.reset", "smallest"}});
    EXPECT_EQ(made.bootstrap_servers, "a:9092");
    EXPECT_EQ(made.fetch_max_wait, 10ms);
    EXPECT_EQ(made.max_partition_fetch_bytes, 2048);
    EXPECT_EQ(made.request_timeout, 5s);
    EXPECT_EQ(*made.auto_offset_reset, offset_reset::earliest);
}

TEST(parse, tells_everything_that_is_wrong_at_once) {
    const auto text = refused({{"max.poll.recods", "5"}, {"fetch.min.bytes", "many"}, {"ssl.ca.location", "/ca.pem"}});
    EXPECT_NE(text.find("3 problems"), std::string::npos) << text;
    EXPECT_NE(text.find("max.poll.recods: is unknown; did you mean max.poll.records?"), std::string::npos) << text;
    EXPECT_NE(text.find("fetch.min.bytes: \"many\" is not accepted; accepted: bytes"), std::string::npos) << text;
    EXPECT_NE(text.find("ssl.ca.location: is not supported"), std::string::npos) << text;
}

TEST(parse, names_the_key_it_is_about) {
    EXPECT_EQ(consumer_config::parse({{"group.idd", "x"}}).error().about().key, "group.idd");
}

TEST(parse, refuses_one_thing_said_twice) {
    EXPECT_NE(
        refused({{"fetch.max.wait.ms", "1"}, {"fetch.wait.max.ms", "2"}}).find("says the same as fetch.max.wait.ms"),
        std::string::npos);
}

TEST(parse, refuses_what_does_not_exist_yet_by_name) {
    EXPECT_NE(refused({{"group.protocol", "classic"}}).find("group.protocol: \"classic\" is not supported yet"),
              std::string::npos);
    EXPECT_NE(refused({{"security.protocol", "SASL_SSL"}}).find("security.protocol"), std::string::npos);
    EXPECT_NE(refused({{"share.acquire.mode", "record_limit"}}).find("share consumers"), std::string::npos);
}

TEST(parse, never_shows_a_secret) {
    const auto text = refused({{"sasl.password", "hunter2"}, {"ssl.key.pem", "hunter2"}});
    EXPECT_EQ(text.find("hunter2"), std::string::npos) << text;
}

TEST(parse, warns_of_classic_keys_unless_the_protocol_is_named) {
    EXPECT_EQ(parsed({{"session.timeout.ms", "45000"}}).warnings.size(), 1U);
    EXPECT_NE(refused({{"session.timeout.ms", "45000"}, {"group.protocol", "consumer"}}).find("session.timeout.ms"),
              std::string::npos);
}

TEST(parse, warns_of_what_has_no_effect) {
    const auto made = parsed({{"key.deserializer", "x"}, {"statistics.interval.ms", "1"}});
    ASSERT_EQ(made.warnings.size(), 2U);
    EXPECT_EQ(made.warnings[0], "key.deserializer has no effect here (records are bytes)");
}

TEST(parse, leaves_bootstrap_servers_to_the_program_but_checks_them_when_given) {
    EXPECT_TRUE(consumer_config::parse({}).has_value());
    EXPECT_NE(refused({{"bootstrap.servers", "localhost"}}).find("has no port"), std::string::npos);
}

TEST(parse, enforces_rules_between_keys) {
    EXPECT_NE(refused({{"enable.auto.commit", "true"}}).find("needs a group.id"), std::string::npos);
    EXPECT_TRUE(consumer_config::parse({{"enable.auto.commit", "false"}}).has_value());
    EXPECT_NE(refused({{"group.instance.id", "one"}}).find("group.instance.id: needs a group.id"), std::string::npos);
}

// A request for records expires after both times together.
TEST(parse, lets_a_fetch_wait_longer_than_other_requests_may_take) {
    EXPECT_EQ(parsed({{"request.timeout.ms", "500"}}).fetch_max_wait, 500ms);
    EXPECT_EQ(parsed({{"fetch.max.wait.ms", "40000"}}).fetch_max_wait, 40s);
}

TEST(parse, a_first_reconnect_backoff_alone_does_not_grow) {
    EXPECT_EQ(parsed({{"reconnect.backoff.ms", "200"}}).reconnect_backoff_max, 200ms);
    EXPECT_EQ(parsed({}).reconnect_backoff_max, 10s);
}

TEST(check, tells_everything_that_is_wrong_with_fields_set_in_code) {
    const auto verdict = check({.fetch_min_bytes = -1, .memory_limit = 5});
    ASSERT_FALSE(verdict.has_value());
    for (const auto* key : {"bootstrap.servers", "fetch.min.bytes: -1 is out of range", "memory.limit: 5"}) {
        EXPECT_NE(verdict.error().message().find(key), std::string::npos) << verdict.error().message();
    }
}

TEST(to_string, writes_what_parse_reads_back) {
    consumer_config config{
        .bootstrap_servers = "a:9092", .group_id = "billing", .auto_offset_reset = offset_reset::by_duration(1500ms)};
    const auto text = to_string(config);
    EXPECT_NE(text.find("bootstrap.servers=a:9092\n"), std::string::npos);
    EXPECT_NE(text.find("auto.offset.reset=by_duration:PT1.500S\n"), std::string::npos);
    EXPECT_EQ(to_string(parsed(*parse_properties(text))), text);
}

TEST(core_settings, takes_any_longer_time_for_a_century) {
    constexpr auto century = std::chrono::hours(24 * 365 * 100);
    const auto given = parsed({{"bootstrap.servers", "a:1"},
                               {"connections.max.idle.ms", "9223372036854775807"},
                               {"request.timeout.ms", "9223372036854775807"},
                               {"retry.backoff.max.ms", "9223372036854775807"},
                               {"auto.offset.reset", "by_duration:P999999999D"}});
    const auto made = core_settings(given);
    ASSERT_TRUE(made.has_value()) << made.error().message();
    EXPECT_EQ(made->connections_max_idle, century);
    EXPECT_EQ(made->request_timeout, century);
    EXPECT_EQ(made->retry.maximum, century);
    EXPECT_EQ(made->auto_offset_reset.ago, century);
    auto in_code = given;
    in_code.auto_offset_reset = offset_reset::by_duration(std::chrono::milliseconds::max());
    EXPECT_EQ(core_settings(in_code)->auto_offset_reset.ago, century);
}

TEST(core_settings, turns_automatic_commit_off_without_a_group) {
    EXPECT_FALSE(core_settings({.bootstrap_servers = "a:1"})->enable_auto_commit);
    EXPECT_TRUE(core_settings({.bootstrap_servers = "a:1", .group_id = "g"})->enable_auto_commit);
}

TEST(core_settings, without_rebootstrap_there_is_no_cluster_check) {
    EXPECT_FALSE(
        core_settings({.bootstrap_servers = "a:1", .metadata_recovery_strategy = metadata_recovery_strategy::none})
            ->cluster_check);
}

TEST(property, every_known_name_is_known_once) {
    std::map<std::string_view, int> seen;
    for (const auto& each : consumer_properties()) ++seen[each.name];
    for (const auto& each : foreign_properties()) ++seen[each.name];
    for (const auto& [name, count] : seen) EXPECT_EQ(count, 1) << name;
}

}  // namespace
}  // namespace strandline::client::configuration
