#include "reactor/reactor.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "protocol/api_versions.hpp"
#include "protocol/header.hpp"
#include "protocol/messages/api_versions.hpp"
#include "protocol/messages/metadata.hpp"
#include "protocol/response_frame.hpp"

namespace strandline::reactor {

namespace {

using namespace std::chrono_literals;
namespace boundary = core::boundary;
namespace command = core::boundary::command;
namespace connection = core::connection;

constexpr base::instant t0{1000s};

// Ports that note what is asked of them, and what the application could have seen at that moment.
struct noted_ports final : transport, resolver, clock, turn_scheduler {
    explicit noted_ports(handoff::handoff& seen_by) : application(seen_by) {}

    void open(connection::connection_id id, const connection::ip_endpoint&) override {
        opened.push_back(id);
        note();
    }
    void write(connection::connection_id, base::shared_bytes bytes) override {
        written.push_back(std::move(bytes));
        note();
    }
    void close(connection::connection_id id) override {
        closed.push_back(id);
        note();
    }
    void resolve(connection::query_id id, const boundary::host_port&) override {
        asked.push_back(id);
        note();
    }
    base::instant now() const override { return time; }
    base::wall_time wall() const override { return base::wall_time(1'700'000'000'000ms); }
    void turn_soon() override { ++turns_soon; }
    void turn_at(base::instant when) override { next_turn = when; }

    void note() { seen_at_effects.push_back(application.snapshot()->version); }

    handoff::handoff& application;
    base::instant time = t0;
    base::instant next_turn{};
    int turns_soon = 0;
    std::vector<connection::connection_id> opened;
    std::vector<connection::connection_id> closed;
    std::vector<connection::query_id> asked;
    std::vector<base::shared_bytes> written;
    std::vector<std::uint64_t> seen_at_effects;  // version of the decision, one for each effect
};

struct counting_waker final : handoff::reactor_waker {
    void signal() noexcept override { ++signals; }
    int signals = 0;
};

class reactor_test : public testing::Test {
public:
    reactor_test() { application.set_reactor_waker(&waker); }
    ~reactor_test() override { application.set_reactor_waker(nullptr); }

    static boundary::core_config config_of(const std::string& host) {
        boundary::core_config config;
        config.bootstrap_servers = {{host, 9092}};
        return config;
    }
    void make(const std::string& host = "127.0.0.1") {
        config = config_of(host);
        made.emplace(config, ports{outside, outside, outside, random, outside}, application, [this] { ++stopped; });
    }
    // Turns as a scheduler would, until nothing asks for another turn at once.
    void turn() {
        do {
            outside.turns_soon = 0;
            made->turn();
        } while (outside.turns_soon > 0);
    }
    void assign() {
        assigning.emplace(outside.time + 10s);
        application.submit(*assigning, command::assign{{{"orders", 0}}});
    }
    // A partition is assigned by hand, and the connection for it stands.
    void begin_handshake() {
        make();
        turn();
        assign();
        turn();
        made->on_network(connection::connected{outside.opened.at(0)});
        turn();
    }
    // The broker answers what was written last.
    template <class Response>
    void answer(const Response& response) {
        const auto question = protocol::split_request(outside.written.back().slice(4));
        ASSERT_TRUE(question);
        const auto& to = question->header;
        const auto frame = protocol::encode_response_frame(response, to.api_version, to.correlation_id);
        ASSERT_TRUE(frame);
        for (std::size_t sent = 0; sent < frame->size();) {
            const auto room = made->receive_room(outside.opened.back());
            ASSERT_FALSE(room.empty());
            const auto count = std::min(room.size(), frame->size() - sent);
            std::memcpy(room.data(), frame->data() + sent, count);
            made->on_received(outside.opened.back(), count);
            sent += count;
        }
    }

