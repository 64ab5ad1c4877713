// The same calls, awaited: no thread is blocked, and nothing happens that the test's scheduler has not run.
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <strandline/coroutine.hpp>

#include "client/coroutine_testsupport.hpp"

namespace strandline::client::testsupport {
namespace {

std::vector<std::string> values(polled_records& from) {
    std::vector<std::string> all;
    for (const auto& each : from) all.emplace_back(each.value_text().value_or("null"));
    return all;
}

std::map<topic_partition, coroutine_calls::time_point> at_time(const topic_partition& partition,
                                                               std::chrono::milliseconds time) {
    return {{partition, coroutine_calls::time_point(time)}};
}

task poll_into(coroutine_consumer& consumer, std::chrono::milliseconds wait,
               std::optional<result<polled_records>>& into) {
    into.emplace(co_await consumer.try_poll(wait));
}

struct told_listener : coroutine_listener {
    callback_task on_assigned(coroutine_access access, const partitions& added) override {
        return tell("assigned " + to_string(added), std::move(access));
    }
    callback_task on_revoked(coroutine_access access, const partitions& leaving) override {
        return tell("revoked " + to_string(leaving), std::move(access));
    }
    callback_task tell(std::string what, coroutine_access access) {
        heard.push_back(what);
        if (body) co_await body(std::move(access));
        heard.push_back(what + ", done");
    }
    std::vector<std::string> heard;
    std::function<awaitable<void>(coroutine_access)> body;
};

TEST_F(coroutine_test, a_poll_returns_what_was_delivered_while_it_waited) {
    subscribed();
    std::optional<result<polled_records>> got;
    const auto polling = poll_into(consumer, 10s, got);
    scheduler.run_ready();
    EXPECT_FALSE(got.has_value());
    reactor->deliver(0, 0, {"a", "b"});
    scheduler.run_until([&] { return got.has_value(); });
    EXPECT_EQ(values(**got), (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(scheduler.timers(), 0U) << "no deadline is left behind";
}

// Does something between the look of a poll and its wait.
struct interfering_probe final : call_probe {
    void on_looked(handoff::poll_offer::kind found) override {
        if (found == handoff::poll_offer::kind::nothing && then) std::exchange(then, nullptr)();
    }
    void on_waits(std::uint64_t) override {}
    void on_resumed(resumed, std::uint64_t) override {}
    void on_returning(const std::vector<handoff::fetched_piece>&) override {}
    void on_passed_over(const std::vector<handoff::fetched_piece>&) override {}
    void on_callback_begins(core::boundary::callback_id, const wanted_callback&) override {}
    void on_callback_ended(core::boundary::callback_id, bool) override {}
    std::function<void()> then;
};

TEST_F(coroutine_test, a_poll_does_not_wait_for_what_came_between_its_look_and_its_wait) {
    subscribed();
    interfering_probe probe;
    probe.then = [&] { reactor->deliver(0, 0, {"a"}); };
    // Until the poll is gone, however that ends.
    const std::unique_ptr<consumer_state, void (*)(consumer_state*)> looked_at(
        &state(), [](consumer_state* at) { at->probe = nullptr; });
    state().probe = &probe;
    std::optional<result<polled_records>> got;
    const auto polling = poll_into(consumer, 10s, got);
    scheduler.run_ready();
    ASSERT_TRUE(got.has_value());
    EXPECT_EQ(values(**got), std::vector<std::string>{"a"});
}

TEST_F(coroutine_test, records_are_iterated_straight_out_of_the_awaited_poll) {
    subscribed();
    reactor->deliver(0, 0, {"a"});
    std::vector<std::string> seen;
    finish([](coroutine_test& self, coroutine_consumer& from, std::vector<std::string>& into) -> task {
        static_cast<void>(self);
        for (const auto& each : co_await from.poll(10s)) into.emplace_back(*each.value_text());
    }(*this, consumer, seen));
    EXPECT_EQ(seen, std::vector<std::string>{"a"});
}

TEST_F(coroutine_test, a_poll_ends_empty_at_its_deadline_by_the_clock_it_was_given) {
    subscribed();
    std::optional<result<polled_records>> got;
    const auto begun = clock.now();
    const auto polling = poll_into(consumer, 10s, got);
    scheduler.run_ready();
    ASSERT_EQ(scheduler.times(), std::vector<base::instant>{begun + 10s});
    scheduler.run_next_timer();
    ASSERT_TRUE(got.has_value());
    EXPECT_TRUE((*got)->empty());
}

TEST_F(coroutine_test, even_a_poll_without_time_is_resumed_by_the_scheduler) {
    subscribed();
    std::optional<result<polled_records>> got;
    const auto polling = poll_into(consumer, 0ms, got);
    EXPECT_FALSE(got.has_value()) << "others have their turn first";
    scheduler.run_ready();
    EXPECT_TRUE(got.has_value());
}

TEST_F(coroutine_test, wakeup_interrupts_one_poll) {
    subscribed();
    std::optional<result<polled_records>> first;
    const auto polling = poll_into(consumer, 10s, first);
    scheduler.run_ready();
    consumer.wakeup();
    scheduler.run_ready();
    ASSERT_TRUE(first.has_value());
    EXPECT_EQ(first->error(), errc::woken_up);
    std::optional<result<polled_records>> second;
    const auto again = poll_into(consumer, 0ms, second);
    scheduler.run_ready();
    EXPECT_TRUE(second->has_value());
}

TEST_F(coroutine_test, the_plain_calls_throw_what_the_others_return) {
    finish([](coroutine_consumer& from) -> task {
        try {
            co_await from.poll(1s);
            ADD_FAILURE();
        } catch (const exception& thrown) {
            EXPECT_EQ(thrown.reason(), errc::invalid_state);
        }
        EXPECT_EQ((co_await from.try_poll(1s)).error(), errc::invalid_state);
    }(consumer));
}

TEST_F(coroutine_test, a_commit_is_awaited_and_covers_what_was_processed) {
    subscribed();
    reactor->deliver(0, 0, {"a", "b", "c"});
    finish([](coroutine_consumer& from) -> task {
        auto records = co_await from.poll(1s);
        auto at = records.begin();
        ++at;
        ++at;
        co_await from.commit();
    }(consumer));
    reactor->look([&](auto& at) { EXPECT_EQ(at.committed.at(orders_0).offset, 2); });
}

TEST_F(coroutine_test, every_question_is_answered) {
    subscribed();
    finish([](coroutine_consumer& from, topic_partition partition) -> task {
        co_await from.commit(at(partition, 3));
        EXPECT_EQ((co_await from.committed(only(partition))).at(partition).offset, 3);
        EXPECT_EQ(co_await from.position(partition), 77);
        EXPECT_EQ((co_await from.beginning_offsets(only(partition))).at(partition), 3);
        EXPECT_EQ((co_await from.end_offsets(only(partition))).at(partition), 900);
        EXPECT_EQ((co_await from.offsets_for_times(at_time(partition, 5ms))).size(), 1U);
        EXPECT_EQ((co_await from.try_offsets_for_times(at_time(partition, -5ms))).error(), errc::invalid_argument);
        EXPECT_EQ((co_await from.partitions_for("orders")).size(), 1U);
        EXPECT_EQ((co_await from.list_topics()).size(), 1U);
        co_await from.seek(partition, 5);
        co_await from.seek_to_beginning();
        co_await from.seek_to_end();
        co_await from.pause(only(partition));
        EXPECT_EQ(from.paused(), only(partition));
        co_await from.resume(only(partition));
        EXPECT_EQ(from.assignment(), only(partition));
    }(consumer, orders_0));
}

// g++ 12 destroys an aggregate twice that an awaited call is given.
TEST_F(coroutine_test, what_a_call_takes_may_be_made_where_it_is_awaited) {
    subscribed();
    finish([](coroutine_consumer& from) -> task {
        co_await from.seek({"orders", 0}, {5, 3, "text that is too long to be kept within its string"});
        EXPECT_EQ(co_await from.position({"orders", 0}), 77);
        EXPECT_TRUE(co_await from.try_seek({"a name that is too long to be kept within its string", 0}, 5));
    }(consumer));
}

TEST_F(coroutine_test, a_call_that_times_out_says_so_and_the_reactor_hears_of_it) {
    reactor->look([](auto& at) {
        at.keeps = [](const auto& what) { return std::holds_alternative<command::list_topics>(what); };
    });
    std::optional<error> failure;
    const auto asking = [](coroutine_consumer& from, std::optional<error>& into) -> task {
        into = (co_await from.try_list_topics(2s)).error();
    }(consumer, failure);
    scheduler.run_ready();
    scheduler.run_next_timer();
    ASSERT_TRUE(failure.has_value());
    EXPECT_EQ(*failure, errc::timed_out);
    reactor->await(
        [](auto& at) { return !at.commands.empty() && std::holds_alternative<command::cancel>(at.commands.back()); });
}

TEST_F(coroutine_test, a_second_call_beside_a_poll_is_refused) {
    subscribed();
    std::optional<result<polled_records>> got;
    const auto polling = poll_into(consumer, 10s, got);
    scheduler.run_ready();
    finish([](coroutine_consumer& from) -> task {
        EXPECT_EQ((co_await from.try_commit()).error(), errc::concurrent_modification);
    }(consumer));
    EXPECT_FALSE(got.has_value());
}

TEST_F(coroutine_test, a_listener_that_is_a_coroutine_commits_before_the_revocation_goes_on) {
    told_listener listener;
    listener.body = [&](coroutine_access access) { return access.commit(at(orders_0, 4)); };
    subscribed(listener);
    reactor->look(
        [](auto& at) { at.keeps = [](const auto& what) { return std::holds_alternative<command::commit>(what); }; });
    std::optional<result<polled_records>> got;
    const auto polling = poll_into(consumer, 10s, got);
    reactor->want_callback(boundary::callback_wanted::kind::revoked, {orders_0});
    scheduler.run_until([&] { return !listener.heard.empty(); });
    scheduler.run_ready();
    reactor->await([](auto& at) { return !at.kept.empty(); });
    scheduler.run_ready();
    EXPECT_EQ(listener.heard, std::vector<std::string>{"revoked orders-0"}) << "the commit is under way";
    reactor->look([](auto& at) { EXPECT_TRUE(at.callbacks_finished.empty()); });

    reactor->turn([&](handoff::handoff& meeting) {
        meeting.complete({reactor->kept.front(), boundary::operation_value(boundary::done())});
    });
    scheduler.run_ready();
    EXPECT_EQ(listener.heard.back(), "revoked orders-0, done");
    reactor->await([](auto& at) { return at.callbacks_finished.size() == 1U; });
    EXPECT_FALSE(got.has_value()) << "the poll goes on";
}

TEST_F(coroutine_test, a_listener_that_throws_fails_the_poll_and_the_change_goes_on) {
    struct : coroutine_listener {
        callback_task on_revoked(coroutine_access access, const partitions&) override {
            co_await access.commit(offsets());
            throw std::runtime_error("database is gone");
        }
    } listener;
    subscribed(listener);
    reactor->want_callback(boundary::callback_wanted::kind::lost, {orders_0});
    std::optional<result<polled_records>> got;
    const auto polling = poll_into(consumer, 10s, got);
    scheduler.run_until([&] { return got.has_value(); });
    EXPECT_EQ(got->error(), errc::callback_failed);
    EXPECT_TRUE(got->error().retriable());
    EXPECT_NE(got->error().message().find("on_lost threw: database is gone"), std::string::npos);
    reactor->await([](auto& at) { return at.callbacks_finished.size() == 1U; });
    reactor->look([](auto& at) { EXPECT_TRUE(at.callbacks_finished.front().has_value()); });
}

TEST_F(coroutine_test, calls_through_one_access_queue_and_the_access_expires) {
    struct keeping : coroutine_listener {
        callback_task on_assigned(coroutine_access access, const partitions&) override {
            kept.emplace(access);
            // Two coroutines at once, through the same access.
            const auto ask = [](coroutine_access through, int& count) -> task {
                co_await through.list_topics();
                ++count;
            };
            asking.push_back(ask(access, answered));
            asking.push_back(ask(access, answered));
            co_await access.list_topics();
            ++answered;
        }
        std::optional<coroutine_access> kept;
        std::vector<task> asking;
        int answered = 0;
    } listener;
    subscribed(listener);
    reactor->want_callback(boundary::callback_wanted::kind::assigned, {orders_0});
    reactor->deliver(0, 0, {"a"});
    std::optional<result<polled_records>> got;
    const auto polling = poll_into(consumer, 10s, got);
    scheduler.run_until([&] { return got.has_value(); });
    EXPECT_TRUE(got->has_value());
    EXPECT_EQ(listener.answered, 3);
    finish([](coroutine_access& late) -> task {
        EXPECT_EQ((co_await late.try_commit()).error(), errc::access_expired);
    }(*listener.kept));
}

TEST_F(coroutine_test, a_callback_that_ends_while_a_call_through_its_access_runs_is_awaited) {
    struct keeping : coroutine_listener {
        callback_task on_assigned(coroutine_access access, const partitions&) override {
            asking.push_back([](coroutine_access through, bool& over) -> task {
                co_await through.list_topics();
                over = true;
            }(access, answered));
            co_return;
        }
        std::vector<task> asking;
        bool answered = false;
    } listener;
    subscribed(listener);
    reactor->look([](auto& at) {
        at.keeps = [](const auto& what) { return std::holds_alternative<command::list_topics>(what); };
    });
    reactor->want_callback(boundary::callback_wanted::kind::assigned, {orders_0});
    std::optional<result<polled_records>> got;
    const auto polling = poll_into(consumer, 0ms, got);
    scheduler.run_ready();
    // It had only been made when the callback ended: it does not get in any more.
    EXPECT_TRUE(listener.asking.front().has_ended());
    EXPECT_FALSE(listener.answered);
    EXPECT_TRUE(got.has_value());
}

TEST_F(coroutine_test, asynchronous_commits_end_in_a_poll_with_a_callback_that_may_wait) {
    subscribed();
    std::vector<std::string> heard;
    finish([](coroutine_consumer& from, topic_partition partition, std::vector<std::string>& into) -> task {
        co_await from.commit_async(at(partition, 3),
                                   [&](coroutine_access access, const commit_result& told) -> callback_task {
                                       into.emplace_back(told ? "committed" : told.failure->message());
                                       co_await access.list_topics();
                                       into.emplace_back("listed");
                                   });
        while (into.size() < 2) co_await from.poll(0ms);
    }(consumer, orders_0, heard));
    EXPECT_EQ(heard, (std::vector<std::string>{"committed", "listed"}));
}

TEST_F(coroutine_test, close_runs_the_listener_while_it_waits_and_the_consumer_is_closed) {
    told_listener listener;
    listener.body = [&](coroutine_access access) { return access.commit(at(orders_0, 4)); };
    subscribed(listener);
    reactor->look([](auto& at) { at.revoke_on_leaving = true; });
    finish([](coroutine_consumer& from) -> task {
        const auto report = co_await from.close(5s);
        EXPECT_TRUE(report.complete());
        EXPECT_EQ((co_await from.try_poll(1s)).error(), errc::consumer_closed);
        EXPECT_TRUE((co_await from.close()).complete()) << "again";
    }(consumer));
    EXPECT_EQ(listener.heard, (std::vector<std::string>{"revoked orders-0", "revoked orders-0, done"}));
}

TEST_F(coroutine_test, unsubscribe_runs_the_listener_while_it_waits) {
    told_listener listener;
    subscribed(listener);
    reactor->look([](auto& at) { at.revoke_on_leaving = true; });
    finish([](coroutine_consumer& from) -> task { co_await from.unsubscribe(); }(consumer));
    EXPECT_EQ(listener.heard.size(), 2U);
}

TEST_F(coroutine_test, request_close_in_a_callback_is_carried_out_by_the_poll) {
    struct : coroutine_listener {
        callback_task on_assigned(coroutine_access access, const partitions&) override {
            access.request_close();
            co_return;
        }
    } listener;
    subscribed(listener);
    reactor->want_callback(boundary::callback_wanted::kind::assigned, {orders_0});
    std::optional<result<polled_records>> got;
    const auto polling = poll_into(consumer, 10s, got);
    scheduler.run_until([&] { return got.has_value(); });
    EXPECT_EQ(got->error(), errc::consumer_closed);
}

TEST_F(coroutine_test, what_changes_the_assignment_in_a_callback_takes_effect_after_it) {
    told_listener listener;
    listener.body = [&](coroutine_access access) { return access.assign(only(orders_0)); };
    subscribed(listener);
    reactor->look([](auto& at) {
        at.answer = [](const auto& what) -> std::optional<result<boundary::operation_value>> {
            if (!std::holds_alternative<command::assign>(what)) return std::nullopt;
            return tl::unexpected(error(errc::invalid_state, "subscribed already"));
        };
    });
    reactor->want_callback(boundary::callback_wanted::kind::assigned, {orders_0});
    std::optional<result<polled_records>> got;
    const auto polling = poll_into(consumer, 10s, got);
    scheduler.run_until([&] { return got.has_value(); });
    EXPECT_EQ(got->error(), errc::invalid_state);
}

TEST_F(coroutine_test, destroying_a_coroutine_that_polls_loses_nothing_and_lets_others_in) {
    subscribed();
    {
        std::optional<result<polled_records>> never;
        const auto polling = poll_into(consumer, 10s, never);
        scheduler.run_ready();
    }
    EXPECT_EQ(scheduler.timers(), 0U);
    reactor->deliver(0, 0, {"a"});
    std::optional<result<polled_records>> got;
    const auto polling = poll_into(consumer, 10s, got);
    scheduler.run_until([&] { return got.has_value(); });
    EXPECT_EQ(values(**got), std::vector<std::string>{"a"});
}

TEST_F(coroutine_test, destroying_a_coroutine_whose_records_have_come_but_were_not_taken_loses_nothing) {
    subscribed();
    {
        std::optional<result<polled_records>> never;
        const auto polling = poll_into(consumer, 10s, never);
        scheduler.run_ready();
        reactor->deliver(0, 0, {"a"});
    }
    scheduler.run_ready();
    std::optional<result<polled_records>> got;
    const auto polling = poll_into(consumer, 10s, got);
    scheduler.run_until([&] { return got.has_value(); });
    EXPECT_EQ(values(**got), std::vector<std::string>{"a"});
}

TEST_F(coroutine_test, destroying_a_coroutine_that_commits_tells_the_reactor) {
    subscribed();
    reactor->look(
        [](auto& at) { at.keeps = [](const auto& what) { return std::holds_alternative<command::commit>(what); }; });
    {
        const auto committing = [](coroutine_consumer& from, offsets named) -> task {
            co_await from.commit(std::move(named));
        }(consumer, at(orders_0, 4));
        scheduler.run_ready();
    }
    reactor->await(
        [](auto& at) { return !at.commands.empty() && std::holds_alternative<command::cancel>(at.commands.back()); });
}

TEST_F(coroutine_test, destroying_a_poll_inside_a_callback_ends_the_callback_and_the_change_goes_on) {
    told_listener listener;
    listener.body = [&](coroutine_access access) { return access.commit(at(orders_0, 4)); };
    subscribed(listener);
    reactor->look(
        [](auto& at) { at.keeps = [](const auto& what) { return std::holds_alternative<command::commit>(what); }; });
    reactor->want_callback(boundary::callback_wanted::kind::revoked, {orders_0});
    {
        std::optional<result<polled_records>> never;
        const auto polling = poll_into(consumer, 10s, never);
        scheduler.run_until([&] { return !listener.heard.empty(); });
        scheduler.run_ready();
    }
    reactor->await([](auto& at) { return at.callbacks_finished.size() == 1U; });
    reactor->look([](auto& at) { EXPECT_EQ(*at.callbacks_finished.front(), errc::callback_failed); });
    std::optional<result<polled_records>> got;
    const auto polling = poll_into(consumer, 0ms, got);
    scheduler.run_ready();
    EXPECT_TRUE(got->has_value()) << "nothing is left at the gate";
}

TEST_F(coroutine_test, a_consumer_may_go_while_a_call_of_it_is_awaited) {
    subscribed();
    std::optional<result<polled_records>> got;
    {
        const auto polling = poll_into(consumer, 10s, got);
        scheduler.run_ready();
        auto gone = std::move(consumer);
    }
    EXPECT_FALSE(got.has_value());
    EXPECT_EQ(scheduler.timers(), 0U);
}

}  // namespace
}  // namespace strandline::client::testsupport
