// Transactions: committed, aborted, interleaved so that the broker's list of aborted ones is unsorted, and left open.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/live/one_broker.hpp"
#include "tests/live/record_lines.hpp"
#include "tests/live/tool.hpp"

namespace strandline::live {
namespace {

using namespace std::chrono_literals;

class transactions : public one_broker_test {
protected:
    void begin(const std::string& id) { kafka().call("transaction_begin", {{"id", topic + id}}); }
    void send(const std::string& id, int count = 3, const char* compression = "none") {
        json::array records;
        for (int i = 0; i < count; ++i) records.push_back({{"partition", 0}, {"key", id}, {"value", compression}});
        kafka().call("transaction_send", {{"id", topic + id}, {"topic", topic}, {"records", std::move(records)}});
    }
    void commit(const std::string& id) { kafka().call("transaction_commit", {{"id", topic + id}}); }
    void abort(const std::string& id) { kafka().call("transaction_abort", {{"id", topic + id}}); }

    void expect_both_isolations_equal_kafkas() {
        const auto committed = consume(cluster(), {"-e", topic});
        EXPECT_EQ(committed.status, 0) << committed.errors;
        EXPECT_TRUE(same_records(committed.lines, kafka().read(topic, "read_committed")));
        const auto all = consume(cluster(), {"-e", "-X", "isolation.level=read_uncommitted", topic});
        EXPECT_EQ(all.status, 0) << all.errors;
        EXPECT_TRUE(same_records(all.lines, kafka().read(topic, "read_uncommitted")));
    }
};

TEST_F(transactions, that_interleave_and_abort_out_of_order_are_told_apart) {
    kafka().create_topic(topic, 1);
    // The one that began last aborts first, so that its entry comes first in the broker's list.
    for (const auto* id : {"a", "b", "c", "d"}) begin(id);
    for (const auto* id : {"a", "b", "c", "d", "a", "c"}) send(id);
    abort("c");
    send("b");
    abort("b");
    send("d");
    commit("d");
    send("a");
    abort("a");
    // The same producers again: an abort of one transaction must not hide the next of the same producer.
    for (const auto* id : {"b", "a"}) begin(id);
    for (const auto* id : {"a", "b", "a"}) send(id);
    commit("a");
    abort("b");
    begin("b");
    send("b");
    commit("b");
    kafka().produce_many(topic, 1, 5);
    expect_both_isolations_equal_kafkas();
}

TEST_F(transactions, that_abort_over_many_batches_leave_nothing) {
    kafka().create_topic(topic, 1);
    for (int round = 0; round < 20; ++round) {
        begin("a");
        send("a", 10);
        send("a", 10);
        round % 3 == 0 ? commit("a") : abort("a");
    }
    expect_both_isolations_equal_kafkas();
    const auto run = consume(cluster(), {"-g", group, "-o", "beginning", "-e", topic});
    EXPECT_TRUE(same_records(run.lines, kafka().read(topic)));
    // Behind the last marker, not behind the last record that was printed.
    EXPECT_EQ(kafka().committed(group).at(topic + "-0"),
              kafka().call("offsets", {{"topic", topic}}).at(0).at("end").to_number<std::int64_t>());
}

TEST_F(transactions, that_are_open_hold_back_what_follows_until_they_end) {
    kafka().create_topic(topic, 1);
    kafka().produce_many(topic, 1, 4);
    begin("open");
    send("open");
    kafka().produce_many(topic, 1, 4);
    expect_both_isolations_equal_kafkas();

    const auto run = start_consume(cluster(), {topic});
    ASSERT_TRUE(run->output().wait_for_lines(4, 20s)) << run->errors().text();
    EXPECT_FALSE(run->output().wait_for_lines(5, 1s)) << "a record behind the open transaction was printed";
    abort("open");
    EXPECT_TRUE(run->output().wait_for_lines(8, 20s)) << run->errors().text();
    const auto result = interrupt(*run);
    EXPECT_EQ(result.status, 0) << result.errors;
    EXPECT_TRUE(same_records(result.lines, kafka().read(topic)));
}

}  // namespace
}  // namespace strandline::live
