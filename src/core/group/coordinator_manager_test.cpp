#include "core/group/coordinator_manager.hpp"

#include <gtest/gtest.h>

#include "core/exchange/wait_reason.hpp"
#include "core/group/hand_driven.hpp"

namespace strandline::core::group {
namespace {

using namespace std::chrono_literals;
using exchange::connection_role;
using exchange::readiness;
using exchange::wait_reason;
using protocol::broker_error;
using protocol::messages::find_coordinator_request;
using protocol::messages::find_coordinator_response;

constexpr protocol::broker_id seed{-2};
constexpr protocol::broker_id one{1};
constexpr exchange::turn_time at(base::duration since_start) { return {base::instant(100s) + since_start, {}}; }

find_coordinator_response found(protocol::broker_id broker, std::string host = "kafka-1", std::int32_t port = 9092) {
    find_coordinator_response answer;
    auto& coordinator = answer.coordinators.emplace_back();
    coordinator.key = "billing";
    coordinator.node_id = broker;
    coordinator.host = std::move(host);
    coordinator.port = port;
    return answer;
}

find_coordinator_response refused(broker_error why) {
    auto answer = found(protocol::no_broker, "", -1);
    answer.coordinators[0].error_code = why;
    return answer;
}

struct searching_group {
    hand_driven by_hand;
    coordinator_manager manager;

    searching_group() : by_hand(configured()), manager(by_hand.context(), by_hand.connections_view, by_hand.lifecycle) {
        by_hand.connections.any = seed;
        by_hand.connections.newest_versions[find_coordinator_request::key] = 6;
        by_hand.set(seed, connection_role::control, readiness::state::ready);
    }
    static boundary::core_config configured() {
        boundary::core_config config;
        config.group_id = "billing";
        return config;
    }
    void need(exchange::turn_time time = at(0s)) {
        manager.on_fact(exchange::coordinator_needed{exchange::manager::membership, true}, time);
    }
    planned plan(exchange::turn_time time) {
        auto result = plan_of(manager, by_hand.views, time);
        EXPECT_FALSE(result.missed_an_edge);
        for (const auto* request : result.all<exchange::outbound_request>()) last_sent.emplace(*request);
        return result;
    }
    void answer(const find_coordinator_response& body, exchange::turn_time time) {
        manager.on_response(answer_to(*last_sent, body), time);
    }
    void fail(exchange::request_failure::kind how, exchange::turn_time time) {
        manager.on_response(failure_of(*last_sent, how), time);
    }
    const exchange::coordinator_view& view() const { return manager.view_source().get(); }
    void lose(exchange::turn_time time) { manager.on_fact(exchange::coordinator_lost{view().version, "test"}, time); }