    handoff::handoff application;
    counting_waker waker;
    noted_ports outside{application};
    base::seeded_random random{1};
    boundary::core_config config;
    std::optional<reactor> made;
    std::optional<handoff::operation> assigning;
    int stopped = 0;
};

TEST_F(reactor_test, a_first_turn_publishes_and_touches_no_network) {
    make();
    turn();
    EXPECT_GT(application.snapshot()->version, 0u);
    EXPECT_TRUE(outside.seen_at_effects.empty());
}

// Property of the design: nothing is observable before the decision of its own turn.
TEST_F(reactor_test, effects_are_carried_out_under_the_decision_of_their_own_turn) {
    make();
    turn();
    assign();
    const auto before = application.snapshot()->version;
    made->turn();
    ASSERT_EQ(outside.opened.size(), 1u);
    EXPECT_EQ(application.snapshot()->version, before + 1);
    EXPECT_EQ(outside.seen_at_effects, std::vector{before + 1});
}

// Decision 0022.
TEST_F(reactor_test, the_application_wakes_before_anything_goes_out_to_the_network) {
    struct watching_waiter : handoff::waiter {
        explicit watching_waiter(const noted_ports& where)
            : waiter(&watching_waiter::on_resume, nullptr), outside(where) {}
        static void on_resume(waiter& self) noexcept {
            auto& watching = static_cast<watching_waiter&>(self);
            watching.effects_before = watching.outside.seen_at_effects.size();
        }
        const noted_ports& outside;
        std::optional<std::size_t> effects_before;
    };
    make();
    turn();
    assign();
    watching_waiter application_waits(outside);
    ASSERT_TRUE(application.try_register(application_waits, application.visible_version()));
    made->turn();
    EXPECT_EQ(application_waits.effects_before, 0u);
    EXPECT_EQ(outside.opened.size(), 1u);
}

// Of what is no end of a call: nothing else would wake it.
TEST_F(reactor_test, what_a_broker_refuses_wakes_who_waits_for_news) {
    begin_handshake();
    protocol::messages::api_versions_response versions;
    for (const auto& [key, spoken] : protocol::spoken_apis()) {
        versions.api_keys.push_back({.api_key = key, .min_version = spoken.min, .max_version = spoken.max});
    }
    answer(versions);
    turn();
    ASSERT_EQ(outside.written.size(), 2u) << "the first metadata request";

    struct counting_waiter : handoff::waiter {
        counting_waiter() : waiter(&counting_waiter::on_resume, nullptr) {}
        static void on_resume(waiter& self) noexcept { ++static_cast<counting_waiter&>(self).resumed; }
        int resumed = 0;
    };
    counting_waiter application_waits;
    ASSERT_TRUE(application.try_register(application_waits, application.visible_version()));
    protocol::messages::metadata_response metadata;
    metadata.brokers.push_back({.node_id = protocol::broker_id(1), .host = "127.0.0.1", .port = 9092});
    auto& orders = metadata.topics.emplace_back();
    orders.name = "orders";
    orders.error_code = protocol::broker_error::topic_authorization_failed;
    answer(metadata);
    EXPECT_EQ(application_waits.resumed, 0);
    turn();
    EXPECT_EQ(application_waits.resumed, 1);
}

TEST_F(reactor_test, the_end_of_a_call_and_what_it_changed_become_visible_together) {
    make();
    turn();
    assign();
    EXPECT_EQ(waker.signals, 1);
    made->turn();
    ASSERT_TRUE(application.has_ended(*assigning));
    EXPECT_TRUE(assigning->take_outcome());
    const auto& pages = *application.snapshot()->pages;
    ASSERT_EQ(pages.size(), 1u);
    EXPECT_EQ(pages[0]->partitions.size(), 1u);
}

TEST_F(reactor_test, the_next_turn_comes_at_the_earliest_time_that_anything_waits_for) {
    make();
    turn();
    EXPECT_EQ(outside.next_turn, base::never) << "an idle consumer without a group waits for no time";
    assign();
    turn();
    EXPECT_GT(outside.next_turn, outside.time);
    EXPECT_LE(outside.next_turn, outside.time + config.connection_setup_timeout.initial);
}

TEST_F(reactor_test, an_attempt_that_fails_is_repeated_at_the_time_that_was_published_and_not_before) {
    make();
    turn();
    assign();
    turn();
    ASSERT_EQ(outside.opened.size(), 1u);
    made->on_network(connection::closed{outside.opened[0], "refused"});
    EXPECT_EQ(outside.turns_soon, 1);
    turn();
    EXPECT_EQ(outside.opened.size(), 1u);
    const auto again = outside.next_turn;
    ASSERT_NE(again, base::never);
    outside.time = again - 1ns;
    turn();
    EXPECT_EQ(outside.opened.size(), 1u);
    // Each turn does what is due and names the next time: there is never one without either.
    for (int turns = 0; outside.opened.size() == 1 && turns < 10; ++turns) {
        ASSERT_GE(outside.next_turn, outside.time);
        outside.time = outside.next_turn;
        turn();
    }
    EXPECT_EQ(outside.opened.size(), 2u);
}

TEST_F(reactor_test, names_are_asked_of_the_resolver) {
    make("kafka.example");
    turn();
    assign();
    turn();
    ASSERT_EQ(outside.asked.size(), 1u);
    made->on_network(connection::name_resolved{outside.asked[0], {{"127.0.0.2", 9092}}, {}});
    turn();
    EXPECT_EQ(outside.opened.size(), 1u);
}

TEST_F(reactor_test, part_of_a_frame_asks_for_no_turn_and_the_rest_does) {
    begin_handshake();
    ASSERT_EQ(outside.written.size(), 1u) << "the first step of the handshake";
    outside.turns_soon = 0;
    // A frame of four bytes: too short for a header, so its connection ends.
    const std::string frame{"\0\0\0\4abcd", 8};
    for (const char byte : frame.substr(0, 7)) {
        const auto room = made->receive_room(outside.opened[0]);
        ASSERT_FALSE(room.empty());
        room[0] = static_cast<std::byte>(byte);
        made->on_received(outside.opened[0], 1);
        EXPECT_EQ(outside.turns_soon, 0);
    }
    made->receive_room(outside.opened[0])[0] = static_cast<std::byte>(frame[7]);
    made->on_received(outside.opened[0], 1);
    EXPECT_EQ(outside.turns_soon, 1);
    turn();
    EXPECT_EQ(outside.closed, std::vector{outside.opened[0]});
    EXPECT_TRUE(made->receive_room(outside.opened[0]).empty());
}

TEST_F(reactor_test, a_close_ends_with_its_result_and_the_reactor_stops_once) {
    make();
    turn();
    assign();
    turn();
    handoff::operation closing(outside.time + 1s);
    application.submit(closing, command::close{});
    turn();
    ASSERT_TRUE(application.has_ended(closing));
    EXPECT_TRUE(closing.take_outcome());
    EXPECT_EQ(stopped, 1);
    EXPECT_EQ(outside.closed, outside.opened) << "no connection stays open";
    EXPECT_TRUE(application.snapshot()->stopped);
    const auto version = application.snapshot()->version;
    made->turn();
    EXPECT_EQ(stopped, 1);
    EXPECT_EQ(application.snapshot()->version, version) << "nothing is published any more";
}

// A callback that close did not wait for any longer may make calls.
TEST_F(reactor_test, calls_that_a_close_outruns_end_with_it_and_later_ones_at_once) {
    make();
    turn();
    handoff::operation asking(outside.time + 1h);
    application.submit(asking, command::list_topics{});
    turn();
    ASSERT_FALSE(application.has_ended(asking)) << "no broker is there to answer";
    handoff::operation closing(outside.time + 1s);
    application.submit(closing, command::close{});
    turn();
    ASSERT_TRUE(closing.take_outcome());
    ASSERT_TRUE(application.has_ended(asking));
    EXPECT_EQ(asking.take_outcome().error(), errc::consumer_closed);
    handoff::operation late(outside.time + 1h);
    application.submit(late, command::list_topics{});
    ASSERT_TRUE(application.has_ended(late));
    EXPECT_EQ(late.take_outcome().error(), errc::consumer_closed);
}

}  // namespace

}  // namespace strandline::reactor
