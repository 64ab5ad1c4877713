#include "handoff/command_queue.hpp"

#include <variant>

#include <gtest/gtest.h>

namespace strandline::handoff {
namespace {

using core::boundary::operation_token;
using core::boundary::submitted_command;
namespace command = core::boundary::command;

submitted_command async_commit(std::uint64_t token, offsets named) {
    return {operation_token(token), base::never,
            command::commit{command::commit::source::named, std::move(named), false}};
}

std::vector<submitted_command> taken(command_queue& queue) {
    std::vector<submitted_command> all;
    queue.take(all);
    return all;
}

TEST(command_queue, keeps_the_order_of_submission) {
    command_queue queue;
    queue.push({operation_token(1), base::never, command::pause{}});
    queue.push({operation_token(2), base::never, command::resume{}});
    const auto all = taken(queue);
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[0].token, operation_token(1));
    EXPECT_TRUE(queue.empty());
}

TEST(command_queue, folds_asynchronous_commits_beyond_the_limit_into_the_newest) {
    command_queue queue;
    for (std::uint64_t i = 1; i <= command_queue::async_commit_limit; ++i) {
        EXPECT_FALSE(queue.push(async_commit(i, {{{"orders", static_cast<std::int32_t>(i)}, 1}})).has_value());
    }
    const auto superseded = queue.push(async_commit(1000, {{{"orders", 1}, 7}, {{"bills", 0}, 3}}));
    EXPECT_EQ(superseded, operation_token(1));
    const auto superseded_next = queue.push(async_commit(1001, {{{"bills", 0}, 4}}));
    EXPECT_EQ(superseded_next, operation_token(2));

    const auto all = taken(queue);
    EXPECT_EQ(all.size(), command_queue::async_commit_limit);
    const auto& newest = std::get<command::commit>(all.back().what);
    EXPECT_EQ(newest.named, (offsets{{{"bills", 0}, 4}, {{"orders", 2}, 1}}));
    const auto& before = std::get<command::commit>(all[all.size() - 2].what);
    EXPECT_EQ(before.named, (offsets{{{"bills", 0}, 3}, {{"orders", 1}, 7}}));
}

TEST(command_queue, folds_only_commits_of_the_same_kind) {
    command_queue queue;
    for (std::uint64_t i = 1; i <= command_queue::async_commit_limit; ++i)
        queue.push(async_commit(i, {{{"orders", 0}, 1}}));
    EXPECT_FALSE(
        queue.push({operation_token(99), base::never, command::commit{command::commit::source::processed, {}, false}})
            .has_value());
    EXPECT_EQ(taken(queue).size(), command_queue::async_commit_limit + 1);
}

}  // namespace
}  // namespace strandline::handoff
