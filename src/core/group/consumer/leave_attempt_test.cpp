#include "core/group/consumer/leave_attempt.hpp"

#include <gtest/gtest.h>

#include "core/group/hand_driven.hpp"

namespace strandline::core::group::consumer {
namespace {

using namespace std::chrono_literals;
using exchange::connection_role;
using exchange::wait_reason;
using protocol::broker_error;
using state = exchange::readiness::state;
using answer = protocol::messages::consumer_group_heartbeat_response;

constexpr protocol::broker_id coordinator{1};
constexpr base::instant start{100s};
constexpr base::instant deadline = start + 5s;

struct a_leave : testing::Test {
    hand_driven by_hand;
    exchange::broker_reach reach{by_hand.connections_view};
    leave_attempt going{goodbye(), deadline};
    exchange::pending_wait wait;
    std::optional<sent_request> sent;

    static heartbeat_composer::request goodbye() {
        heartbeat_composer::request made;
        made.group_id = "billing";
        made.member_id = "me";
        made.member_epoch = heartbeat_composer::leaving_epoch;
        return made;
    }
    a_leave() {
        by_hand.connections.newest_versions[heartbeat_composer::request::key] = 1;
        by_hand.coordinator.change() = {.broker = coordinator, .version = 1, .refusal = {}};
        by_hand.set(coordinator, connection_role::group, state::ready);
    }
    // What it puts out.
    std::vector<exchange::output> plan(base::instant now) {
        exchange::outbox out;
        wait = {};
        going.plan(by_hand.context(), by_hand.coordinator, reach, out, wait, now);
        auto made = out.take();
        if (!made) return {};
        auto outputs = std::move(*made).take_outputs();
        for (const auto& one : outputs) {
            if (const auto* request = std::get_if<exchange::outbound_request>(&one)) sent.emplace(*request);
        }
        return {std::make_move_iterator(outputs.begin()), std::make_move_iterator(outputs.end())};
    }
};

TEST_F(a_leave, is_sent_once_and_over_with_its_answer) {
    const auto out = plan(start);
    ASSERT_EQ(out.size(), 1U);
    const auto& request = std::get<exchange::outbound_request>(out[0]);
    EXPECT_EQ(request.broker, coordinator);
    EXPECT_EQ(request.role, connection_role::group);
    EXPECT_EQ(request.body.get_if<heartbeat_composer::request>()->member_epoch, heartbeat_composer::leaving_epoch);
    EXPECT_FALSE(going.over());
    EXPECT_TRUE(plan(start).empty());
    EXPECT_EQ(wait.why, exchange::because(wait_reason::leave_answer, sent->id.value()));
    EXPECT_EQ(wait.inputs.wake_at(), deadline);
    EXPECT_TRUE(going.on_response(answer_to(*sent, answer{})));
    EXPECT_TRUE(going.over());
    EXPECT_EQ(going.undone(), "");
    EXPECT_TRUE(plan(deadline).empty());
}

TEST_F(a_leave, does_not_take_the_answer_of_another_heartbeat_for_its_own) {
    EXPECT_FALSE(going.on_response({.id = exchange::request_id(7), .broker = coordinator, .body = {}}))
        << "none is sent";
    plan(start);
    auto other = *sent;
    other.id = exchange::request_id(sent->id.value() + 1);
    EXPECT_FALSE(going.on_response(answer_to(other, answer{})));
    EXPECT_FALSE(going.over());
    EXPECT_TRUE(going.on_response(answer_to(*sent, answer{})));
    EXPECT_FALSE(going.on_response(answer_to(*sent, answer{}))) << "an answer counts once";
}

TEST_F(a_leave, is_done_when_the_group_has_no_such_member_any_more) {
    for (const auto code :
         {broker_error::unknown_member_id, broker_error::fenced_member_epoch, broker_error::group_id_not_found}) {
        going = leave_attempt(goodbye(), deadline);
        plan(start);
        answer told;
        told.error_code = code;
        EXPECT_TRUE(going.on_response(answer_to(*sent, told)));
        EXPECT_EQ(going.undone(), "") << code;
    }
}

TEST_F(a_leave, says_what_was_left_undone_when_it_is_refused_lost_or_answered_with_nonsense) {
    plan(start);
    answer told;
    told.error_code = broker_error::coordinator_not_available;
    going.on_response(answer_to(*sent, told));
    EXPECT_EQ(going.undone(), "leave of group billing: " + to_string(broker_error::coordinator_not_available));

    going = leave_attempt(goodbye(), deadline);
    plan(start);
    going.on_response(failure_of(*sent, exchange::request_failure::kind::disconnected));
    EXPECT_EQ(going.undone(), "leave of group billing: not answered");

    going = leave_attempt(goodbye(), deadline);
    plan(start);
    auto nonsense = answer_to(*sent, answer{});
    nonsense.body = base::shared_bytes{};
    going.on_response(nonsense);
    EXPECT_EQ(going.undone(), "leave of group billing: the answer cannot be read");
}

TEST_F(a_leave, waits_for_a_connection_until_its_deadline) {
    by_hand.set(coordinator, connection_role::group, state::unknown);
    const auto out = plan(start);
    ASSERT_EQ(out.size(), 1U);
    EXPECT_TRUE(std::holds_alternative<exchange::connection_wanted>(out[0]));
    by_hand.set(coordinator, connection_role::group, state::connecting);
    EXPECT_TRUE(plan(start + 1s).empty());
    EXPECT_FALSE(going.over());
    EXPECT_EQ(wait.inputs.wake_at(), deadline);
    plan(deadline);
    EXPECT_EQ(going.undone(), "leave of group billing: the coordinator was not reached in time");
}

TEST_F(a_leave, is_sent_at_its_deadline_to_a_coordinator_that_is_ready_then) {
    EXPECT_EQ(plan(deadline).size(), 1U);
    EXPECT_FALSE(going.over());
    plan(deadline);
    EXPECT_EQ(going.undone(), "leave of group billing: not answered in time");
}

TEST_F(a_leave, has_its_deadline_brought_forward_and_never_put_off) {
    plan(start);
    going.bring_forward(deadline + 1s);
    plan(start);
    EXPECT_EQ(wait.inputs.wake_at(), deadline);
    going.bring_forward(start + 1s);
    plan(start);
    EXPECT_EQ(wait.inputs.wake_at(), start + 1s);
}

TEST_F(a_leave, does_not_wait_for_a_coordinator_that_nobody_can_find) {
    by_hand.coordinator.change() = {};
    plan(start);
    EXPECT_EQ(going.undone(), "leave of group billing: the coordinator is not known");

    going = leave_attempt(goodbye(), deadline);
    by_hand.connections.any = protocol::broker_id(-2);
    by_hand.set(protocol::broker_id(-2), connection_role::control, state::connecting);
    plan(start);
    EXPECT_TRUE(going.over());
}

TEST_F(a_leave, waits_for_a_coordinator_that_somebody_may_know) {
    by_hand.coordinator.change() = {};
    by_hand.connections.any = protocol::broker_id(-2);
    by_hand.set(protocol::broker_id(-2), connection_role::control, state::ready);
    EXPECT_TRUE(plan(start).empty());
    EXPECT_FALSE(going.over());
    EXPECT_EQ(wait.why, exchange::because(wait_reason::coordinator_unknown));
    by_hand.coordinator.change().refusal = error(errc::fatal_group_error, "no");
    plan(start);
    EXPECT_TRUE(going.over());
}

TEST_F(a_leave, gives_up_on_a_coordinator_that_cannot_be_reached_or_lacks_the_protocol) {
    by_hand.set(coordinator, connection_role::group, state::backing_off);
    plan(start);
    EXPECT_EQ(going.undone(), "leave of group billing: the coordinator cannot be reached");

    going = leave_attempt(goodbye(), deadline);
    by_hand.set(coordinator, connection_role::group, state::ready);
    by_hand.connections.newest_versions.clear();
    EXPECT_TRUE(plan(start).empty());
    EXPECT_EQ(going.undone(), "leave of group billing: the coordinator does not know this protocol");
}

}  // namespace
}  // namespace strandline::core::group::consumer
