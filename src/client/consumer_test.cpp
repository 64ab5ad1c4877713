// The consumer's behaviour between its public calls and a reactor that does as a healthy group would.
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include <strandline/access.hpp>

#include "client/operations.hpp"
#include "client/scripted_runtime_testsupport.hpp"

namespace strandline::client {
namespace {

using namespace std::chrono_literals;
using testsupport::scripted_runtime;
namespace boundary = core::boundary;
namespace command = core::boundary::command;

const topic_partition orders_0{"orders", 0};

struct recording_listener : rebalance_listener {
    void on_assigned(consumer_access given, const partitions& added) override {
        heard.push_back("assigned " + to_string(added));
        if (on_any) on_any(std::move(given));
    }
    void on_revoked(consumer_access given, const partitions& leaving) override {
        heard.push_back("revoked " + to_string(leaving));
        if (on_any) on_any(std::move(given));
    }
    std::vector<std::string> heard;
    std::function<void(consumer_access)> on_any;
};

class consumer_test : public testing::Test {
protected:
    consumer_test() { make({.bootstrap_servers = "localhost:9092", .group_id = "billing"}); }
    ~consumer_test() override {
        static_cast<void>(close(*state, access::root_frame, 5s, group_membership::by_default));
    }

    void make(consumer_config config) {
        if (state) static_cast<void>(close(*state, access::root_frame, 5s, group_membership::by_default));
        state = *consumer_state::create(config, [this](const core::boundary::core_config&, handoff::handoff& meeting) {
            auto made = std::make_unique<scripted_runtime>(meeting);
            reactor = made.get();
            return made;
        });
    }
    // Assigned by a group, one partition.
    void subscribed(listener_handle listener = {}) {
        ASSERT_TRUE(
            subscribe(*state, 0, command::subscribe{{"orders"}, {}, {}, false}, std::move(listener)).has_value());
        reactor->assign(0, orders_0);
    }
    polled_records polled() {
        auto got = poll(*state, 5s);
        EXPECT_TRUE(got.has_value()) << (got ? "" : got.error().message());
        return got ? std::move(*got) : polled_records();
    }
    std::vector<std::string> values(polled_records&& from) {
        std::vector<std::string> all;
        for (const auto& each : from) all.emplace_back(each.value_text().value_or("null"));
        return all;
    }
    std::int64_t committed_now() {
        EXPECT_TRUE(commit_processed(*state, 0, 5s).has_value());
        return reactor->look([](auto& at) { return at.processed.contains(0) ? at.processed.at(0) : -1; });
    }
    std::int64_t told() {
        operationless_turn();
        return reactor->look([](auto& at) { return at.processed.contains(0) ? at.processed.at(0) : -1; });
    }
    // Has the reactor collect what was folded.
    void operationless_turn() { EXPECT_TRUE(list_topics(*state, 0, 5s).has_value()); }

