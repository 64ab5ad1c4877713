// Transactions as readers meet them: the public failures of other clients, and what ours does.
#include <algorithm>
#include <map>

#include <gtest/gtest.h>

#include "tests/scenarios/log_reader.hpp"

namespace strandline::testkit::sim::scenarios {

namespace {

using list = std::vector<std::int64_t>;

struct transactions : testing::Test {
    world where{{.seed = 1, .checked = true}};
    log_reading seen;

    transactions() { where.create_topic("orders"); }
    void write(std::int64_t producer, std::int32_t records = 1) {
        where.logs().append_in_transaction("orders", 0, {.records = records}, producer);
    }
    void end(std::int64_t producer, bool commit) { where.logs().end_transaction("orders", 0, producer, commit); }
    void read(isolation_level what = isolation_level::read_committed) {
        where.start({.isolation_level = what}, reading_log(seen));
    }
    void TearDown() override {
        for (const auto& each : where.complaints()) ADD_FAILURE() << each.checker << ": " << each.words;
    }
};

// tickets: B57; invariants: V8
TEST_F(transactions, of_one_producer_that_commits_aborts_and_commits_what_was_aborted_is_left_out) {
    write(1);      // 0
    end(1, true);  // 1
    write(1);       // 2
    end(1, false);  // 3
    write(1);      // 4
    end(1, true);  // 5
    read();
    where.run_for(2s);
    EXPECT_EQ(seen.offsets, (list{0, 4}));
    EXPECT_EQ(seen.positions.back(), 6);
}

// tickets: B57; invariants: V8
TEST_F(transactions, of_two_producers_that_interleave_and_over_more_than_one_answer_what_was_aborted_is_left_out) {
    write(1);
    read();
    where.run_for(1s);
    EXPECT_TRUE(seen.offsets.empty()) << "it is open";
    write(2);       // 1
    end(2, true);   // 2
    write(1);       // 3
    write(2);       // 4
    where.run_for(1s);
    EXPECT_TRUE(seen.offsets.empty()) << "what follows an open transaction waits";
    end(1, false);  // 5: the first producer's 0 and 3
    where.run_for(1s);
    EXPECT_EQ(seen.offsets, list{1});
    end(2, true);  // 6
    where.run_for(1s);
    EXPECT_EQ(seen.offsets, (list{1, 4}));
}

// tickets: B59; invariants: V2
TEST_F(transactions, that_were_aborted_are_crossed_by_polls_without_records_whose_position_grows) {
    for (int i = 0; i < 500; ++i) write(1, 100);
    end(1, false);
    where.produce("orders", 0, 10);
    read();
    ASSERT_TRUE(where.run_until([&] { return seen.offsets.size() == 10; }, 30s));
    EXPECT_EQ(seen.offsets.front(), 50'001);
    EXPECT_TRUE(std::ranges::is_sorted(seen.positions));
    EXPECT_TRUE(seen.errors.empty());
}

// tickets: B61; invariants: V13
TEST_F(transactions, that_are_open_hold_the_committed_end_back_and_nobody_takes_that_for_the_end_of_the_log) {
    where.produce("orders", 0, 2);  // 0 and 1
    write(1, 3);                    // 2 to 4
    std::map<isolation_level, std::int64_t> ends;
    const auto ask = [&](isolation_level how) {
        where.start({.isolation_level = how}, [&, how](application& self) -> task<> {
            partitions which(1, topic_partition{"orders", 0});
            const auto found = co_await self.consumer().end_offsets(std::move(which), 5s);
            co_await self.consumer().close(1s);
            ends[how] = found.begin()->second;
        });
        ASSERT_TRUE(where.run_until([&] { return ends.contains(how); }, 10s));
    };
    ask(isolation_level::read_committed);
    ask(isolation_level::read_uncommitted);
    EXPECT_EQ(ends[isolation_level::read_committed], 2);
    EXPECT_EQ(ends[isolation_level::read_uncommitted], 5);
    read();
    where.run_for(5s);
    EXPECT_EQ(seen.offsets, (list{0, 1}));
    EXPECT_EQ(seen.positions.back(), 2);
    end(1, true);
    where.run_for(2s);
    EXPECT_EQ(seen.offsets, (list{0, 1, 2, 3, 4}));
    EXPECT_EQ(seen.positions.back(), 6);
}

}  // namespace

}  // namespace strandline::testkit::sim::scenarios
