// The kernel drives any wiring: here a kitchen, which has nothing in common with what the library is for. The same
// objects that the consumer's wiring is made of: agenda, plans, views, facts.
#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "core/kernel/agenda.hpp"
#include "core/kernel/asking_order.hpp"
#include "core/kernel/facts.hpp"
#include "core/kernel/plan.hpp"
#include "core/kernel/view.hpp"

namespace strandline::core::kernel {
namespace {

using namespace std::chrono_literals;

constexpr base::instant t0{100s};

enum : manager_index { book = 0, oven = 1, server = 2, cooks = 3 };
constexpr view_index orders_view = 0;
constexpr view_index heat_view = 1;

struct heat {
    std::string dish;  // empty: cold
    std::uint64_t lit = 0;
    bool done = false;
};
struct dish_taken {
    std::uint64_t lit = 0;  // the version of the heat it was seen at
};
struct guest_gone {};
using kitchen_fact = std::variant<dish_taken, guest_gone>;
using kitchen_plan = plan<std::string>;

struct kitchen {
    view_log views;
    fact_queue<kitchen_fact> facts;
    versioned<std::vector<std::string>> orders{orders_view, views};
    versioned<heat> fire{heat_view, views};
    view<std::vector<std::string>> orders_seen{orders};
    view<heat> fire_seen{fire};
    base::instant ready_at = base::never;
    agenda who{cooks, views};
    std::vector<std::string> said;
    std::vector<std::string> handled;
    std::map<manager_index, int> asked;
    bool server_writes_into_the_oven = false;
    bool server_never_stops = false;
    bool oven_forgets_a_change = false;
    bool oven_counts_on_the_wall = false;  // where the server reads it without awaiting anything

    kitchen() {
        views.declare_owner(orders_view, book);
        views.declare_owner(heat_view, oven);
        who.set_audited(true);
    }

    void order(std::string dish) {
        views.enter(book);
        orders.change().push_back(std::move(dish));
        views.leave();
        who.touch(book);
    }

    void drain() {
        facts.drain([&](const kitchen_fact& fact) {
            if (const auto* taken = std::get_if<dish_taken>(&fact)) {
                views.enter(oven);
                // A fire that was lit anew since is another one.
                const bool holds = fire.get().lit == taken->lit && fire.get().done;
                if (holds) fire.change() = {{}, taken->lit, false};
                views.leave();
                handled.emplace_back(holds ? "taken" : "too late");
                who.touch(oven);
            } else {
                views.enter(book);
                orders.change().clear();
                views.leave();
                handled.emplace_back("gone");
                who.touch(book);
            }
        });
    }

    kitchen_plan ask(manager_index manager, base::instant now) {
        ++asked[manager];
        switch (manager) {
            case book: return kitchen_plan::await(await_set(awaited::command()), {1});
            case oven: return bake(now);
            default: return serve();
        }
    }

    kitchen_plan bake(base::instant now) {
        if (oven_counts_on_the_wall) ++unannounced;
        const auto& waiting = orders_seen.read();
        if (fire.get().dish.empty() && !waiting.empty()) {
            const auto lit = fire.get().lit + 1;
            ready_at = now + 10s;
            fire.change() = {waiting.front(), lit, false};
            return kitchen_plan::progress("bakes " + waiting.front());
        }
        await_set inputs(orders_seen.change());
        if (fire.get().dish.empty() || fire.get().done) return kitchen_plan::await(inputs, {2});
        if (const auto later = future_instant::after(now, ready_at)) {
            return kitchen_plan::await(inputs.add(awaited::timer(*later)), {3});
        }
        fire.change().done = true;
        return kitchen_plan::progress("rings");
    }

    kitchen_plan serve() {
        if (server_writes_into_the_oven) fire.change().dish = "something else";
        server_writes_into_the_oven = server_never_stops;
        const auto& shown = fire_seen.read();
        if (!oven_forgets_a_change && shown.done && served != shown.lit) {
            served = shown.lit;
            return kitchen_plan::progress("serves " + shown.dish);
        }
        return kitchen_plan::await(await_set(fire_seen.change()),
                                   {4, oven_forgets_a_change || oven_counts_on_the_wall ? unannounced : 0});
    }

    void turn(base::instant now) {
        drain();
        who.run(
            now, [&](manager_index manager) { return ask(manager, now); },
            [&](manager_index, std::string output) { said.push_back(std::move(output)); });
    }

