#include "core/connection/connection_manager.hpp"

#include <string>

#include <gtest/gtest.h>

#include "core/connection/connection_test_rig.hpp"

namespace strandline::core::connection {
namespace {

using namespace test;
using failure_kind = exchange::request_failure::kind;

TEST(connection_manager, a_wanted_bootstrap_server_is_connected_greeted_and_ready) {
    rig r;
    EXPECT_EQ(r.state(first_server), readiness::state::unknown);
    EXPECT_EQ(r.any(), first_server);
    r.want(first_server);
    EXPECT_EQ(r.state(first_server), readiness::state::connecting);
    ASSERT_EQ(r.opens.size(), 1U);
    EXPECT_EQ(r.opens[0].to, (ip_endpoint{"127.0.0.1", 9092}));
    EXPECT_TRUE(r.queries.empty()) << "a literal address needs no resolver";

    r.on(connected{r.newest()});
    const auto greeting = r.take_request();
    EXPECT_EQ(greeting.header.api_key, protocol::api_key::api_versions);
    EXPECT_EQ(greeting.header.api_version, 5);
    EXPECT_EQ(greeting.header.client_id, "test");
    const auto request = protocol::decode<api_versions_request>(greeting.body, 5);
    ASSERT_TRUE(request);
    EXPECT_EQ(request->client_software_name, "strandline");
    EXPECT_EQ(request->client_software_version, "0.1");
    EXPECT_EQ(request->cluster_id, std::nullopt) << "nothing is known of a bootstrap server";

    EXPECT_EQ(r.state(first_server), readiness::state::connecting);
    r.answer(greeting, kafka_versions());
    EXPECT_EQ(r.state(first_server), readiness::state::ready);
    EXPECT_EQ(r.manager->view_source().get()->usable_version(first_server, protocol::api_key::metadata), 13);
    EXPECT_EQ(r.manager->view_source().get()->usable_version(first_server, protocol::api_key::metadata, 9), 9);
    EXPECT_EQ(r.any(), first_server);
}

TEST(connection_manager, an_answer_goes_back_to_the_owner_of_its_request) {
    rig r;
    r.connect(first_server);
    const auto id = r.ask(first_server);
    r.at(t0 + 40ms);
    r.answer(r.take_request(), protocol::messages::find_coordinator_response{});
    ASSERT_EQ(r.responses.size(), 1U);
    const auto& response = r.responses[0];
    EXPECT_EQ(response.id, id);
    EXPECT_EQ(response.owner, exchange::manager::coordinator);
    EXPECT_EQ(response.operation, 7);
    EXPECT_EQ(response.broker, first_server);
    EXPECT_EQ(response.version, 3);
    EXPECT_EQ(response.took, 40ms);
    ASSERT_TRUE(response.body);
    EXPECT_TRUE(protocol::decode<protocol::messages::find_coordinator_response>(*response.body, 3));
}

TEST(connection_manager, an_answer_in_single_bytes_wants_a_turn_only_when_it_is_whole) {
    rig r;
    r.connect(first_server);
    r.ask(first_server);
    const auto frame = answer_frame(r.take_request().header, protocol::messages::find_coordinator_response{});
    for (std::size_t i = 0; i < frame.size(); ++i) {
        r.receive(r.newest(), frame.view().subspan(i, 1));
        EXPECT_EQ(r.turn_was_wanted, i + 1 == frame.size()) << i;
    }
    r.digest();
    EXPECT_EQ(r.responses.size(), 1U);
}

// tickets: KAFKA-8950 (C11)
TEST(connection_manager, a_request_to_a_broker_that_is_not_ready_fails_in_a_turn_of_its_own) {
    rig r;
    r.ask(first_server);
    EXPECT_EQ(r.turns_wanted, 1);
    ASSERT_EQ(r.responses.size(), 1U);
    EXPECT_EQ(r.responses[0].body.error().what, failure_kind::not_ready);
}

TEST(connection_manager, a_request_that_cannot_be_encoded_fails_and_leaves_the_connection_alone) {
    rig r;
    r.connect(first_server);
    protocol::messages::find_coordinator_request request;
    request.coordinator_keys = {"a", "b"};
    r.manager->send(
        {.id = exchange::request_id(99), .broker = first_server, .body = request, .version = 0, .expires_at = t0 + 30s},
        r.time());
    EXPECT_TRUE(r.manager->turn_wanted());
    r.settle();
    ASSERT_EQ(r.responses.size(), 1U);
    EXPECT_EQ(r.responses[0].body.error().what, failure_kind::unencodable);
    EXPECT_TRUE(r.requests.empty());
    EXPECT_EQ(r.state(first_server), readiness::state::ready);
    r.ask(first_server);
    r.answer(r.take_request(), protocol::messages::find_coordinator_response{});
    EXPECT_TRUE(r.responses.back().body);
}

// tickets: B65
TEST(connection_manager, a_request_that_expires_takes_its_connection_along) {
    rig r;
    const auto id = r.connect(first_server);
    r.ask(first_server, connection_role::control, 30s);
    r.ask(first_server, connection_role::control, 60s);
    EXPECT_EQ(r.wake_at, t0 + 30s);
    r.turn(t0 + 30s);
    ASSERT_EQ(r.responses.size(), 2U);
    EXPECT_EQ(r.responses[0].body.error().what, failure_kind::expired);
    EXPECT_EQ(r.responses[1].body.error().what, failure_kind::disconnected);
    EXPECT_TRUE(r.closed_ids.contains(id));
    EXPECT_EQ(r.state(first_server), readiness::state::backing_off);
    EXPECT_TRUE(r.manager->receive_room(id).empty()) << "nothing is read from it any more";
}

TEST(connection_manager, what_is_in_flight_fails_when_the_connection_is_lost) {
    rig r;
    r.connect(first_server);
    r.tell_brokers({{broker1, {"127.0.0.1", 9093}}});
    const auto id = r.connect(broker1);
    r.ask(broker1);
    r.on(closed{id, "Connection reset by peer"});
    ASSERT_EQ(r.responses.size(), 1U);
    EXPECT_EQ(r.responses[0].body.error().what, failure_kind::disconnected);
    EXPECT_EQ(r.responses[0].body.error().detail, "Connection reset by peer");
    EXPECT_EQ(r.facts_of<exchange::metadata_stale>().size(), 1U) << "the leaders may have moved";
}

TEST(connection_manager, an_answer_that_arrives_with_the_end_of_the_connection_counts) {
    rig r;
    const auto id = r.connect(first_server);
    r.ask(first_server);
    r.receive(id, answer_frame(r.take_request().header, protocol::messages::find_coordinator_response{}));
    r.on(closed{id, ""});
    ASSERT_EQ(r.responses.size(), 1U);
    EXPECT_TRUE(r.responses[0].body);
}

TEST(connection_manager, an_answer_out_of_turn_ends_the_connection) {
    rig r;
    const auto id = r.connect(first_server);
    r.ask(first_server);
    r.ask(first_server);
    static_cast<void>(r.take_request());
    r.answer(r.take_request(), protocol::messages::find_coordinator_response{});
    ASSERT_EQ(r.responses.size(), 2U);
    for (const auto& response : r.responses) EXPECT_EQ(response.body.error().what, failure_kind::disconnected);
    EXPECT_TRUE(r.closed_ids.contains(id));
    ASSERT_EQ(r.manager->failures().size(), 1U);
    EXPECT_EQ(r.manager->failures()[0].code, errc::malformed_response);
}

TEST(connection_manager, an_answer_that_nobody_asked_for_ends_the_connection) {
    rig r;
    const auto id = r.connect(first_server);
    const std::string frame("\0\0\0\4\0\0\0\1", 8);
    r.receive(id, base::as_bytes(frame));
    r.digest();
    EXPECT_TRUE(r.closed_ids.contains(id));
}

TEST(connection_manager, an_answer_without_a_whole_header_is_malformed) {
    rig r;
    const auto id = r.connect(first_server);
    r.ask(first_server);
    const auto correlation = static_cast<char>(r.take_request().header.correlation_id.value());
    // FindCoordinator 3 is flexible: tagged fields follow the correlation id.
    const auto frame = std::string("\0\0\0\4\0\0\0", 7) + correlation;
    r.receive(id, base::as_bytes(frame));
    r.digest();
    ASSERT_EQ(r.responses.size(), 1U);
    EXPECT_EQ(r.responses[0].body.error().what, failure_kind::malformed);
    EXPECT_TRUE(r.closed_ids.contains(id));
}

TEST(connection_manager, a_frame_beyond_the_limit_ends_the_connection) {
    rig r;
    r.config.max_frame_bytes = 1000;
    const auto id = r.connect(first_server);
    r.ask(first_server);
    r.receive(id, base::as_bytes(std::string("\0\0\x04\0", 4)));
    EXPECT_TRUE(r.turn_was_wanted);
    r.digest();
    ASSERT_EQ(r.responses.size(), 1U);
    EXPECT_FALSE(r.responses[0].body);
    EXPECT_TRUE(r.closed_ids.contains(id));
}

TEST(connection_manager, each_role_has_a_connection_of_its_own) {
    rig r;
    r.connect(first_server);
    r.tell_brokers({{broker1, {"127.0.0.1", 9093}}});
    const auto fetch = r.connect(broker1, connection_role::fetch);
    EXPECT_EQ(r.state(broker1, connection_role::fetch), readiness::state::ready);
    EXPECT_EQ(r.state(broker1, connection_role::group), readiness::state::unknown);
    const auto group = r.connect(broker1, connection_role::group);
    EXPECT_NE(fetch, group);
    r.ask(broker1, connection_role::group);
    EXPECT_EQ(r.take_request().connection, group);
}

class counting_account final : public base::memory_account {
public:
    void on_allocated(std::size_t bytes) noexcept override { held += bytes; }
    void on_released(std::size_t bytes) noexcept override { held -= bytes; }
    std::size_t held = 0;
};

TEST(connection_manager, frames_of_every_connection_are_accounted_for_as_long_as_somebody_holds_them) {
    for (const auto role : {connection_role::fetch, connection_role::control, connection_role::group}) {
        rig r;
        const auto account = std::make_shared<counting_account>();
        r.manager->set_account(account);
        r.connect(first_server, role);
        r.ask(first_server, role);
        r.answer(r.take_request(), protocol::messages::find_coordinator_response{});
        EXPECT_GT(account->held, 0U);
        r.responses.clear();
        EXPECT_EQ(account->held, 0U);
    }
}

TEST(connection_manager, a_connection_whose_answer_its_owner_could_not_read_is_closed) {
    rig r;
    const auto id = r.connect(first_server);
    r.ask(first_server);
    r.answer(r.take_request(), protocol::messages::find_coordinator_response{});
    ASSERT_EQ(r.responses.size(), 1U);
    EXPECT_EQ(r.responses[0].connection, id.value());
    r.ask(first_server);
    r.manager->on_fact(exchange::answer_unreadable::of(r.responses[0], "FetchResponse: ends early"), r.time());
    r.settle();
    EXPECT_TRUE(r.closed_ids.contains(id));
    EXPECT_EQ(r.state(first_server), readiness::state::backing_off);
    ASSERT_EQ(r.responses.size(), 2U);
    EXPECT_FALSE(r.responses[1].body) << "what it was asked meanwhile has no answer";
    ASSERT_EQ(r.manager->failures().size(), 1U);
    EXPECT_EQ(r.manager->failures()[0].code, errc::malformed_response);

    // Whoever says so of a connection that is gone says nothing of the next one.
    r.turn(r.now + 10s);
    r.requests.clear();
    const auto next = r.connect(first_server);
    r.manager->on_fact(exchange::answer_unreadable::of(r.responses[0], "again"), r.time());
    r.settle();
    EXPECT_FALSE(r.closed_ids.contains(next));
    EXPECT_EQ(r.state(first_server), readiness::state::ready);
}

TEST(connection_manager, an_unused_connection_is_closed_and_can_be_wanted_again) {
    rig r;
    const auto id = r.connect(first_server);
    EXPECT_EQ(r.wake_at, t0 + 9min);
    r.at(t0 + 1min);
    r.ask(first_server);
    r.answer(r.take_request(), protocol::messages::find_coordinator_response{});
    EXPECT_EQ(r.wake_at, t0 + 10min);
    r.turn(t0 + 10min);
    EXPECT_TRUE(r.closed_ids.contains(id));
    EXPECT_EQ(r.state(first_server), readiness::state::unknown) << "nothing failed: there is no back-off";
    r.connect(first_server);
    EXPECT_EQ(r.state(first_server), readiness::state::ready);
}

TEST(connection_manager, a_broker_that_asks_for_silence_is_shown_as_throttled) {
    rig r;
    r.connect(first_server);
    const auto& view = *r.manager->view_source().get().connections;
    EXPECT_LT(view.throttled_until(first_server, connection_role::control), t0);
    const auto version = r.manager->view_source().version();
    r.manager->on_fact(exchange::broker_throttled{first_server, connection_role::control, t0 + 2s}, r.time());
    EXPECT_GT(r.manager->view_source().version(), version);
    EXPECT_EQ(view.throttled_until(first_server, connection_role::control), t0 + 2s);
    EXPECT_LT(view.throttled_until(first_server, connection_role::fetch), t0);
}

TEST(connection_manager, what_any_broker_can_answer_goes_to_one_that_does_not_ask_for_silence) {
    rig r;
    const auto silence = [&](broker_id broker, base::instant until) {
        r.manager->on_fact(exchange::broker_throttled{broker, connection_role::control, until}, r.time());
    };
    r.tell_brokers({{broker1, {"127.0.0.1", 9093}}, {broker2, {"127.0.0.1", 9094}}});
    r.connect(broker1);
    r.connect(broker2);
    r.ask(broker2);
    ASSERT_EQ(r.any(), broker1) << "it is the idlest";
    silence(broker1, t0 + 5s);
    EXPECT_EQ(r.any(), broker2);
    silence(broker2, t0 + 8s);
    EXPECT_EQ(r.any(), broker1) << "the one that can be asked first";
    r.at(t0 + 8s);
    EXPECT_EQ(r.any(), broker1) << "silence that is over counts no more";
}

TEST(connection_manager, everything_is_closed_for_good) {
    rig r;
    const auto id = r.connect(first_server);
    r.ask(first_server);
    r.manager->close_all(r.time());
    r.settle();
    EXPECT_TRUE(r.closed_ids.contains(id));
    ASSERT_EQ(r.responses.size(), 1U);
    EXPECT_EQ(r.responses[0].body.error().what, failure_kind::disconnected);
    EXPECT_EQ(r.any(), std::nullopt);
    EXPECT_EQ(r.wake_at, base::never);
    r.want(first_server);
    EXPECT_EQ(r.opens.size(), 1U);
}

TEST(connection_manager, late_words_of_the_network_change_nothing) {
    rig r;
    const auto id = r.connect(first_server);
    r.on(closed{id, ""});
    const auto opened = r.opens.size();
    r.on(connected{id});
    r.on(closed{id, ""});
    r.on(name_resolved{query_id(12), {{"10.0.0.1", 1}}, ""});
    EXPECT_FALSE(r.manager->received(id, 0));
    EXPECT_EQ(r.opens.size(), opened);
}

TEST(connection_manager, a_client_id_that_does_not_fit_the_wire_is_an_error_of_the_configuration) {
    rig r;
    r.config.client_id = std::string(100'000, 'x');
    r.want(first_server);
    r.on(connected{r.newest()});
    ASSERT_EQ(r.manager->failures().size(), 1U);
    EXPECT_EQ(r.manager->failures()[0].code, errc::invalid_configuration);
    EXPECT_TRUE(r.closed_ids.contains(r.newest()));
}

// ---- the cluster's brokers

TEST(connection_manager, a_broker_whose_address_nobody_told_makes_metadata_stale_and_is_connected_when_it_is_told) {
    rig r;
    r.connect(first_server);
    r.tell_brokers({{broker1, {"127.0.0.1", 9093}}});
    r.manager->want({broker2, connection_role::group}, r.time());
    EXPECT_TRUE(r.manager->turn_wanted());
    r.settle();
    EXPECT_EQ(r.state(broker2, connection_role::group), readiness::state::connecting);
    r.turn(t0 + 1ms);
    EXPECT_FALSE(r.manager->turn_wanted());
    EXPECT_EQ(r.facts_of<exchange::metadata_stale>().size(), 1U);
    r.tell_brokers({{broker1, {"127.0.0.1", 9093}}, {broker2, {"127.0.0.1", 9094}}});
    EXPECT_EQ(r.opens.back().to.port, 9094);
    r.shake_hands();
    EXPECT_EQ(r.state(broker2, connection_role::group), readiness::state::ready);
}

TEST(connection_manager, a_broker_that_the_cluster_does_not_list_is_left_alone_for_a_while) {
    rig r;
    r.connect(first_server);
    r.tell_brokers({{broker1, {"127.0.0.1", 9093}}});
    r.want(broker2, connection_role::group);
    r.turn(t0 + 1ms);
    r.tell_brokers({{broker1, {"127.0.0.1", 9093}}});
    EXPECT_EQ(r.state(broker2, connection_role::group), readiness::state::backing_off);
    r.turn(r.wake_at);
    EXPECT_EQ(r.state(broker2, connection_role::group), readiness::state::unknown);
}

TEST(connection_manager, bootstrap_connections_are_given_up_once_a_broker_of_the_cluster_can_be_asked) {
    rig r;
    const auto id = r.connect(first_server);
    r.ask(first_server);
    const auto request = r.take_request();
    r.tell_brokers({{broker1, {"127.0.0.1", 9093}}});
    EXPECT_EQ(r.any(), first_server) << "nothing is faster than what is connected";
    r.connect(broker1);
    EXPECT_FALSE(r.closed_ids.contains(id)) << "an answer is awaited";
    r.answer(request, protocol::messages::find_coordinator_response{});
    EXPECT_TRUE(r.closed_ids.contains(id));
    ASSERT_EQ(r.responses.size(), 1U);
    EXPECT_TRUE(r.responses[0].body);
    EXPECT_EQ(r.any(), broker1);
}

TEST(connection_manager, an_attempt_follows_a_broker_that_moves) {
    rig r;
    r.connect(first_server);
    r.tell_brokers({{broker1, {"127.0.0.1", 9093}}});
    r.want(broker1, connection_role::fetch);
    const auto old = r.newest();
    r.tell_brokers({{broker1, {"127.0.0.1", 9999}}});
    EXPECT_TRUE(r.closed_ids.contains(old));
    EXPECT_EQ(r.state(broker1, connection_role::fetch), readiness::state::unknown);
    r.want(broker1, connection_role::fetch);
    EXPECT_EQ(r.opens.back().to.port, 9999);
}

TEST(connection_manager, a_broker_of_the_cluster_is_told_whom_we_take_it_for) {
    rig r;
    r.connect(first_server);
    r.tell_brokers({{broker1, {"127.0.0.1", 9093}}}, "the-cluster");
    r.want(broker1);
    r.on(connected{r.newest()});
    const auto request = protocol::decode<api_versions_request>(r.take_request().body, 5);
    ASSERT_TRUE(request);
    EXPECT_EQ(request->cluster_id, "the-cluster");
    EXPECT_EQ(request->node_id, broker1);
}

TEST(connection_manager, nobody_is_told_whom_we_take_him_for_if_discovery_could_not_start_again) {
    rig r;
    r.config.rebootstrap = false;
    r.connect(first_server);
    r.tell_brokers({{broker1, {"127.0.0.1", 9093}}}, "the-cluster");
    r.want(broker1);
    r.on(connected{r.newest()});
    const auto request = protocol::decode<api_versions_request>(r.take_request().body, 5);
    ASSERT_TRUE(request);
    EXPECT_EQ(request->cluster_id, std::nullopt);
    EXPECT_EQ(request->node_id, broker_id(-1));
}

TEST(connection_manager, a_broker_that_is_another_one_asks_for_rebootstrap) {
    rig r;
    r.connect(first_server);
    r.tell_brokers({{broker1, {"127.0.0.1", 9093}}}, "the-cluster");
    r.want(broker1);
    r.on(connected{r.newest()});
    api_versions_response refusal;
    refusal.error_code = broker_error::rebootstrap_required;
    r.answer(r.take_request(), refusal);
    EXPECT_EQ(r.facts_of<exchange::rebootstrap_wanted>().size(), 1U);
    EXPECT_EQ(r.state(broker1), readiness::state::backing_off);
}

TEST(connection_manager, a_rebootstrap_closes_everything_resolves_again_and_starts_with_the_servers) {
    rig r({{"kafka.example", 9092}});
    r.want(first_server);
    ASSERT_EQ(r.queries.size(), 1U);
    r.on(name_resolved{r.queries[0].id, {{"10.0.0.1", 9092}}, ""});
    const auto bootstrap = r.shake_hands();
    r.ask(first_server);
    r.answer(r.take_request(), protocol::messages::find_coordinator_response{});
    r.responses.clear();
    r.tell_brokers({{broker1, {"10.0.0.1", 9092}}});
    const auto id = r.connect(broker1, connection_role::fetch);
    r.ask(broker1, connection_role::fetch);

    r.manager->on_fact(exchange::rebootstrap_started{}, r.time());
    r.cluster.change() = {};
    r.settle();
    EXPECT_TRUE(r.closed_ids.contains(id));
    EXPECT_TRUE(r.closed_ids.contains(bootstrap));
    ASSERT_EQ(r.responses.size(), 1U);
    EXPECT_EQ(r.responses[0].body.error().what, failure_kind::disconnected);
    EXPECT_EQ(r.state(broker1), readiness::state::unknown);
    EXPECT_EQ(r.any(), first_server);
    r.want(first_server);
    ASSERT_EQ(r.queries.size(), 2U);
    r.on(name_resolved{r.queries[1].id, {{"10.0.0.77", 9092}}, ""});
    EXPECT_EQ(r.opens.back().to.address, "10.0.0.77");
}

}  // namespace
}  // namespace strandline::core::connection
