#include "testkit/fake_cluster/transaction_coordinator.hpp"

#include <gtest/gtest.h>

#include "records/batch_builder.hpp"
#include "records/batch_scanner.hpp"
#include "testkit/fake_cluster/consumer_groups.hpp"

namespace strandline::testkit::fake {
namespace {

using namespace std::chrono_literals;
using protocol::broker_error;

struct transactions : testing::Test {
    transactions() {
        cluster.add_broker(protocol::broker_id(1), "");
        topic = &cluster.create_topic("orders", 1, 1);
    }

    transaction_coordinator::identity init(const std::string& id) { return coordinator.init(id, 60s, wall, {}); }

    // What the broker does with a batch of this producer.
    broker_error write(const transaction_coordinator::identity& producer, std::int32_t sequence, int count,
                       const std::optional<std::string>& id = std::nullopt) {
        records::batch_builder builder({.producer_id = producer.producer_id,
                                        .producer_epoch = producer.producer_epoch,
                                        .base_sequence = sequence,
                                        .transactional = id.has_value()});
        for (int i = 0; i < count; ++i) builder.append({.value = base::as_bytes(std::string_view("value"))});
        const auto bytes = builder.build();
        const auto batch = records::batch_scanner::single(bytes).value();
        const auto admitted = coordinator.admit(id, *topic, 0, batch, true, now);
        duplicate_of = admitted.duplicate_of;
        if (admitted.error != broker_error::none || admitted.duplicate_of) return admitted.error;
        coordinator.appended(*topic, 0, batch, log().append(bytes, 0).base_offset);
        return broker_error::none;
    }
    broker_error end(const transaction_coordinator::identity& producer, bool commit, bool next_epoch = true) {
        return coordinator.end("billing", producer.producer_id, producer.producer_epoch, commit, next_epoch, wall)
            .error;
    }
    partition_log& log() { return topic->find(0)->log; }

