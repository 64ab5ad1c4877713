#include "testkit/fake_cluster/fake_cluster_core.hpp"

#include <cstring>

#include <gtest/gtest.h>

#include "protocol/any_request.hpp"
#include "protocol/codec.hpp"
#include "records/batch_builder.hpp"
#include "testkit/fake_cluster/error_answers.hpp"
#include "testkit/fake_cluster/handlers.hpp"

namespace strandline::testkit::fake {
namespace {

using namespace std::chrono_literals;
using protocol::api_key;
using protocol::broker_error;
using fate = intercepted::fate;

constexpr connection_id first{1};
constexpr connection_id second{2};
constexpr protocol::broker_id broker_1{1};
constexpr protocol::broker_id broker_2{2};

base::shared_bytes batch() {
    records::batch_builder builder;
    builder.append({.timestamp = 1000, .value = base::as_bytes(std::string_view("value"))});
    return builder.build();
}

// A client that has a connection to the first broker.
struct cluster_of_two : testing::Test {
    cluster_of_two() {
        orders = &core.cluster().create_topic("orders", 1, 2);
        EXPECT_TRUE(core.on_accept(first, broker_1));
    }

    template <class Request>
    void send(const Request& request, std::int16_t version = Request::max_version, connection_id from = first) {
        const auto frame =
            protocol::encode_request_frame(request, version, protocol::correlation_id(++last_id), "test").value();
        core.on_bytes(from, frame, now, wall);
    }
    // The next answer, which must be one to the request with this number.
    template <class Response>
    std::optional<Response> answer(std::int32_t id, std::int16_t version = Response::max_version) {
        for (auto& one : core.take_outgoing()) arrived.push_back(std::move(one));
        if (arrived.empty() || arrived.front().close) return std::nullopt;
        const auto frame = arrived.front().bytes;
        arrived.pop_front();
        const auto split = protocol::split_response(frame.slice(4, frame.size() - 4), Response::key, version);
        if (!split) return std::nullopt;
        EXPECT_EQ(split->header.correlation_id.value(), id);
        auto response = protocol::decode<Response>(split->body, version);
        return response ? std::optional(std::move(*response)) : std::nullopt;
    }
    bool is_silent() { return core.take_outgoing().empty(); }

    messages::fetch_request fetch(base::duration wait = 500ms) const {
        messages::fetch_request request;
        request.max_wait_ms = static_cast<std::int32_t>(wait / 1ms);
        request.min_bytes = 1;
        request.max_bytes = 1 << 20;
        request.session_epoch = protocol::session_epoch(-1);
        auto& topic = request.topics.emplace_back();
        topic.topic_id = orders->id;
        topic.partitions.emplace_back().partition_max_bytes = 1 << 20;
        return request;
    }
    void append() { orders->find(0)->log.append(batch(), orders->find(0)->leader_epoch); }

    static cluster_options two_brokers() {
        cluster_options options;
        options.brokers = 2;
        return options;
    }