    std::uint64_t served = 0;
    std::uint64_t unannounced = 0;
};

TEST(toy_wiring, a_kitchen_is_turned_by_the_kernel_that_turns_a_consumer) {
    kitchen one;
    one.turn(t0);
    EXPECT_EQ(one.who.bound().value(), base::never);
    one.order("pie");
    one.turn(t0 + 1s);
    EXPECT_EQ(one.said, (std::vector<std::string>{"bakes pie"}));
    EXPECT_EQ(one.who.bound().value(), t0 + 11s);
    one.turn(t0 + 11s);
    EXPECT_EQ(one.said, (std::vector<std::string>{"bakes pie", "rings", "serves pie"}));
    EXPECT_EQ(one.who.bound().value(), base::never);
    EXPECT_EQ(one.who.missing_edges() + one.who.runaways() + one.who.stale_answers(), 0u);
    EXPECT_EQ(one.views.foreign_writes(), 0u);
}

// What the server waits for in the end, and what was said: by the order in which the kitchen is asked.
std::pair<reason, std::vector<std::string>> baked(const std::vector<manager_index>& order, bool counts_on_the_wall) {
    const asking_order followed(order);
    kitchen one;
    one.oven_counts_on_the_wall = counts_on_the_wall;
    one.turn(t0);
    one.order("pie");
    one.turn(t0 + 1s);
    one.turn(t0 + 11s);
    return {one.who.waits()[server].why, one.said};
}

TEST(toy_wiring, in_whatever_order_managers_are_asked_the_decision_is_the_same) {
    std::vector<manager_index> order{book, oven, server};
    const auto declared = baked(order, false);
    EXPECT_EQ(declared.second, (std::vector<std::string>{"bakes pie", "rings", "serves pie"}));
    while (std::next_permutation(order.begin(), order.end())) EXPECT_EQ(baked(order, false), declared);
}

TEST(toy_wiring, another_order_shows_whoever_reads_what_it_does_not_await) {
    EXPECT_NE(baked({server, oven, book}, true).first, baked({book, oven, server}, true).first);
}

TEST(toy_wiring, facts_are_handled_as_they_were_emitted_and_a_late_one_changes_nothing) {
    kitchen one;
    one.order("pie");
    one.turn(t0);
    one.turn(t0 + 10s);
    one.facts.emit(dish_taken{1});
    one.facts.emit(guest_gone{});
    one.facts.emit(dish_taken{1});
    one.turn(t0 + 20s);
    EXPECT_EQ(one.handled, (std::vector<std::string>{"taken", "gone", "too late"}));
    EXPECT_TRUE(one.fire.get().dish.empty());
}

TEST(toy_wiring, whoever_was_not_asked_is_audited_and_stands_by_what_is_published) {
    kitchen one;
    one.turn(t0);
    one.turn(t0 + 1s);
    one.turn(t0 + 2s);
    // Nothing happened to anybody: each was asked once for its first answer, and by the audit of each later turn.
    EXPECT_EQ(one.asked[server], 3);
    EXPECT_EQ(one.who.stale_answers(), 0u);
}

TEST(toy_wiring, an_answer_that_changed_without_anything_having_been_told_is_a_missing_edge) {
    kitchen one;
    one.oven_forgets_a_change = true;
    one.turn(t0);
    one.unannounced = 7;  // state that the server looks at and awaits no view of
    one.turn(t0 + 1s);
    EXPECT_EQ(one.who.stale_answers(), 1u);
    EXPECT_NE(one.who.newest_fault().find("manager 2 was not asked"), std::string::npos);
}

TEST(toy_wiring, an_unasked_manager_that_has_something_to_put_out_is_heard_and_counted) {
    kitchen one;
    one.turn(t0);
    // Not through change(): nobody is told.
    const_cast<heat&>(one.fire.get()) = {"pie", 5, true};  // NOLINT: breaks the rule on purpose
    one.turn(t0 + 1s);
    EXPECT_EQ(one.said, (std::vector<std::string>{"serves pie"}));
    EXPECT_GE(one.who.stale_answers(), 1u);
}

TEST(toy_wiring, state_that_is_changed_by_another_than_its_owner_is_noticed) {
    kitchen one;
    one.turn(t0);
    EXPECT_TRUE(one.views.newest_foreign_write().empty());
    one.server_writes_into_the_oven = true;
    one.who.touch(server);
    one.turn(t0 + 1s);
    EXPECT_GE(one.views.foreign_writes(), 1u);
    EXPECT_EQ(one.views.newest_foreign_write(),
              "view 1, which belongs to manager 1, was changed while manager 2 was at work");
}

TEST(toy_wiring, whoever_changes_what_it_awaits_each_time_it_is_asked_is_cut_off) {
    kitchen one;
    one.turn(t0);
    one.server_writes_into_the_oven = one.server_never_stops = true;
    one.who.touch(server);
    one.turn(t0 + 1s);
    EXPECT_EQ(one.who.runaways(), 1u);
    EXPECT_EQ(one.who.bound().value(), t0 + 1s + 1ms);
}

TEST(toy_wiring, state_that_is_changed_while_nobody_is_at_work_is_noticed) {
    kitchen one;
    one.orders.change().emplace_back("soup");
    EXPECT_EQ(one.views.newest_foreign_write(),
              "view 0, which belongs to manager 0, was changed while nobody was at work");
}

}  // namespace
}  // namespace strandline::core::kernel
