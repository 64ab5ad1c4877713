#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/kernel/agenda.hpp"

namespace strandline::core::kernel {

namespace {

using namespace std::chrono_literals;
using number_plan = plan<int>;

constexpr base::instant t0{100s};

// Managers that answer what they are told to, and a list of who was asked.
struct told_managers {
    explicit told_managers(manager_index managers) : who(managers, views) {}

    view_log views;
    agenda who;
    std::map<manager_index, await_set> answers;
    std::map<manager_index, std::uint16_t> reasons;
    std::vector<int> asked;

    void turn(base::instant now) {
        asked.clear();
        who.run(
            now,
            [&](manager_index manager) {
                asked.push_back(manager);
                const auto told = answers.find(manager);
                return number_plan::await(told == answers.end() ? await_set(awaited::command()) : told->second,
                                          {reasons[manager]});
            },
            [](manager_index, int) {});
    }
    void answer(manager_index manager, await_set inputs) { answers.insert_or_assign(manager, inputs); }
};

TEST(agenda, asks_in_the_declared_order_whoever_was_touched_first) {
    told_managers wiring(5);
    wiring.turn(t0);
    EXPECT_EQ(wiring.asked, (std::vector{0, 1, 2, 3, 4}));
    wiring.who.touch(4);
    wiring.who.touch(1);
    wiring.who.touch(0);
    wiring.turn(t0);
    EXPECT_EQ(wiring.asked, (std::vector{0, 1, 4}));
}

TEST(agenda, the_earliest_time_that_anybody_named_is_the_bound) {
    for (manager_index manager = 0; manager < 3; ++manager) {
        told_managers wiring(3);
        wiring.answer(manager, await_set(awaited::timer(*future_instant::after(t0, t0 + 7s))));
        wiring.turn(t0);
        EXPECT_EQ(wiring.who.bound().value(), t0 + 7s) << "manager " << int{manager};
    }
}

TEST(agenda, whoever_named_a_time_is_asked_at_it_and_nobody_else) {
    told_managers wiring(3);
    wiring.answer(1, await_set(awaited::response(9, t0 + 7s)));
    wiring.turn(t0);
    wiring.turn(t0 + 7s - 1ns);
    EXPECT_TRUE(wiring.asked.empty());
    wiring.answer(1, await_set(awaited::command()));
    wiring.turn(t0 + 7s);
    EXPECT_EQ(wiring.asked, std::vector{1});
}

TEST(agenda, tells_whether_anybody_awaits_space) {
    told_managers wiring(2);
    wiring.turn(t0);
    EXPECT_FALSE(wiring.who.awaits(input_kind::space));
    wiring.answer(1, await_set(awaited::space()));
    wiring.who.touch(1);
    wiring.turn(t0);
    EXPECT_TRUE(wiring.who.awaits(input_kind::space));
}

TEST(agenda, says_since_when_somebody_waits_for_the_same_reason) {
    told_managers wiring(1);
    wiring.reasons[0] = 5;
    wiring.turn(t0);
    wiring.who.touch_all();
    wiring.turn(t0 + 1s);
    EXPECT_EQ(wiring.who.waits()[0].since, t0);
    wiring.reasons[0] = 6;
    wiring.who.touch_all();
    wiring.turn(t0 + 2s);
    EXPECT_EQ(wiring.who.waits()[0].since, t0 + 2s);
}

TEST(agenda, what_was_read_before_a_manager_was_asked_is_no_fault_of_it) {
    told_managers wiring(1);
    wiring.views.note_read(3);
    wiring.turn(t0);
    EXPECT_EQ(wiring.who.missing_edges(), 0u);
    EXPECT_EQ(wiring.who.newest_fault(), "");
}

TEST(agenda, an_audit_says_how_an_answer_of_somebody_who_was_not_asked_would_differ) {
    const auto timer = [](base::duration in) { return awaited::timer(*future_instant::after(t0, t0 + in)); };
    const struct {
        await_set published;
        await_set present;
        std::uint16_t reason;
        const char* words;
    } cases[] = {
        {await_set(timer(5s)), await_set(timer(6s)), 0, "another instant"},
        {await_set(awaited::view(1)), await_set(awaited::view(2)), 0, "other views"},
        {await_set(awaited::acknowledgement(1)), await_set(awaited::acknowledgement(2)), 0, "manager 0"},
        {await_set(awaited::command()), await_set(awaited::command()), 7, "manager 0"},
    };
    for (const auto& one : cases) {
        told_managers wiring(2);
        wiring.who.set_audited(true);
        wiring.answer(0, one.published);
        wiring.turn(t0);
        EXPECT_EQ(wiring.who.stale_answers(), 0u);
        wiring.answer(0, one.present);
        wiring.reasons[0] = one.reason;
        wiring.who.touch(1);
        wiring.turn(t0);
        EXPECT_EQ(wiring.who.stale_answers(), 1u);
        EXPECT_NE(wiring.who.newest_fault().find(one.words), std::string::npos) << wiring.who.newest_fault();
    }
}

TEST(view_log, a_view_may_change_only_while_its_owner_is_at_work) {
    view_log log;
    versioned<int> counted(1, log);
    versioned<int> ownerless(0, log);
    counted.change() = 1;
    EXPECT_EQ(log.newest_foreign_write(), "") << "nobody was said to own it";
    log.declare_owner(2, 5);
    log.declare_owner(1, 4);  // in any order
    log.enter(4);
    counted.change() = 2;
    ownerless.change() = 2;
    EXPECT_EQ(log.foreign_writes(), 0u);
    log.enter(5);
    counted.change() = 3;
    EXPECT_EQ(log.foreign_writes(), 1u);
    EXPECT_NE(log.newest_foreign_write().find("manager 5"), std::string::npos);
    log.leave();
    counted.change() = 4;
    EXPECT_EQ(log.foreign_writes(), 2u);
    EXPECT_NE(log.newest_foreign_write().find("nobody"), std::string::npos);
}

}  // namespace

}  // namespace strandline::core::kernel