    cluster_state cluster{"cluster", 1};
    consumer_groups groups{cluster, {}};
    transaction_coordinator coordinator{cluster, groups};
    topic_state* topic = nullptr;
    base::instant now{};
    base::wall_time wall{};
    std::optional<std::int64_t> duplicate_of;
};

TEST_F(transactions, a_sequence_is_written_once_and_in_order) {
    const auto producer = coordinator.init(std::nullopt, 0s, wall, {});
    EXPECT_EQ(write(producer, 0, 3), broker_error::none);
    EXPECT_EQ(write(producer, 3, 2), broker_error::none);
    EXPECT_EQ(write(producer, 0, 3), broker_error::none);
    EXPECT_EQ(duplicate_of, 0);
    EXPECT_EQ(write(producer, 7, 1), broker_error::out_of_order_sequence_number);
    EXPECT_EQ(log().high_watermark(), 5);
}

TEST_F(transactions, a_topic_made_again_knows_nobodys_sequences) {
    const auto producer = coordinator.init(std::nullopt, 0s, wall, {});
    write(producer, 0, 3);
    cluster.delete_topic("orders");
    topic = &cluster.create_topic("orders", 1, 1);
    EXPECT_EQ(write(producer, 0, 3), broker_error::none);
    EXPECT_EQ(duplicate_of, std::nullopt);
    EXPECT_EQ(log().high_watermark(), 3);
}

TEST_F(transactions, a_commit_makes_records_stable_and_gives_the_next_epoch) {
    const auto producer = init("billing");
    EXPECT_EQ(write(producer, 0, 2, "billing"), broker_error::none);
    EXPECT_EQ(log().last_stable_offset(), 0);
    const auto next = coordinator.end("billing", producer.producer_id, producer.producer_epoch, true, true, wall);
    EXPECT_EQ(next.error, broker_error::none);
    EXPECT_EQ(next.producer_id, producer.producer_id);
    EXPECT_EQ(next.producer_epoch, producer.producer_epoch + 1);
    EXPECT_EQ(log().last_stable_offset(), 3);
    // What is sent late under the old epoch is refused.
    EXPECT_EQ(write(producer, 2, 1, "billing"), broker_error::invalid_producer_epoch);
}

TEST_F(transactions, an_end_that_is_repeated_is_told_the_same) {
    const auto producer = init("billing");
    write(producer, 0, 2, "billing");
    EXPECT_EQ(end(producer, false), broker_error::none);
    EXPECT_EQ(end(producer, false), broker_error::none);
    EXPECT_EQ(end(producer, true), broker_error::invalid_txn_state);
    EXPECT_EQ(log().high_watermark(), 3);
}

TEST_F(transactions, nothing_can_be_aborted_under_the_new_flow_only) {
    EXPECT_EQ(end(init("billing"), true), broker_error::invalid_txn_state);
    EXPECT_EQ(end(init("billing"), false, false), broker_error::invalid_txn_state);
    EXPECT_EQ(end(init("billing"), false), broker_error::none);
}

TEST_F(transactions, a_second_producer_of_an_id_fences_the_first) {
    const auto first = init("billing");
    write(first, 0, 2, "billing");
    EXPECT_EQ(init("billing").error, broker_error::concurrent_transactions);
    // The first one's transaction was aborted.
    EXPECT_EQ(log().last_stable_offset(), 3);
    const auto second = init("billing");
    EXPECT_EQ(second.producer_epoch, first.producer_epoch + 2);
    EXPECT_EQ(end(first, true), broker_error::producer_fenced);
    EXPECT_EQ(coordinator.init("billing", 60s, wall, first).error, broker_error::producer_fenced);
    EXPECT_EQ(coordinator.init("billing", 60s, wall, second).error, broker_error::none);
}

TEST_F(transactions, one_that_takes_too_long_is_aborted) {
    const auto producer = init("billing");
    write(producer, 0, 2, "billing");
    EXPECT_EQ(coordinator.next_deadline(), now + 60s);
    coordinator.on_time(now + 60s, wall);
    EXPECT_EQ(coordinator.next_deadline(), base::never);
    EXPECT_EQ(log().last_stable_offset(), 3);
    EXPECT_EQ(end(producer, true), broker_error::producer_fenced);
}

TEST_F(transactions, time_outs_have_limits) {
    EXPECT_EQ(coordinator.init("billing", 0s, wall, {}).error, broker_error::invalid_transaction_timeout);
    EXPECT_EQ(coordinator.init("billing", 16min, wall, {}).error, broker_error::invalid_transaction_timeout);
}

TEST_F(transactions, offsets_are_committed_with_their_transaction) {
    const auto producer = init("billing");
    const auto offset = [&](std::int64_t at) {
        return coordinator.add_offsets("billing", producer.producer_id, producer.producer_epoch, "group",
                                       {{"orders", 0, at, -1, ""}}, true, now);
    };
    EXPECT_EQ(offset(5), broker_error::none);
    EXPECT_TRUE(coordinator.has_pending_offset("group", {"orders", 0}));
    EXPECT_FALSE(groups.committed("group", {topic->id, 0}).has_value());
    EXPECT_EQ(end(producer, true, false), broker_error::none);
    EXPECT_FALSE(coordinator.has_pending_offset("group", {"orders", 0}));
    ASSERT_TRUE(groups.committed("group", {topic->id, 0}).has_value());
    EXPECT_EQ(groups.committed("group", {topic->id, 0})->offset, 5);

    EXPECT_EQ(offset(9), broker_error::none);
    EXPECT_EQ(end(producer, false, false), broker_error::none);
    EXPECT_EQ(groups.committed("group", {topic->id, 0})->offset, 5);
}

TEST_F(transactions, partitions_and_groups_must_be_added_under_the_old_flow) {
    const auto producer = init("billing");
    const auto id = producer.producer_id;
    const auto epoch = producer.producer_epoch;
    EXPECT_EQ(coordinator.add_offsets("billing", id, epoch, "group", {}, false, now),
              broker_error::transaction_abortable);
    EXPECT_EQ(coordinator.verify_partition("billing", id, epoch, {"orders", 0}), broker_error::transaction_abortable);
    EXPECT_EQ(coordinator.add_partition("billing", id, epoch, {"orders", 0}, now), broker_error::none);
    EXPECT_EQ(coordinator.verify_partition("billing", id, epoch, {"orders", 0}), broker_error::none);
    EXPECT_EQ(coordinator.add_partition("billing", id, epoch, {"orders", 1}, now),
              broker_error::unknown_topic_or_partition);
    EXPECT_EQ(coordinator.add_partition("other", id, epoch, {"orders", 0}, now),
              broker_error::invalid_producer_id_mapping);
}

}  // namespace
}  // namespace strandline::testkit::fake