    fake_cluster_core core{two_brokers()};
    topic_state* orders = nullptr;
    base::instant now{};
    base::wall_time wall{};
    std::int32_t last_id = 0;
    std::deque<outgoing> arrived;
};

TEST_F(cluster_of_two, answers_a_request_that_comes_in_pieces) {
    const auto frame =
        protocol::encode_request_frame(messages::metadata_request{}, 12, protocol::correlation_id(1), "test").value();
    for (std::size_t i = 0; i < frame.size(); ++i) {
        EXPECT_TRUE(is_silent());
        core.on_bytes(first, base::bytes_view(frame).subspan(i, 1), now, wall);
    }
    const auto metadata = answer<messages::metadata_response>(1, 12);
    ASSERT_TRUE(metadata.has_value());
    EXPECT_EQ(metadata->brokers.size(), 2u);
}

TEST_F(cluster_of_two, tells_the_versions_of_each_api_and_answers_unknown_ones_in_version_0) {
    send(messages::api_versions_request{}, 2);
    const auto versions = answer<messages::api_versions_response>(1, 2);
    ASSERT_TRUE(versions.has_value());
    EXPECT_EQ(versions->api_keys.size(), all_handlers().size());

    // Of a version that does not exist yet, only the header can be read.
    std::vector<std::byte> frame;
    for (const int byte : {0, 0, 0, 11, 0, 18, 0, 99, 0, 0, 0, 2, 0xff, 0xff, 0}) {
        frame.push_back(static_cast<std::byte>(byte));
    }
    core.on_bytes(first, frame, now, wall);
    const auto refused = answer<messages::api_versions_response>(2, 0);
    ASSERT_TRUE(refused.has_value());
    EXPECT_EQ(refused->error_code, broker_error::unsupported_version);
}

TEST_F(cluster_of_two, hangs_up_on_what_it_does_not_serve) {
    std::vector<std::byte> join_group;
    for (const int byte : {0, 0, 0, 10, 0, 11, 0, 5, 0, 0, 0, 1, 0xff, 0xff}) {
        join_group.push_back(static_cast<std::byte>(byte));
    }
    core.on_bytes(first, join_group, now, wall);
    const auto out = core.take_outgoing();
    ASSERT_EQ(out.size(), 1u);
    EXPECT_TRUE(out[0].close);
}

TEST_F(cluster_of_two, lets_a_fetch_wait_for_records_or_its_time) {
    send(fetch());
    EXPECT_TRUE(is_silent());
    EXPECT_EQ(core.next_deadline(), now + 500ms);
    append();
    core.look_again(now, wall);
    const auto full = answer<messages::fetch_response>(1);
    ASSERT_TRUE(full.has_value());
    EXPECT_EQ(full->responses.at(0).partitions.at(0).records->size(), batch().size());

    auto beyond = fetch();
    beyond.topics[0].partitions[0].fetch_offset = 1;
    send(beyond);
    EXPECT_TRUE(is_silent());
    now += 500ms;
    core.on_time(now, wall);
    const auto empty = answer<messages::fetch_response>(2);
    ASSERT_TRUE(empty.has_value());
    EXPECT_TRUE(empty->responses.at(0).partitions.at(0).records->empty());
    EXPECT_EQ(core.next_deadline(), base::never);
}

TEST_F(cluster_of_two, answers_a_waiting_fetch_when_another_client_produces) {
    core.on_accept(second, broker_1);
    send(fetch());
    messages::produce_request produce;
    produce.acks = -1;
    auto& topic = produce.topic_data.emplace_back();
    topic.topic_id = orders->id;
    topic.partition_data.emplace_back().records = batch();
    send(produce, 13, second);
    const auto out = core.take_outgoing();
    ASSERT_EQ(out.size(), 2u);
    EXPECT_EQ(out[0].to, second);
    EXPECT_EQ(out[1].to, first);
}

TEST_F(cluster_of_two, serves_one_request_of_a_connection_at_a_time) {
    send(fetch());
    for (int i = 0; i < 100; ++i) send(messages::metadata_request{});
    EXPECT_TRUE(is_silent());
    append();
    core.look_again(now, wall);
    EXPECT_TRUE(answer<messages::fetch_response>(1).has_value());
    for (std::int32_t id = 2; id <= 101; ++id) ASSERT_TRUE(answer<messages::metadata_response>(id).has_value());
}

TEST_F(cluster_of_two, refuses_to_answer_for_partitions_that_another_broker_leads) {
    core.cluster().elect(*orders->find(0), broker_2);
    send(fetch());
    const auto refused = answer<messages::fetch_response>(1);
    ASSERT_TRUE(refused.has_value());
    const auto& partition = refused->responses.at(0).partitions.at(0);
    EXPECT_EQ(partition.error_code, broker_error::not_leader_or_follower);
    EXPECT_EQ(partition.current_leader.leader_id, broker_2);
    EXPECT_EQ(partition.current_leader.leader_epoch.value(), 1);
    ASSERT_EQ(refused->node_endpoints.size(), 1u);
    EXPECT_EQ(refused->node_endpoints[0].node_id, broker_2);
}

TEST_F(cluster_of_two, closes_the_connections_of_a_broker_that_stops) {
    core.stop_broker(broker_1, now);
    const auto out = core.take_outgoing();
    ASSERT_EQ(out.size(), 1u);
    EXPECT_TRUE(out[0].close);
    EXPECT_FALSE(core.on_accept(second, broker_1));
    EXPECT_EQ(orders->find(0)->leader, broker_2);
    core.start_broker(broker_1, now);
    EXPECT_TRUE(core.on_accept(second, broker_1));
    EXPECT_EQ(orders->find(0)->leader, broker_2);
}

TEST_F(cluster_of_two, lets_a_test_fail_a_request) {
    const auto id = core.intercept(api_key::metadata, [](const request_seen& seen) {
        intercepted made;
        made.what = fate::answer;
        made.answer = error_answer(seen.header, seen.body, broker_error::topic_authorization_failed);
        return made;
    });
    messages::metadata_request asked;
    asked.topics.emplace().emplace_back().name = "orders";
    send(asked, 12);
    const auto failed = answer<messages::metadata_response>(1, 12);
    ASSERT_TRUE(failed.has_value());
    EXPECT_EQ(failed->topics.at(0).error_code, broker_error::topic_authorization_failed);
    core.forget_interceptor(id);
    send(asked, 12);
    EXPECT_EQ(answer<messages::metadata_response>(2, 12).value().topics.at(0).error_code, broker_error::none);
    EXPECT_EQ(core.requests_seen(api_key::metadata), 2u);
}

TEST_F(cluster_of_two, lets_a_test_delay_drop_and_watch_requests) {
    intercepted what;
    what.delay = 100ms;
    core.intercept(api_key::metadata, [&](const request_seen&) { return what; });
    send(messages::metadata_request{});
    EXPECT_TRUE(is_silent());
    EXPECT_EQ(core.next_deadline(), now + 100ms);
    now += 100ms;
    core.on_time(now, wall);
    EXPECT_TRUE(answer<messages::metadata_response>(1).has_value());

    what = {};
    send(messages::metadata_request{});
    EXPECT_TRUE(answer<messages::metadata_response>(2).has_value());

    what.what = fate::drop;
    send(messages::metadata_request{});
    send(messages::api_versions_request{}, 3);
    EXPECT_TRUE(is_silent());
    EXPECT_EQ(core.next_deadline(), base::never);
}

TEST_F(cluster_of_two, lets_a_test_delay_drop_and_replace_answers) {
    held_back what;
    std::uint64_t seen = 0;
    const auto id = core.intercept_response(api_key::metadata, [&](const response_seen& one) {
        EXPECT_EQ(one.broker, broker_1);
        ++seen;
        return what;
    });
    send(messages::metadata_request{});
    EXPECT_TRUE(answer<messages::metadata_response>(1).has_value());

    what.delay = 100ms;
    send(messages::metadata_request{});
    EXPECT_TRUE(is_silent());
    EXPECT_EQ(core.next_deadline(), now + 100ms);
    now += 100ms;
    core.on_time(now, wall);
    EXPECT_TRUE(answer<messages::metadata_response>(2).has_value());

    what = {};
    messages::metadata_response other;
    other.cluster_id = "other";
    what.instead =
        any_response(other).frame(messages::metadata_response::max_version, protocol::correlation_id(3)).value();
    send(messages::metadata_request{});
    EXPECT_EQ(answer<messages::metadata_response>(3).value().cluster_id, "other");

    what = {};
    what.what = held_back::fate::drop;
    send(messages::metadata_request{});
    send(messages::api_versions_request{}, 3);
    EXPECT_TRUE(is_silent());
    EXPECT_EQ(core.next_deadline(), base::never);
    EXPECT_EQ(seen, 4U);
    core.forget_interceptor(id);
}

TEST_F(cluster_of_two, a_paused_broker_serves_what_it_received_when_it_goes_on) {
    core.pause_broker(broker_1);
    EXPECT_TRUE(core.on_accept(second, broker_1));
    send(messages::metadata_request{});
    send(messages::metadata_request{}, messages::metadata_request::max_version, second);
    EXPECT_TRUE(is_silent());
    core.resume_broker(broker_1, now, wall);
    EXPECT_EQ(core.take_outgoing().size(), 2U);
}

TEST_F(cluster_of_two, a_paused_broker_keeps_readers_waiting_beyond_their_time) {
    send(fetch(500ms));
    core.pause_broker(broker_1);
    EXPECT_EQ(core.next_deadline(), base::never);
    append();
    now += 1s;
    core.on_time(now, wall);
    EXPECT_TRUE(is_silent());
    core.resume_broker(broker_1, now, wall);
    EXPECT_TRUE(answer<messages::fetch_response>(1).has_value());
}

TEST_F(cluster_of_two, members_outlive_the_pause_of_their_coordinator) {
    core.groups().move_coordinator("billing", broker_1);
    messages::consumer_group_heartbeat_request joins;
    joins.group_id = "billing";
    joins.member_id = "member";
    joins.rebalance_timeout_ms = 60'000;
    joins.subscribed_topic_names = std::vector<std::string>{"orders"};
    joins.topic_partitions.emplace();
    send(joins);
    ASSERT_EQ(answer<messages::consumer_group_heartbeat_response>(1).value().error_code, broker_error::none);
    core.pause_broker(broker_1);
    now += 60s;
    core.on_time(now, wall);
    EXPECT_EQ(core.groups().find("billing")->members.size(), 1U);
    EXPECT_EQ(core.next_deadline(), base::never);
    // What it sent meanwhile counts.
    messages::consumer_group_heartbeat_request beats;
    beats.group_id = "billing";
    beats.member_id = "member";
    beats.member_epoch = protocol::member_epoch(2);
    send(beats);
    core.resume_broker(broker_1, now, wall);
    EXPECT_EQ(answer<messages::consumer_group_heartbeat_response>(2).value().error_code, broker_error::none);
    EXPECT_EQ(core.groups().find("billing")->members.size(), 1U);
    core.pause_broker(broker_1);
    now += 60s;
    core.resume_broker(broker_1, now, wall);
    EXPECT_TRUE(core.groups().find("billing")->members.empty());
}

TEST(fake_cluster_core, has_an_answer_that_fails_for_each_api) {
    for (const auto& handler : all_handlers()) {
        for (auto version = handler.min_version; version <= handler.max_version; ++version) {
            // A body of zeros is an empty request for most APIs; for the others there is nothing to fail.
            const std::vector<std::byte> zeros(64);
            for (std::size_t size = 0; size < zeros.size(); ++size) {
                base::buffer body(size);
                std::memset(body.writable().data(), 0, size);
                const auto failed = handler.fail(std::move(body).freeze(size), version, broker_error::not_coordinator);
                if (!failed) continue;
                EXPECT_TRUE(failed->frame(version, protocol::correlation_id(1)).has_value())
                    << static_cast<int>(handler.api) << " " << version;
            }
        }
    }
}

}  // namespace
}  // namespace strandline::testkit::fake
