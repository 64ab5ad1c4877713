#include "core/group/consumer/callback_ledger.hpp"

#include <gtest/gtest.h>

namespace strandline::core::group::consumer {
namespace {

using kind = callback_ledger::kind;
using boundary::callback_id;

const topic_partition a0{"a", 0}, a1{"a", 1}, b0{"b", 0};

// tickets: B90
TEST(callback_ledger, each_callback_is_answered_once) {
    callback_ledger ledger;
    const auto notice = ledger.ask(callback_id(1), kind::assigned, {a0});
    EXPECT_EQ(notice.which, (partitions{a0}));
    const auto answered = ledger.answer(callback_id(1));
    ASSERT_TRUE(answered.has_value());
    EXPECT_EQ(answered->which, (partitions{a0}));
    EXPECT_FALSE(ledger.answer(callback_id(1)).has_value());
    EXPECT_FALSE(ledger.answer(callback_id(2)).has_value());
}

TEST(callback_ledger, what_was_given_up_is_not_vouched_for_by_an_earlier_assigned_callback) {
    callback_ledger ledger;
    ledger.ask(callback_id(1), kind::assigned, {a0, a1, b0});
    ledger.ask(callback_id(2), kind::revoked, {a1});
    ledger.give_up({a0, b0});
    EXPECT_EQ(ledger.answer(callback_id(1))->which, (partitions{a1}));
    EXPECT_EQ(ledger.answer(callback_id(2))->which, (partitions{a1}));
}

// tickets: (F7) B33
TEST(callback_ledger, a_loss_takes_the_place_of_a_revocation_that_is_not_answered) {
    callback_ledger ledger;
    ledger.ask(callback_id(1), kind::revoked, {a0});
    const auto notice = ledger.ask_lost(callback_id(2), {b0});
    ASSERT_TRUE(notice.has_value());
    EXPECT_EQ(notice->what, kind::lost);
    EXPECT_EQ(notice->supersedes, callback_id(1));
    EXPECT_FALSE(ledger.open(kind::revoked));
    EXPECT_FALSE(ledger.answer(callback_id(1)).has_value());
    EXPECT_TRUE(ledger.open(kind::lost));
}

TEST(callback_ledger, a_loss_of_nothing_is_nothing_to_say) {
    callback_ledger ledger;
    EXPECT_FALSE(ledger.ask_lost(callback_id(1), {}).has_value());
    EXPECT_FALSE(ledger.open(kind::lost));
}

TEST(callback_ledger, names_the_oldest_callback_that_gives_up_partitions) {
    callback_ledger ledger;
    ledger.ask(callback_id(1), kind::assigned, {a0});
    EXPECT_FALSE(ledger.open_giving_up().has_value());
    ledger.ask(callback_id(2), kind::revoked, {a0});
    ledger.ask(callback_id(3), kind::lost, {b0});
    EXPECT_EQ(ledger.open_giving_up(), callback_id(2));
    ledger.answer(callback_id(2));
    EXPECT_EQ(ledger.open_giving_up(), callback_id(3));
}

}  // namespace
}  // namespace strandline::core::group::consumer
