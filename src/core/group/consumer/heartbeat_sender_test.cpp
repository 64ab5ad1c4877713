#include "core/group/consumer/heartbeat_sender.hpp"

#include <gtest/gtest.h>

#include "core/group/hand_driven.hpp"

namespace strandline::core::group::consumer {
namespace {

using namespace std::chrono_literals;
using exchange::connection_role;
using exchange::request_failure;
using exchange::wait_reason;
using kind = heartbeat_outcome::kind;
using protocol::broker_error;
using protocol::member_epoch;
using state = exchange::readiness::state;
using answer = protocol::messages::consumer_group_heartbeat_response;

constexpr protocol::broker_id coordinator{1};
constexpr base::instant start{100s};

struct a_heartbeat_sender : testing::Test {
    hand_driven by_hand{[] {
        boundary::core_config made;
        made.group_id = "billing";
        made.request_timeout = 30s;
        return made;
    }()};
    exchange::broker_reach reach{by_hand.connections_view};
    exchange::outbox out;
    heartbeat_sender sender{by_hand.context(), by_hand.coordinator, reach, out};
    exchange::pending_wait wait;
    std::optional<sent_request> sent;

    std::string id = "me";
    std::vector<std::string> topics{"orders"};
    std::string pattern;
    owned_partitions owned;