    std::optional<sent_request> last_sent;
};

TEST(coordinator_manager, does_nothing_and_sets_no_timer_while_nobody_needs_it) {
    searching_group group;
    const auto idle = group.plan(at(0s));
    EXPECT_TRUE(idle.outputs.empty());
    EXPECT_EQ(idle.waits.wake_at(), base::never);
}

TEST(coordinator_manager, asks_any_broker_for_the_group_once_somebody_needs_it) {
    searching_group group;
    group.need();
    const auto search = group.plan(at(0s));
    const auto requests = search.requests<find_coordinator_request>();
    ASSERT_EQ(requests.size(), 1U);
    EXPECT_EQ(requests[0].coordinator_keys, std::vector<std::string>{"billing"});
    EXPECT_EQ(group.last_sent->broker, seed);
    EXPECT_EQ(group.last_sent->role, connection_role::control);
    EXPECT_EQ(search.waits.wake_at(), at(30s).now) << "nothing but the expiry of the request in flight";
}

TEST(coordinator_manager, names_the_group_as_older_brokers_want_it) {
    searching_group group;
    group.by_hand.connections.newest_versions[find_coordinator_request::key] = 3;
    group.need();
    const auto requests = group.plan(at(0s)).requests<find_coordinator_request>();
    ASSERT_EQ(requests.size(), 1U);
    EXPECT_EQ(requests[0].coordinator_key, "billing");
    EXPECT_TRUE(requests[0].coordinator_keys.empty());
    find_coordinator_response answer;
    answer.node_id = one;
    answer.host = "kafka-1";
    answer.port = 9092;
    group.answer(answer, at(0s));
    EXPECT_EQ(group.view().broker, one);
}

TEST(coordinator_manager, tells_where_the_coordinator_is_for_it_may_be_a_broker_not_heard_of_yet) {
    searching_group group;
    group.need();
    group.plan(at(0s));
    group.answer(found(one), at(1s));
    EXPECT_EQ(group.view().broker, one);
    const auto told = only<exchange::broker_address_learnt>(group.by_hand.take_facts());
    ASSERT_EQ(told.size(), 1U);
    EXPECT_EQ(told[0].broker, one);
    EXPECT_EQ(told[0].address, (boundary::host_port{"kafka-1", 9092}));
    const auto idle = group.plan(at(1s));
    EXPECT_TRUE(idle.outputs.empty()) << "a finished search is used up";
    EXPECT_EQ(idle.waits.wake_at(), base::never);
}

TEST(coordinator_manager, believes_no_address_that_cannot_be_one) {
    for (const auto& nonsense : {found(one, "", 9092), found(one, "kafka-1", 0), found(one, "kafka-1", 65536),
                                 found(protocol::broker_id(-1))}) {
        searching_group group;
        group.need();
        group.plan(at(0s));
        group.answer(nonsense, at(1s));
        EXPECT_FALSE(group.view().known());
        EXPECT_TRUE(group.plan(at(1s)).outputs.empty());
        EXPECT_EQ(group.plan(at(2s)).requests<find_coordinator_request>().size(), 1U);
    }
}

TEST(coordinator_manager, asks_for_a_connection_and_awaits_it) {
    searching_group group;
    group.by_hand.set(seed, connection_role::control, readiness::state::unknown);
    group.need();
    auto search = group.plan(at(0s));
    ASSERT_EQ(search.all<exchange::connection_wanted>().size(), 1U);
    EXPECT_EQ(search.all<exchange::connection_wanted>()[0]->broker, seed);
    EXPECT_EQ(search.waits.wake_at(), base::never);
    group.by_hand.set(seed, connection_role::control, readiness::state::connecting);
    EXPECT_TRUE(group.plan(at(0s)).outputs.empty());
    group.by_hand.set(seed, connection_role::control, readiness::state::ready);
    EXPECT_EQ(group.plan(at(0s)).requests<find_coordinator_request>().size(), 1U);
}

TEST(coordinator_manager, awaits_the_connections_while_no_broker_can_be_reached) {
    searching_group group;
    group.by_hand.connections.any.reset();
    group.need();
    const auto search = group.plan(at(0s));
    EXPECT_TRUE(search.outputs.empty());
    EXPECT_EQ(search.waits.wake_at(), base::never);
    EXPECT_EQ(search.why, exchange::because(wait_reason::no_broker_reachable));
}

TEST(coordinator_manager, backs_off_longer_and_longer_while_no_coordinator_is_available) {
    searching_group group;
    group.need();
    auto now = at(0s);
    base::duration last_wait{};
    for (int attempt = 0; attempt < 3; ++attempt) {
        ASSERT_EQ(group.plan(now).requests<find_coordinator_request>().size(), 1U);
        group.answer(refused(broker_error::coordinator_not_available), now);
        const auto wait = group.plan(now);
        EXPECT_TRUE(wait.outputs.empty());
        EXPECT_EQ(wait.why, backing_off_after(broker_error::coordinator_not_available));
        EXPECT_GT(wait.waits.wake_at() - now.now, last_wait);
        last_wait = wait.waits.wake_at() - now.now;
        now.now = wait.waits.wake_at();
    }
}

TEST(coordinator_manager, a_failed_request_is_tried_again_after_the_back_off) {
    for (const auto how : {exchange::request_failure::kind::disconnected, exchange::request_failure::kind::expired}) {
        searching_group group;
        group.need();
        group.plan(at(0s));
        group.fail(how, at(1s));
        const auto wait = group.plan(at(1s));
        EXPECT_TRUE(wait.outputs.empty());
        EXPECT_EQ(group.plan({wait.waits.wake_at(), {}}).requests<find_coordinator_request>().size(), 1U);
    }
}

TEST(coordinator_manager, a_loss_counts_only_for_the_finding_it_saw) {
    searching_group group;
    group.need();
    group.plan(at(0s));
    group.answer(found(one), at(0s));
    const auto seen = group.view().version;
    group.lose(at(10s));
    EXPECT_FALSE(group.view().known());
    group.plan(at(10s));
    group.answer(found(one), at(10s));
    group.manager.on_fact(exchange::coordinator_lost{seen, "late"}, at(10s));
    EXPECT_TRUE(group.view().known());
}

TEST(coordinator_manager, finds_a_lost_coordinator_at_once_but_one_lost_soon_after_it_was_found_only_after_a_back_off) {
    searching_group group;
    group.need();
    group.plan(at(0s));
    group.answer(found(one), at(0s));
    group.lose(at(60s));
    EXPECT_EQ(group.plan(at(60s)).requests<find_coordinator_request>().size(), 1U);
    group.answer(found(one), at(60s));
    group.lose(at(60s));
    const auto wait = group.plan(at(60s));
    EXPECT_TRUE(wait.outputs.empty());
    EXPECT_GT(wait.waits.wake_at(), at(60s).now);
}

TEST(coordinator_manager, seeks_again_when_the_coordinator_cannot_be_reached) {
    searching_group group;
    group.need();
    group.plan(at(0s));
    group.answer(found(one), at(0s));
    EXPECT_TRUE(group.plan(at(0s)).outputs.empty());
    group.by_hand.set(one, connection_role::group, readiness::state::backing_off);
    const auto wait = group.plan(at(5s));
    EXPECT_FALSE(group.view().known());
    EXPECT_EQ(wait.why, exchange::because(wait_reason::coordinator_unreachable, exchange::broker_subject(one)));
    EXPECT_EQ(group.plan({wait.waits.wake_at(), {}}).requests<find_coordinator_request>().size(), 1U);
}

// tickets: KAFKA-18034 (D3)
TEST(coordinator_manager, a_refusal_for_good_ends_the_search_and_is_told) {
    searching_group group;
    group.need();
    group.plan(at(0s));
    group.answer(refused(broker_error::group_authorization_failed), at(0s));
    const auto fatal = only<exchange::fatal_error>(group.by_hand.take_facts());
    ASSERT_EQ(fatal.size(), 1U);
    EXPECT_EQ(fatal[0].reason, errc::fatal_group_error);
    EXPECT_TRUE(fatal[0].reason.fatal());
    EXPECT_NE(fatal[0].reason.message().find("GROUP_AUTHORIZATION_FAILED(30)"), std::string::npos);
    EXPECT_EQ(group.view().refusal, fatal[0].reason);
    const auto idle = group.plan(at(100s));
    EXPECT_TRUE(idle.outputs.empty());
    EXPECT_EQ(idle.waits.wake_at(), base::never);
}

TEST(coordinator_manager, stops_seeking_when_nobody_needs_it_any_more) {
    searching_group group;
    group.need();
    group.plan(at(0s));
    group.answer(refused(broker_error::coordinator_load_in_progress), at(0s));
    group.manager.on_fact(exchange::coordinator_needed{exchange::manager::membership, false}, at(0s));
    const auto idle = group.plan(at(100s));
    EXPECT_TRUE(idle.outputs.empty());
    EXPECT_EQ(idle.waits.wake_at(), base::never);
}

// tickets: KAFKA-18569 (D1)
TEST(coordinator_manager, seeks_nothing_in_close_once_the_group_was_left) {
    searching_group group;
    group.need();
    group.by_hand.lifecycle.change().stage = exchange::close_stage::leave;
    EXPECT_EQ(group.plan(at(0s)).requests<find_coordinator_request>().size(), 1U);
    group.answer(refused(broker_error::coordinator_not_available), at(0s));
    group.by_hand.lifecycle.change().stage = exchange::close_stage::drain;
    EXPECT_TRUE(group.plan(at(100s)).outputs.empty());
}

// A listener that did not come back in time may have left a look-up behind.
TEST(coordinator_manager, seeks_in_the_last_stages_of_close_only_what_is_needed_to_leave) {
    searching_group group;
    group.manager.on_fact(exchange::coordinator_needed{exchange::manager::commit, true}, at(0s));
    group.by_hand.lifecycle.change().stage = exchange::close_stage::leave;
    EXPECT_TRUE(group.plan(at(0s)).outputs.empty());
    group.need();
    EXPECT_EQ(group.plan(at(0s)).requests<find_coordinator_request>().size(), 1U);
}

TEST(coordinator_manager, passes_on_that_a_broker_throttles) {
    searching_group group;
    group.need();
    group.plan(at(0s));
    auto answer = found(one);
    answer.throttle_time_ms = 250;
    group.answer(answer, at(1s));
    const auto told = only<exchange::broker_throttled>(group.by_hand.take_facts());
    ASSERT_EQ(told.size(), 1U);
    EXPECT_EQ(told[0].broker, seed);
    EXPECT_EQ(told[0].until, at(1s).now + 250ms);
}

TEST(coordinator_manager, an_answer_to_another_search_changes_nothing) {
    searching_group group;
    group.need();
    group.plan(at(0s));
    group.answer(found(one), at(0s));
    group.answer(found(protocol::broker_id(7)), at(1s));
    EXPECT_EQ(group.view().broker, one);
}

}  // namespace
}  // namespace strandline::core::group
