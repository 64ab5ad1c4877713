// Callbacks, waiting and closing.
#include <memory>
#include <system_error>

#include "client/consumer_testsupport.hpp"

namespace strandline::client::testsupport {
namespace {

TEST_F(consumer_test, listeners_run_in_poll_on_its_thread_before_records_of_their_partitions) {
    recording_listener listener;
    subscribed(listener);
    std::thread::id ran_on;
    listener.on_any = [&](const consumer_access&) { ran_on = std::this_thread::get_id(); };
    reactor->deliver(0, 0, {"a"});
    reactor->want_callback(boundary::callback_wanted::kind::assigned, {orders_0});
    EXPECT_EQ(values(polled()), std::vector<std::string>{"a"});
    EXPECT_EQ(listener.heard, std::vector<std::string>{"assigned orders-0"});
    EXPECT_EQ(ran_on, std::this_thread::get_id());
    operationless_turn();
    reactor->look([](auto& at) {
        ASSERT_EQ(at.callbacks_finished.size(), 1U);
        EXPECT_FALSE(at.callbacks_finished.front().has_value());
    });
}

// tickets: KAFKA-18160 (E1) B94
TEST_F(consumer_test, a_listener_that_throws_fails_the_poll_and_the_change_goes_on) {
    recording_listener listener;
    subscribed(listener);
    listener.on_any = [](const consumer_access&) { throw std::runtime_error("database is gone"); };
    reactor->want_callback(boundary::callback_wanted::kind::revoked, {orders_0});
    const auto got = poll(*state, 1s);
    ASSERT_FALSE(got.has_value());
    EXPECT_EQ(got.error(), errc::callback_failed);
    EXPECT_TRUE(got.error().retriable());
    EXPECT_NE(got.error().message().find("database is gone"), std::string::npos);
    operationless_turn();
    reactor->look([](auto& at) { EXPECT_TRUE(at.callbacks_finished.front().has_value()); });
}

TEST_F(consumer_test, a_listener_commits_through_its_access_or_plainly_and_the_access_expires) {
    recording_listener listener;
    subscribed(listener);
    std::optional<consumer_access> kept;
    listener.on_any = [&](consumer_access given) {
        given.commit(offsets{{orders_0, 4}});
        EXPECT_TRUE(commit_named(*state, access::root_frame, offsets{{orders_0, 5}}, 5s).has_value());
        EXPECT_EQ(poll(*state, 0ms).error(), errc::invalid_state);
        kept = given;
    };
    reactor->want_callback(boundary::callback_wanted::kind::revoked, {orders_0});
    EXPECT_TRUE(poll(*state, 0ms)->empty());
    EXPECT_EQ(kept->try_commit().error(), errc::access_expired);
    reactor->look([](auto& at) { EXPECT_EQ(at.committed.at(orders_0).offset, 5); });
}

TEST_F(consumer_test, offsets_that_nobody_could_commit_are_refused_by_the_call_itself) {
    const std::vector<offsets> wrong{{{orders_0, -1}}, {{{"orders", -1}, 5}}, {{{"", 0}, 5}}};
    for (const auto& each : wrong) {
        EXPECT_EQ(commit_named(*state, 0, each, 5s).error(), errc::invalid_argument);
        EXPECT_EQ(commit_async(*state, 0, each, {}).error(), errc::invalid_argument);
    }
    operationless_turn();
    EXPECT_TRUE(reactor->look([](auto& seen) { return seen.committed.empty(); }));
}

TEST_F(consumer_test, the_listener_hears_of_an_assignment_without_partitions) {
    recording_listener listener;
    subscribed(listener);
    reactor->want_callback(boundary::callback_wanted::kind::assigned, {});
    reactor->want_callback(boundary::callback_wanted::kind::lost, {});
    EXPECT_TRUE(poll(*state, 0ms)->empty());
    EXPECT_EQ(listener.heard, std::vector<std::string>{"assigned "}) << "and of nothing lost it does not";
    operationless_turn();
    reactor->look([](auto& at) { EXPECT_EQ(at.callbacks_finished.size(), 2U); });
}

TEST_F(consumer_test, no_listener_hears_of_anything_once_partitions_are_assigned_by_hand) {
    recording_listener listener;
    subscribed(listener);
    reactor->want_callback(boundary::callback_wanted::kind::revoked, {orders_0});
    ASSERT_TRUE(assign(*state, access::root_frame, {orders_0}).has_value());
    static_cast<void>(poll(*state, 0ms));
    operationless_turn();
    EXPECT_TRUE(listener.heard.empty());
    EXPECT_EQ(reactor->look([](auto& at) { return at.callbacks_finished.size(); }), 1U);
}

TEST_F(consumer_test, asynchronous_commits_end_in_poll_with_an_access) {
    subscribed();
    commit_result seen;
    std::thread::id ran_on;
    ASSERT_TRUE(
        commit_async(*state, 0, offsets{{orders_0, 3}}, [&](const consumer_access&, const commit_result& told_result) {
            seen = told_result;
            ran_on = std::this_thread::get_id();
        }).has_value());
    operationless_turn();
    EXPECT_EQ(ran_on, std::thread::id());
    static_cast<void>(poll(*state, 0ms));
    EXPECT_TRUE(seen);
    EXPECT_EQ(seen.committed, (offsets{{orders_0, 3}}));
    EXPECT_EQ(ran_on, std::this_thread::get_id());
}

// tickets: KAFKA-16577 (E2)
TEST_F(consumer_test, wakeup_interrupts_one_poll_also_from_another_thread) {
    subscribed();
    std::thread other([&] {
        reactor->await([](auto& at) {
            for (const auto& each : at.commands) {
                if (std::holds_alternative<command::subscribe>(each)) return true;
            }
            return false;
        });
        wakeup(*state);
    });
    EXPECT_EQ(poll(*state, std::chrono::milliseconds::max()).error(), errc::woken_up);
    other.join();
    EXPECT_TRUE(poll(*state, 0ms).has_value());
}

TEST_F(consumer_test, a_second_caller_is_refused_while_a_poll_waits) {
    subscribed();
    std::thread other([&] {
        for (;;) {
            const auto refused = commit_named(*state, 0, offsets{{orders_0, 1}}, 1s);
            if (!refused) {
                EXPECT_EQ(refused.error(), errc::concurrent_modification);
                break;
            }
        }
        wakeup(*state);
    });
    auto got = poll(*state, std::chrono::milliseconds::max());
    while (!got && got.error() == errc::concurrent_modification) got = poll(*state, std::chrono::milliseconds::max());
    EXPECT_EQ(got.error(), errc::woken_up);
    other.join();
}

TEST_F(consumer_test, a_call_that_times_out_says_what_was_waited_for) {
    subscribed();
    reactor->look([](auto& at) {
        at.keeps = [](const auto& what) { return std::holds_alternative<command::list_topics>(what); };
    });
    const auto late = list_topics(*state, 0, 1ms);
    ASSERT_FALSE(late.has_value());
    EXPECT_EQ(late.error(), errc::timed_out);
    EXPECT_TRUE(late.error().retriable());
    reactor->look([](auto& at) { at.keeps = {}; });
}

TEST_F(consumer_test, pause_keeps_back_what_was_fetched_and_resume_delivers_it) {
    subscribed();
    reactor->deliver(0, 0, {"a"});
    ASSERT_TRUE(pause(*state, 0, {orders_0}).has_value());
    EXPECT_TRUE(poll(*state, 1ms)->empty());
    EXPECT_EQ(paused(*state), partitions{orders_0});
    ASSERT_TRUE(resume(*state, 0, {orders_0}).has_value());
    EXPECT_EQ(values(polled()), std::vector<std::string>{"a"});
}

TEST_F(consumer_test, position_is_the_next_offset_that_poll_returns) {
    subscribed();
    EXPECT_EQ(position(*state, 0, orders_0, 5s), 77);
    reactor->deliver(0, 10, {"a", "b"});
    EXPECT_EQ(position(*state, 0, orders_0, 5s), 10);
    static_cast<void>(polled());
    EXPECT_EQ(position(*state, 0, orders_0, 5s), 12);
}

// tickets: B109
TEST_F(consumer_test, lag_is_unknown_without_an_assignment_and_counts_to_the_last_stable_offset) {
    EXPECT_EQ(lag(*state, orders_0), std::nullopt);
    subscribed();
    operationless_turn();
    EXPECT_EQ(lag(*state, orders_0), 8);
    make({.bootstrap_servers = "localhost:9092",
          .group_id = "billing",
          .isolation_level = isolation_level::read_uncommitted});
    subscribed();
    operationless_turn();
    EXPECT_EQ(lag(*state, orders_0), 10);
}

TEST_F(consumer_test, a_fence_of_records_at_hand_is_met_with_their_progress_at_the_next_poll) {
    subscribed();
    reactor->deliver(0, 0, {"a", "b"});
    auto held = polled();
    auto at = held.begin();
    ++at;
    reactor->fence(0);
    operationless_turn();
    reactor->look([](auto& seen) { EXPECT_TRUE(seen.fences.empty()); });
    static_cast<void>(poll(*state, 0ms));
    operationless_turn();
    reactor->look([](auto& seen) {
        EXPECT_EQ(seen.fences.size(), 1U);
        EXPECT_EQ(seen.processed.at(0), 1);
    });
}

TEST_F(consumer_test, close_tells_reading_progress_only) {
    subscribed();
    reactor->deliver(0, 0, {"a", "b"});
    auto held = polled();
    auto at = held.begin();
    ++at;
    std::int64_t told_progress = -1;
    reactor->look([&](auto& seen) {
        seen.answer = [&](const auto& what) -> std::optional<result<boundary::operation_value>> {
            if (std::holds_alternative<command::close>(what)) told_progress = seen.processed.at(0);
            return std::nullopt;
        };
    });
    EXPECT_TRUE(close(*state, 0, 5s, group_membership::by_default)->complete());
    EXPECT_EQ(told_progress, 1);
    EXPECT_EQ(poll(*state, 0ms).error(), errc::consumer_closed);
    EXPECT_TRUE(close(*state, 0, 5s, group_membership::by_default)->complete()) << "again";
}

// tickets: KAFKA-16103 (D7)
TEST_F(consumer_test, close_runs_the_listener_and_the_callbacks_of_commits_in_flight) {
    recording_listener listener;
    subscribed(listener);
    reactor->look([](auto& at) {
        at.revoke_on_leaving = true;
        at.keeps = [](const auto& what) { return std::holds_alternative<command::commit>(what); };
    });
    std::optional<error> failure;
    ASSERT_TRUE(
        commit_async(*state, 0, offsets{{orders_0, 3}}, [&](const consumer_access&, const commit_result& told_result) {
            failure = told_result.failure;
        }).has_value());
    EXPECT_TRUE(close(*state, 0, 5s, group_membership::by_default)->complete());
    EXPECT_EQ(listener.heard, std::vector<std::string>{"revoked orders-0"});
    ASSERT_TRUE(failure.has_value());
    EXPECT_EQ(*failure, errc::consumer_closed);
}

TEST_F(consumer_test, a_callback_that_commits_again_and_again_ends_with_the_reactor) {
    subscribed();
    reactor->look([&](auto& at) {
        at.keeps = [](const auto& what) { return std::holds_alternative<command::commit>(what); };
        at.answer = [&](const auto& what) -> std::optional<result<boundary::operation_value>> {
            if (std::holds_alternative<command::close>(what)) state->meeting.fail_all({errc::consumer_closed, "over"});
            return std::nullopt;
        };
    });
    int calls = 0;
    std::function<void()> commit = [&] {
        if (++calls > 100) return;
        static_cast<void>(commit_async(*state, 0, offsets{{orders_0, 3}},
                                       [&](const consumer_access&, const commit_result&) { commit(); }));
    };
    commit();
    ASSERT_TRUE(close(*state, 0, 5s, group_membership::by_default).has_value());
    EXPECT_LE(calls, 2);
}

TEST_F(consumer_test, close_returns_by_its_deadline_and_says_so) {
    subscribed();
    reactor->look(
        [](auto& at) { at.keeps = [](const auto& what) { return std::holds_alternative<command::close>(what); }; });
    const auto begun = handoff::primitives::now();
    const auto report = close(*state, 0, 20ms, group_membership::by_default);
    EXPECT_LT(handoff::primitives::now() - begun, 2s);
    ASSERT_TRUE(report.has_value());
    EXPECT_EQ(report->undone.size(), 1U);
}

TEST_F(consumer_test, close_passes_on_what_the_reactor_left_undone) {
    reactor->look([](auto& at) {
        at.answer = [](const auto& what) -> std::optional<result<boundary::operation_value>> {
            if (!std::holds_alternative<command::close>(what)) return std::nullopt;
            boundary::close_value told;
            told.uncommitted[orders_0] = offset_and_metadata(3);
            told.undone.emplace_back("leave of group billing: not answered");
            return boundary::operation_value(std::move(told));
        };
    });
    const auto report = close(*state, 0, 5s, group_membership::by_default);
    ASSERT_TRUE(report.has_value());
    EXPECT_EQ(report->undone, std::vector<std::string>{"leave of group billing: not answered"});
    EXPECT_EQ(report->uncommitted, (offsets{{orders_0, 3}}));
}

// tickets: (D11) B79
TEST_F(consumer_test, close_in_a_callback_only_requests_and_the_poll_carries_it_out) {
    recording_listener listener;
    subscribed(listener);
    listener.on_any = [&](const consumer_access&) {
        EXPECT_TRUE(close(*state, access::root_frame, 5s, group_membership::by_default)->requested_only);
    };
    reactor->want_callback(boundary::callback_wanted::kind::assigned, {orders_0});
    EXPECT_EQ(poll(*state, 5s).error(), errc::consumer_closed);
    EXPECT_TRUE(state->closed);
}

TEST_F(consumer_test, request_close_from_another_thread_ends_a_waiting_poll) {
    subscribed();
    std::thread other([&] { request_close(*state); });
    EXPECT_EQ(poll(*state, std::chrono::milliseconds::max()).error(), errc::consumer_closed);
    other.join();
}

TEST_F(consumer_test, unsubscribe_tells_the_listener_while_it_waits) {
    recording_listener listener;
    subscribed(listener);
    reactor->look([](auto& at) { at.revoke_on_leaving = true; });
    EXPECT_TRUE(unsubscribe(*state, 0, 5s).has_value());
    EXPECT_EQ(listener.heard, std::vector<std::string>{"revoked orders-0"});
    EXPECT_EQ(poll(*state, 0ms).error(), errc::invalid_state);
    reactor->look([](auto& at) { at.revoke_on_leaving = false; });
}

TEST_F(consumer_test, what_the_consumer_raised_is_no_failure_of_unsubscribe_and_told_by_the_next_poll) {
    subscribed();
    reactor->turn([](handoff::handoff& meeting) {
        meeting.notify(boundary::error_raised{error(errc::max_poll_exceeded, "late")});
    });
    EXPECT_TRUE(unsubscribe(*state, 0, 5s).has_value());
    subscribed();
    EXPECT_EQ(poll(*state, 0ms).error(), errc::max_poll_exceeded);
    EXPECT_TRUE(poll(*state, 0ms).has_value());
}

TEST_F(consumer_test, what_a_callback_changed_and_then_failed_is_no_failure_of_unsubscribe_either) {
    recording_listener listener;
    subscribed(listener);
    reactor->look([](auto& at) {
        at.revoke_on_leaving = true;
        at.answer = [](const auto& what) -> std::optional<result<boundary::operation_value>> {
            if (!std::holds_alternative<command::assign>(what)) return std::nullopt;
            return tl::unexpected(error(errc::invalid_argument, "nothing of that name"));
        };
    });
    listener.on_any = [&](consumer_access given) {
        given.assign({orders_0});
        // It has failed before the callback returns: the call that runs it finds that.
        given.list_topics(5s);
    };
    EXPECT_TRUE(unsubscribe(*state, 0, 5s).has_value());
    subscribed();
    EXPECT_EQ(poll(*state, 5s).error(), errc::invalid_argument);
    EXPECT_TRUE(poll(*state, 0ms).has_value());
    reactor->look([](auto& at) { at.revoke_on_leaving = false; });
}

TEST_F(consumer_test, polls_tell_what_was_raised_one_at_a_time_and_close_tells_the_rest) {
    subscribed();
    reactor->turn([](handoff::handoff& meeting) {
        for (const auto* what : {"first", "second", "third"}) {
            meeting.notify(boundary::error_raised{error(errc::max_poll_exceeded, what)});
        }
    });
    EXPECT_TRUE(unsubscribe(*state, 0, 5s).has_value());
    subscribed();
    EXPECT_EQ(poll(*state, 0ms).error().message(), "first");
    const auto report = close(*state, 0, 5s, group_membership::by_default);
    ASSERT_TRUE(report.has_value());
    EXPECT_EQ(report->undone, (std::vector<std::string>{"second", "third"}));
}

// tickets: (D11)
TEST_F(consumer_test, what_changes_the_assignment_in_a_callback_takes_effect_after_it) {
    recording_listener listener;
    subscribed(listener);
    reactor->look([](auto& at) {
        at.answer = [](const auto& what) -> std::optional<result<boundary::operation_value>> {
            if (!std::holds_alternative<command::assign>(what)) return std::nullopt;
            return tl::unexpected(error(errc::invalid_state, "subscribed already"));
        };
    });
    listener.on_any = [&](consumer_access given) { given.assign({orders_0}); };
    reactor->want_callback(boundary::callback_wanted::kind::assigned, {orders_0});
    auto got = poll(*state, 5s);
    EXPECT_EQ(got.error(), errc::invalid_state);
}

TEST_F(consumer_test, asks_are_passed_on_and_answered) {
    subscribed();
    EXPECT_EQ(*committed(*state, 0, {orders_0}, 5s), offsets());
    EXPECT_EQ(list_topics(*state, 0, 5s)->count("orders"), 1U);
    EXPECT_EQ(partitions_for(*state, 0, "orders", 5s)->size(), 1U);
    EXPECT_EQ(log_ends(*state, 0, log_end::end, {orders_0}, 5s)->at(orders_0), 900);
    EXPECT_EQ(assignment(*state), partitions{orders_0});
    EXPECT_EQ(group_metadata(*state).group_id, "billing");
}

// tickets: KAFKA-19394 (D8) B97
TEST_F(consumer_test, a_thread_that_is_not_to_be_had_is_an_error_of_the_construction) {
    const auto made = consumer_state::create(
        {.bootstrap_servers = "localhost:9092"},
        [](const core::boundary::core_config&, handoff::handoff&) -> std::unique_ptr<runtime> {
            throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again));
        });
    ASSERT_FALSE(made.has_value());
    EXPECT_NE(made.error().message().find("cannot start the consumer's thread"), std::string::npos);
}

TEST_F(consumer_test, construction_reports_everything_that_is_wrong_at_once) {
    const auto made = consumer_state::create({.bootstrap_servers = "localhost", .max_poll_interval = 0ms});
    ASSERT_FALSE(made.has_value());
    EXPECT_EQ(made.error(), errc::invalid_configuration);
    EXPECT_NE(made.error().message().find("bootstrap.servers"), std::string::npos);
    EXPECT_NE(made.error().message().find("max.poll.interval.ms"), std::string::npos);
}

}  // namespace
}  // namespace strandline::client::testsupport
