#include "testkit/simulator/checkers/check_run.hpp"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "testkit/simulator/checkers/history_testsupport.hpp"

namespace strandline::testkit::sim {
namespace {

TEST(check_run, every_property_that_the_documents_name_is_looked_for_or_waits_for_something) {
    check_run run;
    std::set<std::string_view> ids;
    for (const auto& one : run.checkers()) ids.insert(one->id());
    for (const auto& property : checked_properties()) {
        if (property.checker.empty()) {
            EXPECT_FALSE(property.waits_for.empty()) << property.id;
        } else {
            EXPECT_TRUE(ids.contains(property.checker)) << property.id;
        }
    }
    for (const auto id : ids) {
        EXPECT_TRUE(std::any_of(checked_properties().begin(), checked_properties().end(), [&](const auto& property) {
            return property.checker == id;
        })) << id;
    }
    EXPECT_EQ(checked_properties().size(), 20u + 23u + 6u);
}

TEST(check_run, says_of_each_property_who_looks_for_it_or_what_it_waits_for) {
    const auto text = checked_properties_in_words();
    EXPECT_NE(text.find("R8   not here: share groups\n"), std::string::npos) << text;
    EXPECT_NE(text.find("V1   whatever is waited for lies ahead\n"), std::string::npos) << text;
}

TEST(check_run, is_clean_after_nothing_and_tells_the_earliest_complaint_first) {
    check_run run;
    EXPECT_TRUE(run.is_clean());
    run.on({base::instant(2s), ann, contract_broken{contract_broken::clause::stray_fact, "the second"}});
    run.on({base::instant(1s), ann, contract_broken{contract_broken::clause::missing_edge, "the first"}});
    EXPECT_FALSE(run.is_clean());
    ASSERT_EQ(run.findings().size(), 2u);
    EXPECT_EQ(in_words(run.findings().front(), run.known()), "P5 at 1.000000 s, consumer 1: the first");
}

TEST(check_run, expects_nothing_more_of_a_reactor_that_has_failed_but_the_end_of_its_calls) {
    check_run run;
    const base::instant early(1s);
    run.on({early, ann, call_begun{call_id(1), call_kind::poll, early + 1s, {}, {}, false, false}});
    run.on({early, ann, reactor_failed{true, "std::bad_alloc"}});
    run.on({base::instant(2s), ann, contract_broken{contract_broken::clause::stray_fact, "nobody listens"}});
    EXPECT_TRUE(run.is_clean());
    run.at_end(base::instant(900s));
    ASSERT_EQ(run.findings().size(), 2u);
    EXPECT_EQ(run.findings().front().checker, "V13");
    EXPECT_EQ(run.findings().back().checker, "R23");
}

TEST(true_log, knows_what_is_visible_to_whom) {
    true_log log;
    log.append({log0, 0, 5, appended::kind::data, 100, -1, 0});
    log.append({log0, 5, 7, appended::kind::data, 105, 9, 0});
    log.append({log0, 7, 9, appended::kind::data, 107, -1, 0});
    EXPECT_EQ(log.last_stable(), 5);
    EXPECT_EQ(log.first_visible(5, 9, true), std::nullopt);
    EXPECT_EQ(log.first_visible(5, 9, false), 5);
    log.append({log0, 9, 10, appended::kind::control, 0, 9, 0});
    log.end_transaction(9, false);
    EXPECT_EQ(log.last_stable(), 10);
    EXPECT_EQ(log.first_visible(5, 10, true), 7);
    EXPECT_EQ(log.first_visible(9, 10, false), std::nullopt);
    EXPECT_EQ(log.content(8), 108u);
}

TEST(true_log, remembers_what_was_cut_off) {
    true_log log;
    log.append({log0, 0, 10, appended::kind::data, 100, -1, 0});
    log.truncate(6);
    log.append({log0, 6, 8, appended::kind::data, 500, -1, 1});
    EXPECT_EQ(log.end(), 8);
    EXPECT_EQ(log.content(7), 501u);
    EXPECT_TRUE(log.ever_held(7, 107));
    EXPECT_TRUE(log.ever_held(7, 501));
    EXPECT_FALSE(log.ever_held(7, 108));
    EXPECT_EQ(log.cut_since(0), 6);
    log.move_start(7);
    EXPECT_EQ(log.first_visible(0, 8, true), 7);
}

}  // namespace
}  // namespace strandline::testkit::sim
