#include "handoff/versioned_gate.hpp"

#include <gtest/gtest.h>

#include "handoff/operation.hpp"

namespace strandline::handoff {
namespace {

struct counted : waiter {
    explicit counted(const operation* what = nullptr) : waiter(&counted::on_resume, what) {}
    static void on_resume(waiter& self) noexcept { ++static_cast<counted&>(self).resumed; }
    int resumed = 0;
};

// tickets: KAFKA-20397 (B5)
TEST(versioned_gate, registers_only_for_the_version_that_was_looked_at) {
    versioned_gate gate;
    const auto seen = gate.version();
    gate.advance();
    counted late;
    EXPECT_FALSE(gate.try_register(late, seen));
    EXPECT_TRUE(gate.try_register(late, gate.version()));
}

TEST(versioned_gate, resumes_each_waiter_once) {
    versioned_gate gate;
    counted first;
    counted second;
    gate.try_register(first, gate.version());
    gate.try_register(second, gate.version());
    gate.advance();
    gate.advance();
    EXPECT_EQ(first.resumed, 1);
    EXPECT_EQ(second.resumed, 1);
}

TEST(versioned_gate, leaves_a_call_alone_until_it_ends) {
    versioned_gate gate;
    const operation mine(base::never);
    const operation other(base::never);
    counted call(&mine);
    gate.try_register(call, gate.version());
    gate.advance();
    gate.advance(other);
    EXPECT_EQ(call.resumed, 0);
    gate.advance(mine);
    EXPECT_EQ(call.resumed, 1);
}

// tickets: (B8) B88
TEST(versioned_gate, does_not_resume_who_has_withdrawn) {
    versioned_gate gate;
    counted first;
    counted second;
    counted third;
    for (auto* each : {&first, &second, &third}) gate.try_register(*each, gate.version());
    gate.withdraw(second);
    gate.advance_all();
    EXPECT_EQ(first.resumed + third.resumed, 2);
    EXPECT_EQ(second.resumed, 0);
}

}  // namespace
}  // namespace strandline::handoff
