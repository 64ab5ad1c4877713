// What the connection manager does when brokers cannot be reached.
#include <string>

#include <gtest/gtest.h>

#include "core/connection/connection_manager.hpp"
#include "core/connection/connection_test_rig.hpp"

namespace strandline::core::connection {
namespace {

using namespace test;

// What the metadata manager does: asks for any broker whenever there is one to try.
void want_any(rig& r) {
    while (const auto broker = r.any()) {
        if (r.state(*broker) != readiness::state::unknown) return;
        r.want(*broker);
    }
}

TEST(connection_outage, a_refused_broker_is_left_alone_for_a_while_and_then_tried_again) {
    rig r;
    r.want(first_server);
    r.refuse_newest();
    EXPECT_EQ(r.state(first_server), readiness::state::backing_off);
    EXPECT_EQ(r.any(), std::nullopt);
    EXPECT_GE(r.wake_at, t0 + 40ms);
    EXPECT_LE(r.wake_at, t0 + 100ms);
    const auto version = r.manager->view_source().version();
    r.turn(r.wake_at);
    EXPECT_GT(r.manager->view_source().version(), version) << "who waits must hear of the end of the back-off";
    EXPECT_EQ(r.any(), first_server);
    EXPECT_EQ(r.wake_at, base::never) << "nobody wants a connection: nothing is due";
}

// tickets: (F10)
TEST(connection_outage, an_end_of_backing_off_that_is_shown_is_the_time_when_the_view_changes) {
    rig r;
    r.want(first_server);
    r.refuse_newest();
    EXPECT_EQ(r.manager->view_source().get()->of(first_server, connection_role::control).until, r.wake_at);
}

TEST(connection_outage, every_server_of_the_list_is_tried_soon) {
    rig r({{"127.0.0.1", 9092}, {"127.0.0.2", 9092}, {"127.0.0.3", 9092}});
    std::set<std::string> tried;
    while (tried.size() < 3 && r.now < t0 + 2s) {
        want_any(r);
        if (!r.opens.empty() && tried.insert(r.opens.back().to.address).second) r.refuse_newest();
        r.turn(r.wake_at);
    }
    EXPECT_EQ(tried.size(), 3U);
    EXPECT_LT(r.now, t0 + 700ms);
    EXPECT_EQ(r.manager->failures().size(), 3U);
    EXPECT_EQ(r.manager->failures()[0].address, "127.0.0.1:9092") << "in the order of the configuration";
}

// Reactor wake-ups within one second, at the start and after a long time, with every attempt refused at once.
TEST(connection_outage, wake_ups_fall_to_one_in_five_seconds_while_nobody_is_reachable) {
    for (const std::size_t servers : {1U, 3U}) {
        rig r;
        r.config.bootstrap_servers.clear();
        for (std::size_t i = 0; i < servers; ++i) r.config.bootstrap_servers.push_back({"127.0.0.1", 9092});
        r.manager.emplace(exchange::manager_context{r.config, r.random, r.ids, r.facts, r.views}, r.cluster);
        std::vector<base::instant> wakes;
        std::size_t refused = 0;
        want_any(r);
        while (r.now < t0 + 30min) {
            if (refused < r.opens.size()) {
                r.at(r.now + 1ms);
                r.on(closed{r.opens[refused++].id, "Connection refused"});
            } else {
                ASSERT_NE(r.wake_at, base::never);
                r.turn(r.wake_at);
            }
            wakes.push_back(r.now);
            want_any(r);
        }
        const auto within = [&](base::duration from, base::duration to) {
            return std::count_if(wakes.begin(), wakes.end(),
                                 [&](base::instant when) { return when >= t0 + from && when < t0 + to; });
        };
        EXPECT_LE(within(0s, 10s), 50) << servers;
        EXPECT_LE(within(1s, 2s), 5) << servers;
        EXPECT_LE(within(5min, 15min), 120) << servers;
        EXPECT_LE(within(15min, 25min), 120) << servers;
        EXPECT_GE(within(15min, 25min), 60) << "it goes on trying: " << servers;
    }
}

TEST(connection_outage, a_server_that_swallows_packets_does_not_hide_the_next_one) {
    rig r({{"10.0.0.1", 9092}, {"10.0.0.2", 9092}});
    want_any(r);
    ASSERT_EQ(r.opens.size(), 1U);
    EXPECT_EQ(r.wake_at, t0 + 250ms);
    r.turn(r.wake_at);
    want_any(r);
    ASSERT_EQ(r.opens.size(), 2U);
    EXPECT_NE(r.opens[0].to, r.opens[1].to);
    r.shake_hands();
    EXPECT_EQ(r.state(*r.any()), readiness::state::ready);
}

TEST(connection_outage, setting_up_has_a_time_limit_that_grows) {
    rig r({{"10.0.0.1", 9092}});
    r.want(first_server);
    r.turn(r.wake_at);  // nobody else to try
    EXPECT_EQ(r.wake_at, t0 + 10s);
    r.turn(t0 + 10s);
    EXPECT_TRUE(r.closed_ids.contains(r.newest()));
    ASSERT_EQ(r.manager->failures().size(), 1U);
    EXPECT_EQ(r.manager->failures()[0],
              (address_failure{"10.0.0.1:9092", errc::timed_out, "timed out after 10 s: no answer (10.0.0.1)"}));
    r.turn(r.wake_at);
    const auto again = r.now;
    r.want(first_server);
    while (r.manager->failures()[0].what.find("20 s") == std::string::npos) r.turn(r.wake_at);
    EXPECT_EQ(r.now, again + 20s);
}

TEST(connection_outage, a_peer_that_never_greets_back_is_given_up) {
    rig r;
    r.want(first_server);
    r.on(connected{r.newest()});
    while (r.now < t0 + 10s) r.turn(r.wake_at);
    ASSERT_EQ(r.manager->failures().size(), 1U);
    EXPECT_EQ(r.manager->failures()[0].what, "timed out after 10 s: no answer to ApiVersions");
}

TEST(connection_outage, all_addresses_of_a_name_are_tried) {
    rig r({{"kafka.example", 9092}});
    r.want(first_server);
    ASSERT_EQ(r.queries.size(), 1U);
    EXPECT_EQ(r.queries[0].name, (boundary::host_port{"kafka.example", 9092}));
    EXPECT_TRUE(r.opens.empty());
    r.on(name_resolved{r.queries[0].id, {{"::1", 9092}, {"127.0.0.1", 9092}}, ""});
    ASSERT_EQ(r.opens.size(), 1U);
    r.on(closed{r.newest(), "Connection refused"});
    ASSERT_EQ(r.opens.size(), 2U);
    EXPECT_EQ(r.opens[1].to.address, "127.0.0.1");
    r.shake_hands();
    EXPECT_EQ(r.state(first_server), readiness::state::ready);
    r.want(first_server, connection_role::fetch);
    EXPECT_EQ(r.queries.size(), 1U) << "the name was looked up already";
    EXPECT_EQ(r.opens.back().to.address, "127.0.0.1") << "what worked is tried first";
}

TEST(connection_outage, an_address_that_does_not_answer_is_overtaken_by_the_next) {
    rig r({{"kafka.example", 9092}});
    r.want(first_server);
    r.on(name_resolved{r.queries[0].id, {{"2001:db8::1", 9092}, {"127.0.0.1", 9092}}, ""});
    const auto slow = r.newest();
    r.turn(r.wake_at);
    EXPECT_EQ(r.now, t0 + 250ms);
    ASSERT_EQ(r.opens.size(), 2U);
    r.shake_hands();
    EXPECT_EQ(r.state(first_server), readiness::state::ready);
    EXPECT_TRUE(r.closed_ids.contains(slow));
}

TEST(connection_outage, a_name_whose_addresses_all_failed_is_looked_up_again) {
    rig r({{"kafka.example", 9092}});
    r.want(first_server);
    r.on(name_resolved{r.queries[0].id, {{"10.0.0.1", 9092}, {"10.0.0.2", 9092}}, ""});
    r.refuse_newest();
    r.refuse_newest();
    ASSERT_EQ(r.manager->failures().size(), 1U);
    EXPECT_EQ(r.manager->failures()[0].what, "Connection refused (10.0.0.1), Connection refused (10.0.0.2)");
    r.turn(r.wake_at);
    r.want(first_server);
    EXPECT_EQ(r.queries.size(), 2U);
}

TEST(connection_outage, a_name_without_addresses_is_said_to_have_none) {
    rig r({{"nowhere.example", 9092}});
    r.want(first_server);
    r.on(name_resolved{r.queries[0].id, {}, "Domain name not found"});
    EXPECT_EQ(r.state(first_server), readiness::state::backing_off);
    ASSERT_EQ(r.manager->failures().size(), 1U);
    EXPECT_EQ(r.manager->failures()[0], (address_failure{"nowhere.example:9092", errc::name_not_resolved,
                                                         "the name was not resolved: Domain name not found"}));
}

TEST(connection_outage, roles_that_wait_for_the_same_name_share_one_look_up) {
    rig r({{"127.0.0.1", 9092}});
    r.connect(first_server);
    r.tell_brokers({{broker1, {"kafka.example", 9092}}});
    r.want(broker1, connection_role::fetch);
    r.want(broker1, connection_role::group);
    ASSERT_EQ(r.queries.size(), 1U);
    r.on(name_resolved{r.queries[0].id, {{"10.0.0.1", 9092}}, ""});
    EXPECT_EQ(r.opens.size(), 3U);
}

// ---- who answers, if it is not Kafka

address_failure what_is_said_of(std::string_view first_bytes) {
    rig r;
    r.want(first_server);
    r.on(connected{r.newest()});
    r.receive(r.newest(), base::as_bytes(first_bytes));
    r.digest();
    EXPECT_TRUE(r.closed_ids.contains(r.newest()));
    return r.manager->failures().at(0);
}

TEST(connection_outage, a_tls_listener_is_recognised) {
    const auto failure = what_is_said_of(std::string_view("\x15\x03\x03\x00\x02\x02\x46", 7));
    EXPECT_EQ(failure.code, errc::tls_expected);
    EXPECT_EQ(failure.what, "the port speaks TLS, this connection does not");
}

TEST(connection_outage, a_web_server_is_recognised) {
    const auto failure = what_is_said_of("HTTP/1.1 400 Bad Request\r\n");
    EXPECT_EQ(failure.code, errc::not_kafka);
    EXPECT_EQ(failure.what, "an HTTP server answers on this port, not Kafka");
}

TEST(connection_outage, something_else_is_not_taken_for_kafka) {
    EXPECT_EQ(what_is_said_of("SSH-2.0-OpenSSH_9.2\r\n").code, errc::not_kafka);
    EXPECT_EQ(what_is_said_of(std::string_view("\xff\xff\xff\xff", 4)).code, errc::not_kafka);
    EXPECT_EQ(what_is_said_of(std::string_view("\0\0\0\4\0\0\0\x09", 8)).code, errc::not_kafka);
}

TEST(connection_outage, before_the_handshake_no_large_frame_is_taken) {
    const auto failure = what_is_said_of(std::string_view("\0\1\0\1", 4));
    EXPECT_EQ(failure.code, errc::not_kafka);
    EXPECT_NE(failure.what.find("65536"), std::string::npos) << failure.what;
}

TEST(connection_outage, a_peer_that_hangs_up_in_the_handshake_is_said_to_have_done_so) {
    rig r;
    r.want(first_server);
    r.on(connected{r.newest()});
    r.on(closed{r.newest(), ""});
    EXPECT_EQ(r.manager->failures().at(0).what, "connected, but ApiVersions (127.0.0.1): closed by the peer");
}

TEST(connection_outage, bytes_that_come_before_the_connection_is_known_to_stand_are_kept) {
    rig r;
    r.want(first_server);
    r.receive(r.newest(), base::as_bytes(std::string_view("HTTP/1.1 400 Bad Request\r\n")));
    r.on(connected{r.newest()});
    EXPECT_EQ(r.manager->failures().at(0).code, errc::not_kafka);
}

// ---- pacing and back-off

TEST(connection_outage, brokers_take_turns_while_none_is_reachable) {
    rig r;
    r.connect(first_server);
    r.ask(first_server);
    r.answer(r.take_request(), protocol::messages::find_coordinator_response{});
    r.tell_brokers({{broker1, {"127.0.0.1", 9093}}, {broker2, {"127.0.0.1", 9094}}});
    r.on(closed{r.newest(), ""});
    r.turn(r.wake_at);
    // Fetching needs one of them, the group the other. Only the first attempt is made at once.
    r.want(broker1, connection_role::fetch);
    r.want(broker2, connection_role::group);
    EXPECT_EQ(r.opens.size(), 2U);
    EXPECT_EQ(r.state(broker2, connection_role::group), readiness::state::connecting);
    r.refuse_newest();
    r.turn(r.wake_at);
    EXPECT_EQ(r.opens.back().to.port, 9094) << "the one that waited comes before the one that failed";
}

TEST(connection_outage, one_broker_that_answers_ends_the_waiting_of_all) {
    rig r;
    r.connect(first_server);
    r.tell_brokers({{broker1, {"127.0.0.1", 9093}}, {broker2, {"127.0.0.1", 9094}}});
    r.on(closed{r.newest(), ""});
    r.turn(r.wake_at);
    r.want(broker1, connection_role::fetch);
    r.want(broker1, connection_role::control);
    r.want(broker2, connection_role::group);
    EXPECT_EQ(r.opens.size(), 2U);
    r.shake_hands();
    EXPECT_EQ(r.opens.size(), 4U);
}

TEST(connection_outage, a_broker_that_greets_and_hangs_up_is_not_dialled_ever_faster) {
    rig r;
    int dialled = 0;
    while (r.now < t0 + 10s) {
        if (r.state(first_server) == readiness::state::unknown) {
            r.want(first_server);
            r.shake_hands();
            r.on(closed{r.newest(), ""});
            ++dialled;
        }
        r.turn(r.wake_at);
    }
    EXPECT_LE(dialled, 9);
}

TEST(connection_outage, the_back_off_starts_over_once_a_broker_has_answered) {
    rig r;
    for (int i = 0; i < 6; ++i) {
        r.want(first_server);
        r.refuse_newest();
        r.turn(r.wake_at);
    }
    r.connect(first_server);
    r.ask(first_server);
    r.answer(r.take_request(), protocol::messages::find_coordinator_response{});
    EXPECT_TRUE(r.manager->failures().empty());
    const auto lost = r.now;
    r.on(closed{r.newest(), ""});
    EXPECT_LE(r.wake_at, lost + 100ms);
}

TEST(connection_outage, a_cluster_whose_brokers_all_fail_is_looked_for_again) {
    rig r;
    r.connect(first_server);
    r.tell_brokers({{broker1, {"127.0.0.1", 9093}}, {broker2, {"127.0.0.1", 9094}}});
    r.connect(broker1);
    r.on(closed{r.newest(), ""});
    EXPECT_TRUE(r.facts_of<exchange::rebootstrap_wanted>().empty()) << "one loss is no reason";
    while (r.facts_of<exchange::rebootstrap_wanted>().empty() && r.now < t0 + 5s) {
        want_any(r);
        r.refuse_newest();
        r.turn(r.wake_at);
    }
    EXPECT_EQ(r.facts_of<exchange::rebootstrap_wanted>().size(), 1U);
    EXPECT_LT(r.now, t0 + 1s);
}

TEST(connection_outage, no_rebootstrap_is_asked_for_where_it_is_switched_off) {
    rig r;
    r.config.rebootstrap = false;
    r.connect(first_server);
    r.tell_brokers({{broker1, {"127.0.0.1", 9093}}});
    r.connect(broker1);
    r.on(closed{r.newest(), ""});
    for (int i = 0; i < 5; ++i) {
        r.turn(r.wake_at);
        want_any(r);
        r.refuse_newest();
    }
    EXPECT_TRUE(r.facts_of<exchange::rebootstrap_wanted>().empty());
}

TEST(connection_outage, a_failed_role_leaves_the_others_of_the_broker_alone) {
    rig r;
    r.connect(first_server);
    r.tell_brokers({{broker1, {"127.0.0.1", 9093}}});
    r.connect(broker1);
    r.want(broker1, connection_role::fetch);
    r.refuse_newest();
    EXPECT_EQ(r.state(broker1, connection_role::fetch), readiness::state::backing_off);
    EXPECT_EQ(r.state(broker1, connection_role::group), readiness::state::backing_off);
    EXPECT_EQ(r.state(broker1, connection_role::control), readiness::state::ready);
}

}  // namespace
}  // namespace strandline::core::connection