    std::shared_ptr<consumer_state> state;
    scripted_runtime* reactor = nullptr;
};

TEST_F(consumer_test, poll_returns_records_with_all_their_parts) {
    subscribed();
    reactor->deliver(0, 7, {"one", "two"});
    auto got = polled();
    std::vector<owned_record> all;
    for (const auto& each : got) all.push_back(each.to_owned());
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[1].partition, orders_0);
    EXPECT_EQ(all[1].offset, 8);
    EXPECT_EQ(all[1].leader_epoch, 5);
    EXPECT_EQ(all[1].timestamp.time_since_epoch(), 1000ms);
    EXPECT_EQ(all[1].timestamp_type, timestamp_type::create_time);
    EXPECT_EQ(as_text(bytes(*all[1].value)), "two");
}

TEST_F(consumer_test, a_second_pass_over_the_same_records_sees_them_again) {
    subscribed();
    reactor->deliver(0, 0, {"a", "b", "c"}, records::compression_codec::zstd);
    auto got = polled();
    EXPECT_FALSE(got.empty());
    int count = 0;
    for (int pass = 0; pass < 2; ++pass) {
        for (const auto& each : got) count += each.offset() >= 0 ? 1 : 0;
    }
    EXPECT_EQ(count, 6);
}

TEST_F(consumer_test, poll_returns_empty_at_its_timeout) {
    subscribed();
    EXPECT_TRUE(poll(*state, 1ms)->empty());
}

TEST_F(consumer_test, poll_needs_something_to_poll) { EXPECT_EQ(poll(*state, 1ms).error(), errc::invalid_state); }

TEST_F(consumer_test, commit_covers_what_iteration_has_moved_past) {
    subscribed();
    reactor->deliver(0, 0, {"a", "b", "c"});
    auto got = polled();
    auto at = got.begin();
    ++at;
    EXPECT_EQ(committed_now(), 1);
    ++at;
    EXPECT_EQ(committed_now(), 2);
    ++at;
    EXPECT_EQ(committed_now(), 3);
}

TEST_F(consumer_test, commit_of_a_record_covers_it_too_and_fails_once_it_was_sought) {
    recording_listener listener;
    subscribed(listener);
    reactor->deliver(0, 0, {"a", "b", "c"});
    auto got = polled();
    auto at = got.begin();
    ++at;
    listener.on_any = [&](consumer_access given) {
        given.commit(*at);
        EXPECT_EQ(reactor->look([](auto& seen) { return seen.committed.at(orders_0).offset; }), 2);
        given.seek(orders_0, 0);
        EXPECT_EQ(given.try_commit(*at).error(), errc::commit_failed);
    };
    reactor->want_callback(boundary::callback_wanted::kind::revoked, {orders_0});
    EXPECT_TRUE(poll(*state, 0ms)->empty());
    EXPECT_EQ(listener.heard.size(), 1U);
}

TEST_F(consumer_test, an_exception_or_a_break_never_commits_what_was_not_handled) {
    subscribed();
    reactor->deliver(0, 0, {"a", "b", "c"});
    try {
        for (const auto& each : polled()) {
            if (each.offset() == 1) throw std::runtime_error("cannot handle b");
        }
    } catch (const std::runtime_error&) {
    }
    EXPECT_EQ(committed_now(), 1);
}

TEST_F(consumer_test, the_next_poll_counts_what_is_no_longer_held) {
    subscribed();
    reactor->deliver(0, 0, {"a", "b", "c"});
    {
        auto dropped = polled();
    }
    EXPECT_EQ(committed_now(), 0);
    static_cast<void>(poll(*state, 0ms));
    EXPECT_EQ(told(), 3);
}

TEST_F(consumer_test, what_is_still_held_counts_only_as_far_as_read_and_holds_up_what_came_later) {
    subscribed();
    reactor->deliver(0, 0, {"a", "b", "c"});
    auto held = polled();
    auto at = held.begin();
    ++at;
    reactor->deliver(0, 3, {"d"});
    EXPECT_EQ(values(polled()), std::vector<std::string>{"d"});
    static_cast<void>(poll(*state, 0ms));
    EXPECT_EQ(told(), 1);
    ++at;
    ++at;
    static_cast<void>(poll(*state, 0ms));
    EXPECT_EQ(told(), 4);
}

TEST_F(consumer_test, parts_are_decoded_on_another_thread_and_count_as_far_as_they_are_read_there) {
    subscribed();
    reactor->deliver(0, 0, {"a", "b"}, records::compression_codec::lz4);
    auto parts = polled().by_partition();
    ASSERT_EQ(parts.size(), 1U);
    EXPECT_EQ(parts.front().topic_partition(), orders_0);
    std::thread([&, part = std::move(parts.front())]() mutable {
        int count = 0;
        for (const auto& each : part) count += each.value() ? 1 : 0;
        EXPECT_EQ(count, 2);
    }).join();
    EXPECT_EQ(committed_now(), 2);
}

TEST_F(consumer_test, records_outlive_the_consumer) {
    subscribed();
    reactor->deliver(0, 0, {"a"}, records::compression_codec::zstd);
    auto got = polled();
    static_cast<void>(close(*state, 0, 5s, group_membership::by_default));
    state.reset();
    for (const auto& each : got) EXPECT_EQ(each.value_text(), "a");
    make({.bootstrap_servers = "localhost:9092", .group_id = "billing"});
}

TEST_F(consumer_test, max_poll_records_cuts_a_batch_and_loses_nothing) {
    make({.bootstrap_servers = "localhost:9092", .group_id = "billing", .max_poll_records = 2});
    for (const auto codec : {records::compression_codec::none, records::compression_codec::lz4}) {
        subscribed();
        ASSERT_TRUE(seek(*state, 0, orders_0, offset_and_metadata(0)).has_value());
        reactor->deliver(0, 0, {"a", "b", "c", "d", "e"}, codec);
        EXPECT_EQ(values(polled()), (std::vector<std::string>{"a", "b"}));
        EXPECT_EQ(values(polled()), (std::vector<std::string>{"c", "d"}));
        EXPECT_EQ(position(*state, 0, orders_0, 5s), 4);
        EXPECT_EQ(values(polled()), (std::vector<std::string>{"e"}));
    }
}

TEST_F(consumer_test, a_stretch_that_was_cut_is_read_right_although_the_one_before_was_not) {
    make({.bootstrap_servers = "localhost:9092", .group_id = "billing", .max_poll_records = 2});
    subscribed();
    reactor->deliver(0, 0, {"a", "b", "c"}, records::compression_codec::gzip);
    auto unread = polled();
    EXPECT_EQ(values(polled()), std::vector<std::string>{"c"});
    EXPECT_EQ(values(std::move(unread)), (std::vector<std::string>{"a", "b"}));
}

TEST_F(consumer_test, control_records_move_the_mark_without_ending_a_poll) {
    subscribed();
    reactor->deliver_bytes(0, 0, 1, records::make_transaction_marker(records::control_record_type::commit, 0, 9, 0));
    EXPECT_TRUE(poll(*state, 1ms)->empty());
    EXPECT_EQ(told(), 1);
}

TEST_F(consumer_test, a_bad_batch_ends_its_partition_with_an_error_that_is_told_once) {
    subscribed();
    records::batch_builder builder({.codec = records::compression_codec::zstd});
    builder.append({.timestamp = 0, .key = {}, .value = base::as_bytes("fine"), .headers = {}});
    const auto good = builder.build();
    std::vector<std::byte> bad(good.view().begin(), good.view().end());
    bad[bad.size() - 3] ^= std::byte{0xff};
    reactor->deliver_bytes(0, 0, 1, base::shared_bytes::copy_of(bad));
    {
        auto got = polled();
        for (const auto& each : got) ADD_FAILURE() << each.offset();
    }
    const auto second = poll(*state, 0ms);
    ASSERT_FALSE(second.has_value());
    EXPECT_EQ(second.error(), errc::corrupt_record);
    EXPECT_EQ(second.error().about().partition, orders_0);
    EXPECT_EQ(second.error().about().offset, 0);
    reactor->deliver(0, 1, {"behind"});
    EXPECT_TRUE(poll(*state, 1ms)->empty());
    EXPECT_EQ(committed_now(), 0);
    ASSERT_TRUE(seek(*state, 0, orders_0, offset_and_metadata(1)).has_value());
    reactor->deliver(0, 1, {"behind"});
    EXPECT_EQ(values(polled()), std::vector<std::string>{"behind"});
}

TEST_F(consumer_test, an_error_that_was_looked_at_is_not_reported_by_the_next_poll) {
    subscribed();
    error_subject about;
    about.partition = orders_0;
    reactor->deliver_bytes(0, 0, 0, {}, error(errc::corrupt_record, "bad checksum", about));
    auto got = polled();
    ASSERT_EQ(got.errors().size(), 1U);
    EXPECT_EQ(got.errors().front().partition, orders_0);
    EXPECT_TRUE(poll(*state, 0ms).has_value());
}

TEST_F(consumer_test, next_offsets_tell_the_position_behind_what_was_returned) {
    subscribed();
    reactor->deliver(0, 4, {"a", "b"});
    EXPECT_EQ(polled().next_offsets(), (offsets{{orders_0, {6, 5}}}));
}

TEST_F(consumer_test, listeners_run_in_poll_on_its_thread_before_records_of_their_partitions) {
    recording_listener listener;
    subscribed(listener);
    std::thread::id ran_on;
    listener.on_any = [&](consumer_access) { ran_on = std::this_thread::get_id(); };
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

TEST_F(consumer_test, a_listener_that_throws_fails_the_poll_and_the_change_goes_on) {
    recording_listener listener;
    subscribed(listener);
    listener.on_any = [](consumer_access) { throw std::runtime_error("database is gone"); };
    reactor->want_callback(boundary::callback_wanted::kind::revoked, {orders_0});
    const auto got = poll(*state, 1s);
    ASSERT_FALSE(got.has_value());
    EXPECT_EQ(got.error(), errc::callback_failed);
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

TEST_F(consumer_test, asynchronous_commits_end_in_poll_with_an_access) {
    subscribed();
    commit_result seen;
    std::thread::id ran_on;
    ASSERT_TRUE(commit_async(*state, 0, offsets{{orders_0, 3}}, [&](consumer_access, const commit_result& told_result) {
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

TEST_F(consumer_test, close_runs_the_listener_and_the_callbacks_of_commits_in_flight) {
    recording_listener listener;
    subscribed(listener);
    reactor->look([](auto& at) {
        at.revoke_on_leaving = true;
        at.keeps = [](const auto& what) { return std::holds_alternative<command::commit>(what); };
    });
    std::optional<error> failure;
    ASSERT_TRUE(commit_async(*state, 0, offsets{{orders_0, 3}}, [&](consumer_access, const commit_result& told_result) {
                    failure = told_result.failure;
                }).has_value());
    EXPECT_TRUE(close(*state, 0, 5s, group_membership::by_default)->complete());
    EXPECT_EQ(listener.heard, std::vector<std::string>{"revoked orders-0"});
    ASSERT_TRUE(failure.has_value());
    EXPECT_EQ(*failure, errc::consumer_closed);
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

TEST_F(consumer_test, close_in_a_callback_only_requests_and_the_poll_carries_it_out) {
    recording_listener listener;
    subscribed(listener);
    listener.on_any = [&](consumer_access) {
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
    EXPECT_EQ(list_offsets(*state, 0, "end_offsets", {{orders_0, -1}}, 5s)->at(orders_0)->offset, 900);
    EXPECT_EQ(assignment(*state), partitions{orders_0});
    EXPECT_EQ(group_metadata(*state).group_id, "billing");
}

TEST_F(consumer_test, construction_reports_everything_that_is_wrong_at_once) {
    const auto made = consumer_state::create({.bootstrap_servers = "localhost", .max_poll_interval = 0ms});
    ASSERT_FALSE(made.has_value());
    EXPECT_EQ(made.error(), errc::invalid_configuration);
    EXPECT_NE(made.error().message().find("bootstrap.servers"), std::string::npos);
    EXPECT_NE(made.error().message().find("max.poll.interval.ms"), std::string::npos);
}

}  // namespace
}  // namespace strandline::client
