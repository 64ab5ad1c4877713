// Situations that lie with partitions, brokers and the network: the right cause is named first.
#include <gmock/gmock.h>

#include "tests/explain/driven_consumer.hpp"

namespace strandline::explain_tests {
namespace {

using testing::HasSubstr;
using port = driven_consumer::port;

// Reads orders by hand, from inside a poll.
void read_by_hand(driven_consumer& rig, std::int32_t count = 1) {
    rig.topic("orders", count);
    partitions all;
    for (std::int32_t i = 0; i < count; ++i) all.push_back({"orders", i});
    rig.assign(all);
    rig.enter_poll();
}

// ---- the network

TEST(explain, names_a_connection_that_is_being_made) {
    driven_consumer rig(config_of(std::nullopt));
    rig.ports[first_port + 1] = port::swallows;
    read_by_hand(rig);
    rig.pass(2s);
    EXPECT_EQ(rig.explain().cause, wait_cause::connecting) << to_string(rig.explain());
    EXPECT_THAT(rig.explain().summary, HasSubstr("127.0.0.1:9091"));
}

TEST(explain, names_a_broker_that_refuses_connections_and_when_it_is_tried_again) {
    driven_consumer rig(config_of(std::nullopt));
    rig.ports[first_port + 1] = port::refuses;
    read_by_hand(rig);
    rig.pass(5s);
    const auto why = rig.explain();
    EXPECT_EQ(why.cause, wait_cause::broker_unreachable) << to_string(why);
    EXPECT_THAT(why.summary, HasSubstr("backing off, tried again in"));
    EXPECT_THAT(why.summary, HasSubstr("Connection refused"));
    EXPECT_TRUE(why.first.steps.back().ends_in);
    EXPECT_FALSE(why.contacted);
    EXPECT_EQ(why.network_trouble.size(), 1U);
}

TEST(explain, names_a_port_that_speaks_tls) {
    driven_consumer rig(config_of(std::nullopt));
    rig.ports[first_port + 1] = port::speaks_tls;
    read_by_hand(rig);
    rig.pass(2s);
    EXPECT_EQ(rig.explain().cause, wait_cause::wrong_protocol) << to_string(rig.explain());
    EXPECT_THAT(rig.explain().summary, HasSubstr("TLS"));
}

TEST(explain, names_a_port_on_which_an_http_server_answers) {
    driven_consumer rig(config_of(std::nullopt));
    rig.ports[first_port + 1] = port::speaks_http;
    read_by_hand(rig);
    rig.pass(2s);
    EXPECT_EQ(rig.explain().cause, wait_cause::wrong_protocol) << to_string(rig.explain());
    EXPECT_THAT(rig.explain().summary, HasSubstr("HTTP"));
}

TEST(explain, names_a_host_that_does_not_resolve) {
    auto config = config_of(std::nullopt);
    config.bootstrap_servers = {{"kafka.invalid", 9092}};
    driven_consumer rig(config);
    read_by_hand(rig);
    rig.pass(2s);
    EXPECT_EQ(rig.explain().cause, wait_cause::name_not_resolved) << to_string(rig.explain());
    EXPECT_THAT(rig.explain().summary, HasSubstr("kafka.invalid"));
}

TEST(explain, names_the_broker_of_a_partition_that_went_away) {
    driven_consumer rig(config_of(std::nullopt), brokers(2));
    auto& topic = rig.topic("orders", 1);
    rig.cluster.cluster().place(*topic.partitions[0], {broker_id(2)});
    rig.assign({orders_0});
    rig.enter_poll();
    rig.pass(2s);
    rig.ports[first_port + 2] = port::refuses;
    rig.cluster.stop_broker(broker_id(2), rig.now());
    // The cluster goes on saying that it leads.
    topic.partitions[0]->leader = broker_id(2);
    rig.pass(1s);
    const auto why = rig.explain();
    EXPECT_TRUE(why.cause == wait_cause::broker_unreachable || why.cause == wait_cause::leader_unknown)
        << to_string(why);
    EXPECT_THAT(to_string(why.first), HasSubstr("orders-0"));
}

TEST(explain, suspects_a_broker_that_took_a_fetch_and_froze) {
    driven_consumer rig(config_of(std::nullopt));
    read_by_hand(rig);
    rig.pass(2s);
    rig.swallow(api_key::fetch);
    rig.pass(12s);
    const auto why = rig.explain();
    EXPECT_EQ(why.cause, wait_cause::broker_silent) << to_string(why);
    EXPECT_THAT(why.summary, HasSubstr("broker 1 (127.0.0.1:9091) has not answered Fetch request"));
    EXPECT_THAT(why.first.steps.back().text, HasSubstr("expires in"));
}

// ---- leaders and topics

TEST(explain, names_a_partition_without_a_leader_and_the_request_that_asks_for_one) {
    driven_consumer rig(config_of(std::nullopt));
    auto& topic = rig.topic("orders", 4);
    topic.partitions[3]->leader = protocol::no_broker;
    rig.assign({{"orders", 3}});
    rig.enter_poll();
    rig.pass(3s);
    rig.swallow(api_key::metadata);
    rig.pass(2s);
    const auto why = rig.explain();
    EXPECT_EQ(why.first.concerned, (partitions{{"orders", 3}}));
    EXPECT_THAT(to_string(why.first), HasSubstr("for records of orders-3 <- fetching awaits a leader for orders-3 <- "
                                                "metadata awaits the answer to request"))
        << to_string(why);
    EXPECT_THAT(to_string(why.first), HasSubstr("<- Metadata request"));
}

TEST(explain, names_a_leader_that_is_being_elected) {
    driven_consumer rig(config_of(std::nullopt));
    auto& topic = rig.topic("orders", 1);
    topic.partitions[0]->leader = protocol::no_broker;
    rig.assign({orders_0});
    rig.enter_poll();
    rig.pass(3s);
    EXPECT_EQ(rig.explain().cause, wait_cause::leader_unknown) << to_string(rig.explain());
    EXPECT_THAT(rig.explain().summary, HasSubstr("orders-0 has no leader at present"));
}

TEST(explain, names_a_topic_that_was_assigned_by_hand_and_does_not_exist) {
    driven_consumer rig(config_of(std::nullopt), without_topic_creation());
    rig.assign({{"ordres", 0}});
    rig.enter_poll();
    rig.pass(3s);
    EXPECT_EQ(rig.explain().cause, wait_cause::topic_unknown) << to_string(rig.explain());
}

TEST(explain, names_a_partition_that_its_topic_does_not_have) {
    driven_consumer rig(config_of(std::nullopt));
    rig.topic("orders", 3);
    rig.assign({{"orders", 7}});
    rig.enter_poll();
    rig.pass(3s);
    EXPECT_EQ(rig.explain().cause, wait_cause::partition_unknown) << to_string(rig.explain());
    EXPECT_EQ(rig.explain().summary, "topic orders has no partition 7: it has 3");
}

TEST(explain, names_a_topic_that_may_not_be_read) {
    driven_consumer rig(config_of(std::nullopt));
    rig.topic();
    rig.refuse(api_key::metadata, broker_error::topic_authorization_failed);
    rig.assign({orders_0});
    rig.enter_poll();
    rig.pass(2s);
    EXPECT_EQ(rig.explain().cause, wait_cause::not_authorized) << to_string(rig.explain());
}

// ---- positions

TEST(explain, says_that_committed_offsets_are_being_looked_up) {
    driven_consumer rig;
    rig.swallow(api_key::offset_fetch);
    read_by_hand(rig);
    rig.pass(600ms);
    const auto why = rig.explain();
    EXPECT_EQ(why.cause, wait_cause::position_lookup) << to_string(why);
    EXPECT_THAT(to_string(why.first), HasSubstr("committed offset of orders-0"));
    EXPECT_THAT(to_string(why.first), HasSubstr("OffsetFetch request"));
}

TEST(explain, says_that_the_offset_to_start_from_is_being_looked_up) {
    driven_consumer rig(config_of(std::nullopt));
    rig.swallow(api_key::list_offsets);
    read_by_hand(rig);
    rig.pass(600ms);
    const auto why = rig.explain();
    EXPECT_EQ(why.cause, wait_cause::position_lookup) << to_string(why);
    EXPECT_THAT(to_string(why.first), HasSubstr("ListOffsets request"));
}

TEST(explain, says_that_a_position_is_being_validated) {
    driven_consumer rig(config_of(std::nullopt));
    rig.swallow(api_key::offset_for_leader_epoch);
    read_by_hand(rig);
    rig.produce(orders_0, 3);
    rig.pass(1s);
    rig.submit(command::seek{orders_0, 2, 0});
    rig.pass(300ms);
    const auto why = rig.explain();
    EXPECT_EQ(why.cause, wait_cause::position_validation) << to_string(why);
    EXPECT_THAT(to_string(why.first), HasSubstr("OffsetForLeaderEpoch request"));
}

TEST(explain, says_that_an_offset_is_out_of_range_and_no_policy_says_where_to_go_on) {
    auto config = config_of(std::nullopt);
    config.auto_offset_reset.what = boundary::reset_policy::kind::none;
    driven_consumer rig(config);
    rig.topic();
    rig.assign({orders_0});
    rig.submit(command::seek{orders_0, 500, std::nullopt});
    rig.enter_poll();
    rig.pass(2s);
    const auto why = rig.explain();
    EXPECT_EQ(why.cause, wait_cause::partition_stands) << to_string(why);
    EXPECT_EQ(*why.first.reason, errc::offset_out_of_range);
    EXPECT_EQ(why.first.steps.back().ends_with, "seek()");
}

TEST(explain, says_that_there_is_no_committed_offset_and_no_policy) {
    auto config = config_of();
    config.auto_offset_reset.what = boundary::reset_policy::kind::none;
    driven_consumer rig(config);
    read_by_hand(rig);
    rig.pass(2s);
    EXPECT_EQ(rig.explain().cause, wait_cause::partition_stands) << to_string(rig.explain());
    EXPECT_EQ(*rig.explain().first.reason, errc::no_offset_for_partition);
}

TEST(explain, says_that_a_corrupt_batch_stands_until_it_is_sought) {
    driven_consumer rig(config_of(std::nullopt));
    read_by_hand(rig);
    records::batch_builder builder;
    builder.append({.timestamp = 1000, .value = base::as_bytes(std::string_view("value"))});
    const auto good = builder.build();
    std::string bad(reinterpret_cast<const char*>(good.data()), good.size());
    bad.back() = static_cast<char>(bad.back() ^ 1);
    auto& partition = *rig.cluster.cluster().find_topic("orders")->find(0);
    partition.log.append_raw(base::shared_bytes::copy_of(base::as_bytes(bad)), 1, 0);
    rig.pass(5s);
    EXPECT_EQ(rig.explain().cause, wait_cause::partition_stands) << to_string(rig.explain());
    EXPECT_EQ(*rig.explain().first.reason, errc::corrupt_record);
}

TEST(explain, says_that_a_broker_refuses_fetches_for_now) {
    driven_consumer rig(config_of(std::nullopt));
    rig.refuse(api_key::fetch, broker_error::kafka_storage_error);
    read_by_hand(rig);
    rig.pass(3s);
    // Between two attempts.
    rig.pass_until([&] { return rig.explain().cause != wait_cause::records_awaited; });
    const auto why = rig.explain();
    EXPECT_EQ(why.cause, wait_cause::retrying) << to_string(why);
    EXPECT_THAT(why.summary, HasSubstr("KAFKA_STORAGE_ERROR"));
}

// ---- the application, and when all is well

TEST(explain, says_that_every_partition_has_been_read_to_its_end) {
    driven_consumer rig(config_of(std::nullopt));
    read_by_hand(rig, 5);
    rig.pass(3s);
    const auto why = rig.explain();
    EXPECT_EQ(why.cause, wait_cause::end_of_partitions) << to_string(why);
    EXPECT_EQ(why.summary,
              "every assigned partition has been read to its end (orders-0, orders-1, orders-2 and 2 others)");
    EXPECT_THAT(to_string(why.first), HasSubstr("poll waits 3.0 s for records of orders-0"));
}

TEST(explain, says_that_all_partitions_are_paused) {
    driven_consumer rig(config_of(std::nullopt));
    read_by_hand(rig, 2);
    rig.pass(1s);
    rig.submit(command::pause{{orders_0, orders_1}});
    rig.pass(1s);
    EXPECT_EQ(rig.explain().cause, wait_cause::paused) << to_string(rig.explain());
    EXPECT_EQ(rig.explain().summary, "every assigned partition is paused (orders-0 and orders-1)");
}

TEST(explain, puts_the_end_of_those_that_are_read_before_those_that_are_paused) {
    driven_consumer rig(config_of(std::nullopt));
    read_by_hand(rig, 2);
    rig.pass(1s);
    rig.submit(command::pause{{orders_1}});
    rig.pass(1s);
    const auto why = rig.explain();
    EXPECT_EQ(why.cause, wait_cause::end_of_partitions) << to_string(why);
    ASSERT_EQ(why.also.size(), 1U);
    EXPECT_EQ(why.also[0].cause, wait_cause::paused);
}

TEST(explain, says_that_the_application_holds_what_memory_there_is) {
    auto config = config_of(std::nullopt);
    config.memory_limit = std::size_t{256} * 1024;
    driven_consumer rig(config);
    read_by_hand(rig);
    rig.pass(1s);
    rig.produce(orders_0, 60, 10'000);
    for (int i = 0; i < 50; ++i) {
        rig.pass(100ms);
        rig.take();
    }
    rig.pass(1s);
    ASSERT_EQ(rig.meeting.bytes_queued(), 0U);
    const auto why = rig.explain();
    EXPECT_EQ(why.cause, wait_cause::memory_held) << to_string(why);
    EXPECT_EQ(why.first.concerned, (partitions{orders_0}));
    EXPECT_EQ(why.first.steps.back().ends_with, "letting go of records");
}

TEST(explain, says_that_records_wait_to_be_polled) {
    driven_consumer rig(config_of(std::nullopt));
    read_by_hand(rig);
    rig.pass(1s);
    rig.leave_poll();
    rig.produce(orders_0);
    rig.pass(1s);
    EXPECT_EQ(rig.explain().cause, wait_cause::records_ready) << to_string(rig.explain());
}

TEST(explain, says_that_a_transaction_that_is_open_holds_records_back) {
    driven_consumer rig(config_of(std::nullopt));
    read_by_hand(rig);
    rig.pass(1s);
    records::batch_builder builder({.producer_id = 7, .producer_epoch = 0, .base_sequence = 0, .transactional = true});
    builder.append({.timestamp = 1000, .value = base::as_bytes(std::string_view("value"))});
    rig.cluster.cluster().find_topic("orders")->find(0)->log.append(builder.build(), 0);
    rig.pass(2s);
    const auto why = rig.explain();
    EXPECT_EQ(why.cause, wait_cause::end_of_partitions) << to_string(why);
    EXPECT_THAT(why.summary, HasSubstr("transactions"));
}

// A test that reads like the manual: what a person sees.
TEST(explain, says_it_in_a_line_that_a_person_can_read) {
    driven_consumer rig(config_of(std::nullopt));
    read_by_hand(rig);
    rig.pass(1200ms);
    EXPECT_EQ(
        to_string(rig.explain().first),
        "poll waits 1.2 s for records of orders-0 <- fetching awaits the answer to request 5 <- Fetch request 5 to "
        "broker 1 (127.0.0.1:9091), sent 0.2 s ago, expires in 30.3 s (ends with its answer, or its expiry)");
}

TEST(explain, tells_several_causes_that_hold_at_the_same_time_worst_first) {
    auto config = config_of(std::nullopt);
    driven_consumer rig(config, without_topic_creation());
    rig.topic("orders", 2);
    rig.assign({orders_0, {"ordres", 0}});
    rig.enter_poll();
    rig.pass(3s);
    const auto why = rig.explain();
    EXPECT_EQ(why.cause, wait_cause::topic_unknown) << to_string(why);
    ASSERT_EQ(why.also.size(), 1U);
    EXPECT_EQ(why.also[0].cause, wait_cause::end_of_partitions);
}

}  // namespace
}  // namespace strandline::explain_tests
