#include "handoff/command_queue.hpp"

#include <variant>

#include <gtest/gtest.h>

#include "core/boundary/asynchronous_commits.hpp"

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

TEST(command_queue, folds_asynchronous_commits_beyond_the_limit_into_the_one_that_follows) {
    command_queue queue;
    constexpr auto limit = static_cast<std::int64_t>(core::boundary::asynchronous_commit_limit);
    for (std::int64_t i = 1; i <= limit; ++i) {
        EXPECT_FALSE(queue.push(async_commit(static_cast<std::uint64_t>(i), {{{"orders", 0}, i * 10}})).has_value());
    }
    EXPECT_EQ(queue.push(async_commit(1000, {{{"orders", 1}, 7}})), operation_token(limit));
    EXPECT_EQ(queue.push(async_commit(1001, {{{"orders", 1}, 8}})), operation_token(1000));

    const auto all = taken(queue);
    EXPECT_EQ(all.size(), core::boundary::asynchronous_commit_limit);
    const auto& newest = std::get<command::commit>(all.back().what);
    EXPECT_EQ(newest.named, (offsets{{{"orders", 0}, limit * 10}, {{"orders", 1}, 8}})) << "never back to an older one";
}

TEST(command_queue, folds_only_commits_of_the_same_kind) {
    command_queue queue;
    const operation_token newest_named(core::boundary::asynchronous_commit_limit);
    for (std::uint64_t i = 1; i <= newest_named.value(); ++i) queue.push(async_commit(i, {{{"orders", 0}, 1}}));
    const auto superseded =
        queue.push({operation_token(99), base::never, command::commit{command::commit::source::processed, {}, false}});
    EXPECT_EQ(superseded, operation_token(newest_named.value() - 1)) << "the one before it, which names the same";
    const auto all = taken(queue);
    ASSERT_EQ(all.size(), core::boundary::asynchronous_commit_limit);
    EXPECT_EQ(all[all.size() - 2].token, newest_named);
    EXPECT_TRUE(std::get<command::commit>(all.back().what).named.empty());
}

}  // namespace
}  // namespace strandline::handoff
