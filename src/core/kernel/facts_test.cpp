#include "core/kernel/facts.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace strandline::core::kernel {

namespace {

TEST(fact_queue, facts_are_handed_on_in_the_order_in_which_they_arose) {
    fact_queue<std::string> facts;
    facts.emit("first");
    facts.emit("second");
    std::vector<std::string> handled;
    facts.drain([&](std::string fact) { handled.push_back(std::move(fact)); });
    EXPECT_EQ(handled, (std::vector<std::string>{"first", "second"}));
    EXPECT_TRUE(facts.empty());
}

TEST(fact_queue, what_arises_while_facts_are_handed_on_comes_behind_them_and_in_the_same_pass) {
    fact_queue<int> facts;
    facts.emit(1);
    facts.emit(2);
    std::vector<int> handled;
    facts.drain([&](int fact) {
        handled.push_back(fact);
        if (fact < 3) facts.emit(fact * 10);
    });
    EXPECT_EQ(handled, (std::vector{1, 2, 10, 20}));
    EXPECT_TRUE(facts.empty());
}

TEST(fact_queue, without_facts_nobody_is_asked) {
    fact_queue<int> facts;
    facts.drain([](int) { FAIL(); });
    EXPECT_TRUE(facts.empty());
}

}  // namespace

}  // namespace strandline::core::kernel
