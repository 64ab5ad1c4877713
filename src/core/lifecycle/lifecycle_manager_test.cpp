#include "core/lifecycle/lifecycle_manager.hpp"

#include <gtest/gtest.h>

namespace strandline::core::lifecycle {
namespace {

using namespace std::chrono_literals;
using exchange::close_stage;

constexpr exchange::turn_time at(base::duration since_start) { return {base::instant(100s) + since_start, {}}; }

struct closing_consumer {
    boundary::core_config config;
    base::seeded_random random{1};
    exchange::id_source ids;
    kernel::fact_queue<exchange::fact> facts;
    kernel::view_log views;
    lifecycle_manager manager{{config, random, ids, facts, views}};

    void close(base::duration timeout, std::uint64_t token = 1) {
        manager.on_command({}, boundary::operation_token(token), at(0s).now + timeout, at(0s));
    }
    close_stage stage() const { return manager.view_source().get().stage; }
    void finish(kernel::manager_index who, const exchange::stage_finished& report) {
        manager.on_stage_finished(who, report, at(0s));
    }
    std::optional<boundary::close_value> closed(exchange::turn_time time) {
        const auto answer = manager.plan(time);
        if (!answer.is_progress()) return std::nullopt;
        const auto& done = std::get<boundary::completion>(answer.outputs().at(0));
        return std::get<boundary::close_value>(*done.outcome);
    }
};

TEST(lifecycle_manager, walks_the_stages_in_order_as_their_managers_finish) {
    closing_consumer consumer;
    consumer.close(5s);
    EXPECT_EQ(consumer.stage(), close_stage::commit);
    consumer.finish(exchange::manager::commit, {close_stage::commit});
    EXPECT_EQ(consumer.stage(), close_stage::callbacks);
    consumer.finish(exchange::manager::membership, {close_stage::callbacks});
    consumer.finish(exchange::manager::commit, {close_stage::commit_more});
    EXPECT_EQ(consumer.stage(), close_stage::leave);
    consumer.finish(exchange::manager::membership, {close_stage::leave});
    consumer.finish(exchange::manager::fetch, {close_stage::drain});
    EXPECT_TRUE(consumer.manager.stopped());
    EXPECT_TRUE(consumer.closed(at(0s))->undone.empty());
}

TEST(lifecycle_manager, a_report_of_another_stage_or_manager_changes_nothing) {
    closing_consumer consumer;
    consumer.close(5s);
    consumer.finish(exchange::manager::membership, {close_stage::commit});
    consumer.finish(exchange::manager::commit, {close_stage::commit_more});
    EXPECT_EQ(consumer.stage(), close_stage::commit);
}

TEST(lifecycle_manager, ends_by_its_deadline_when_no_stage_finishes_and_says_what_was_left) {
    closing_consumer consumer;
    consumer.close(5s);
    auto now = at(0s);
    for (int turns = 0; turns < 10 && !consumer.manager.stopped(); ++turns) {
        now.now = consumer.manager.plan(now).wait().wake_at();
        consumer.manager.on_time(now);
    }
    ASSERT_TRUE(consumer.manager.stopped());
    EXPECT_LE(now.now, at(5s).now + 10ms);
}

TEST(lifecycle_manager, a_close_without_time_still_gives_every_stage_a_turn) {
    closing_consumer consumer;
    consumer.close(0s);
    EXPECT_FALSE(consumer.manager.plan(at(0s)).is_progress());
    EXPECT_EQ(consumer.stage(), close_stage::commit);
    EXPECT_GT(consumer.manager.view_source().get().stage_deadline, at(0s).now);
}

TEST(lifecycle_manager, a_second_close_can_only_bring_the_end_forward) {
    closing_consumer consumer;
    consumer.close(10s);
    consumer.close(1s, 2);
    EXPECT_LE(consumer.manager.view_source().get().stage_deadline, at(1s).now);
    consumer.close(60s, 3);
    EXPECT_LE(consumer.manager.view_source().get().stage_deadline, at(1s).now);
}

TEST(lifecycle_manager, a_later_close_does_not_put_off_the_stages_to_come) {
    closing_consumer consumer;
    consumer.close(1s);
    consumer.close(60s, 2);
    consumer.finish(exchange::manager::commit, {close_stage::commit});
    ASSERT_EQ(consumer.stage(), close_stage::callbacks);
    EXPECT_LE(consumer.manager.view_source().get().stage_deadline, at(1s).now);
}

TEST(lifecycle_manager, every_close_has_its_result) {
    closing_consumer consumer;
    consumer.close(0s);
    consumer.close(0s, 2);
    for (auto now = at(0s); !consumer.manager.stopped(); now.now += 3ms) consumer.manager.on_time(now);
    const auto answer = consumer.manager.plan(at(1s));
    ASSERT_TRUE(answer.is_progress());
    std::vector<std::uint64_t> tokens;
    for (const auto& output : answer.outputs()) tokens.push_back(std::get<boundary::completion>(output).token.value());
    EXPECT_EQ(tokens, (std::vector<std::uint64_t>{1, 2}));
}

TEST(lifecycle_manager, close_after_close_is_done_at_once) {
    closing_consumer consumer;
    consumer.close(0s);
    for (auto now = at(0s); !consumer.manager.stopped(); now.now += 3ms) consumer.manager.on_time(now);
    static_cast<void>(consumer.closed(at(1s)));
    consumer.close(5s, 9);
    EXPECT_TRUE(consumer.closed(at(1s)).has_value());
}

TEST(lifecycle_manager, raises_only_the_first_fatal_error) {
    closing_consumer consumer;
    consumer.manager.on_fact(exchange::fatal_error{error(errc::fatal_group_error, "first")}, at(0s));
    consumer.manager.on_fact(exchange::fatal_error{error(errc::fatal_group_error, "second")}, at(0s));
    const auto answer = consumer.manager.plan(at(0s));
    ASSERT_EQ(answer.outputs().size(), 1u);
    EXPECT_EQ(consumer.manager.fatal()->message(), "first");
}

}  // namespace
}  // namespace strandline::core::lifecycle