    a_heartbeat_sender() {
        by_hand.connections.newest_versions[heartbeat_composer::request::key] = 1;
        by_hand.coordinator.change() = {.broker = coordinator, .version = 1, .refusal = {}};
        by_hand.set(coordinator, connection_role::group, state::ready);
        sender.begin();
    }
    // True: a heartbeat was sent.
    bool plan(base::instant now, bool at_once = false) {
        const member_report member{id, true, member_epoch(3), topics, pattern, owned, 1};
        wait = {};
        sender.plan(member, at_once, wait, now);
        auto made = out.take();
        if (!made) return false;
        auto outputs = std::move(*made).take_outputs();
        for (const auto& one : outputs) {
            const auto* request = std::get_if<exchange::outbound_request>(&one);
            if (request == nullptr) continue;
            sent.emplace(*request);
            return true;
        }
        return false;
    }
    std::optional<heartbeat_outcome> receive(const answer& body, base::instant now) {
        return sender.on_response(answer_to(*sent, body), now);
    }
    heartbeat_outcome refuse(broker_error code, base::instant now = start) {
        answer body;
        body.error_code = code;
        return receive(body, now).value_or(heartbeat_outcome{});
    }
    static answer every(base::duration interval) {
        answer body;
        body.heartbeat_interval_ms = static_cast<std::int32_t>(interval / 1ms);
        return body;
    }
};

TEST_F(a_heartbeat_sender, sends_the_first_at_once_and_the_next_after_the_interval_that_the_broker_named) {
    EXPECT_FALSE(sender.begun_in_public());
    ASSERT_TRUE(plan(start));
    EXPECT_TRUE(sender.begun_in_public());
    EXPECT_EQ(sent->expires_at, start + 30s);
    EXPECT_EQ(receive(every(3s), start + 1s)->what, kind::answered);
    EXPECT_FALSE(plan(start + 1s));
    EXPECT_EQ(wait.why, exchange::because(wait_reason::heartbeat_interval));
    EXPECT_EQ(wait.inputs.wake_at(), start + 3s) << "counted from when the former one was sent";
    EXPECT_TRUE(plan(start + 3s));
}

// tickets: KAFKA-21031 (A5); invariants: V1
TEST_F(a_heartbeat_sender, has_one_in_flight_and_waits_for_its_answer_also_when_the_next_is_due) {
    plan(start);
    for (const auto later : {1s, 5s, 20s}) {
        EXPECT_FALSE(plan(start + later, true));
        EXPECT_EQ(wait.why, exchange::because(wait_reason::response, sent->id.value()));
        EXPECT_EQ(wait.inputs.wake_at(), start + 30s);
    }
}

TEST_F(a_heartbeat_sender, sends_before_the_interval_is_over_what_is_news_or_hurried) {
    plan(start);
    receive(every(3s), start);
    topics.emplace_back("audit");
    EXPECT_TRUE(plan(start + 1s));
    receive(every(3s), start + 1s);
    EXPECT_FALSE(plan(start + 1s));
    EXPECT_TRUE(plan(start + 1s, true));
    receive(every(3s), start + 1s);
    sender.hurry(start + 2s);
    EXPECT_FALSE(plan(start + 1s));
    EXPECT_EQ(wait.inputs.wake_at(), start + 2s);
    EXPECT_TRUE(plan(start + 2s));
    receive(every(3s), start + 2s);
    plan(start + 2s);
    EXPECT_EQ(wait.inputs.wake_at(), start + 5s) << "hurried once";
}

TEST_F(a_heartbeat_sender, believes_an_interval_within_reason) {
    plan(start);
    receive(every(0s), start);
    EXPECT_FALSE(plan(start));
    EXPECT_EQ(wait.inputs.wake_at(), start + 5s) << "not told: as before";
    plan(start + 5s);
    receive(every(1ms), start + 5s);
    EXPECT_FALSE(plan(start + 5s));
    EXPECT_EQ(wait.inputs.wake_at(), start + 5s + 10ms);
}

TEST_F(a_heartbeat_sender, takes_only_the_answer_that_it_awaits) {
    plan(start);
    auto other = *sent;
    other.id = exchange::request_id(sent->id.value() + 1);
    EXPECT_FALSE(sender.on_response(answer_to(other, every(3s)), start).has_value());
    EXPECT_TRUE(receive(every(3s), start).has_value());
    EXPECT_FALSE(receive(every(3s), start).has_value());
}

TEST_F(a_heartbeat_sender, forgets_what_it_asked_a_coordinator_that_is_none_any_more) {
    plan(start);
    const auto former = *sent;
    by_hand.coordinator.change() = {.broker = protocol::broker_id(2), .version = 2, .refusal = {}};
    by_hand.set(protocol::broker_id(2), connection_role::group, state::ready);
    ASSERT_TRUE(plan(start + 1s));
    EXPECT_EQ(sent->broker, protocol::broker_id(2));
    EXPECT_FALSE(sender.on_response(answer_to(former, every(3s)), start + 1s).has_value());
}

TEST_F(a_heartbeat_sender, goes_on_waiting_for_a_coordinator_that_was_lost_and_found_again) {
    plan(start);
    by_hand.coordinator.change() = {.broker = protocol::no_broker, .version = 1, .refusal = {}};
    EXPECT_FALSE(plan(start + 1s, true));
    by_hand.coordinator.change() = {.broker = coordinator, .version = 2, .refusal = {}};
    EXPECT_FALSE(plan(start + 1s, true)) << "one is in flight to it";
    EXPECT_EQ(receive(every(3s), start + 2s)->what, kind::answered);
}

TEST_F(a_heartbeat_sender, waits_for_a_coordinator_and_for_its_connection) {
    by_hand.coordinator.change() = {};
    EXPECT_FALSE(plan(start));
    EXPECT_EQ(wait.why, exchange::because(wait_reason::coordinator_unknown));
    by_hand.coordinator.change() = {.broker = coordinator, .version = 2, .refusal = {}};
    by_hand.set(coordinator, connection_role::group, state::connecting);
    EXPECT_FALSE(plan(start));
    EXPECT_EQ(wait.why, exchange::because(wait_reason::broker_connecting, exchange::broker_subject(coordinator)));
    EXPECT_FALSE(sender.begun_in_public());
}

TEST_F(a_heartbeat_sender, sends_nothing_to_a_broker_that_lacks_the_protocol) {
    by_hand.connections.newest_versions.clear();
    EXPECT_FALSE(plan(start));
    EXPECT_FALSE(sender.begun_in_public());
}

TEST_F(a_heartbeat_sender, looks_for_the_coordinator_when_its_connection_is_lost_or_it_is_the_wrong_one) {
    plan(start);
    EXPECT_EQ(sender.on_response(failure_of(*sent, request_failure::kind::disconnected), start)->what, kind::retry);
    auto lost = only<exchange::coordinator_lost>(by_hand.take_facts());
    ASSERT_EQ(lost.size(), 1U);
    EXPECT_EQ(lost[0].version, 1U);
    EXPECT_EQ(lost[0].cause, exchange::failure_cause(request_failure::kind::disconnected));
    plan(start + 5s);
    EXPECT_EQ(refuse(broker_error::not_coordinator, start + 5s).what, kind::retry);
    lost = only<exchange::coordinator_lost>(by_hand.take_facts());
    ASSERT_EQ(lost.size(), 1U);
    EXPECT_EQ(lost[0].cause, exchange::failure_cause(broker_error::not_coordinator));
}

TEST_F(a_heartbeat_sender, backs_off_after_a_failure_and_says_why_it_waits) {
    plan(start);
    EXPECT_EQ(sender.on_response(failure_of(*sent, request_failure::kind::expired), start)->what, kind::retry);
    EXPECT_FALSE(plan(start, true));
    EXPECT_EQ(wait.why.code, static_cast<std::uint16_t>(wait_reason::backoff));
    EXPECT_GT(wait.inputs.wake_at(), start);
    EXPECT_TRUE(plan(start + 1s)) << "everything is news again";
    EXPECT_EQ(refuse(broker_error::coordinator_load_in_progress, start + 1s).what, kind::retry);
    EXPECT_FALSE(plan(start + 1s, true));
    EXPECT_EQ(wait.why, backing_off_after(broker_error::coordinator_load_in_progress));
}

TEST_F(a_heartbeat_sender, joins_again_reports_or_gives_up_as_the_broker_says) {
    plan(start);
    auto outcome = refuse(broker_error::fenced_member_epoch);
    EXPECT_EQ(outcome.what, kind::rejoin);
    EXPECT_EQ(outcome.why, exchange::failure_cause(broker_error::fenced_member_epoch));
    plan(start);
    outcome = refuse(broker_error::topic_authorization_failed);
    EXPECT_EQ(outcome.what, kind::report);
    ASSERT_TRUE(outcome.reason.has_value());
    plan(start + 1s);
    outcome = refuse(broker_error::group_authorization_failed, start + 1s);
    EXPECT_EQ(outcome.what, kind::give_up);
    ASSERT_TRUE(outcome.reason.has_value());
    EXPECT_EQ(*outcome.reason, errc::fatal_group_error);
}

TEST_F(a_heartbeat_sender, reports_an_answer_that_cannot_be_read_and_tries_again_later) {
    plan(start);
    auto nonsense = answer_to(*sent, answer{});
    nonsense.body = base::shared_bytes{};
    auto outcome = sender.on_response(nonsense, start);
    ASSERT_TRUE(outcome.has_value());
    EXPECT_EQ(outcome->what, kind::report);
    EXPECT_EQ(*outcome->reason, errc::malformed_response);
    EXPECT_FALSE(plan(start, true));
    EXPECT_TRUE(plan(start + 1s));
    outcome = sender.on_response(failure_of(*sent, request_failure::kind::malformed), start + 1s);
    EXPECT_EQ(outcome->what, kind::report);
    EXPECT_EQ(*outcome->reason, errc::malformed_response);
}

TEST_F(a_heartbeat_sender, gives_up_on_a_heartbeat_that_cannot_be_written) {
    plan(start);
    const auto outcome = sender.on_response(failure_of(*sent, request_failure::kind::unencodable), start);
    EXPECT_EQ(outcome->what, kind::give_up);
    EXPECT_EQ(*outcome->reason, errc::invalid_configuration);
}

TEST_F(a_heartbeat_sender, tells_the_connection_of_a_quota) {
    plan(start);
    auto body = every(3s);
    body.throttle_time_ms = 700;
    receive(body, start);
    const auto told = only<exchange::broker_throttled>(by_hand.take_facts());
    ASSERT_EQ(told.size(), 1U);
    EXPECT_EQ(told[0].broker, coordinator);
    EXPECT_EQ(told[0].role, connection_role::group);
    EXPECT_EQ(told[0].until, start + 700ms);
}

TEST_F(a_heartbeat_sender, begins_a_new_membership_without_what_was_awaited_in_the_former) {
    plan(start);
    sender.begin();
    EXPECT_FALSE(sender.begun_in_public());
    EXPECT_FALSE(receive(every(3s), start).has_value());
    EXPECT_TRUE(plan(start));
}

}  // namespace
}  // namespace strandline::core::group::consumer
