// The consumer's calls, one by one, against a real broker: what they answer is what Kafka's admin client says.
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <strandline/consumer.hpp>

#include "tests/live/one_broker.hpp"
#include "tests/live/patience.hpp"

namespace strandline::live {
namespace {

using namespace std::chrono_literals;

class consumer_calls_on_kafka : public one_broker_test {
protected:
    consumer_config config() {
        return {.bootstrap_servers = cluster().bootstrap_servers(),
                .group_id = group,
                .auto_offset_reset = offset_reset::earliest};
    }

    // Values of `count` records, in the order they came.
    static std::vector<std::string> read(consumer& reader, std::size_t count) {
        std::vector<std::string> values;
        const auto deadline = std::chrono::steady_clock::now() + 20s;
        while (values.size() < count) {
            if (std::chrono::steady_clock::now() > deadline) {
                throw not_in_time("only " + std::to_string(values.size()) + " records: " + to_string(reader.explain()));
            }
            for (const record& one : reader.poll(500ms)) values.emplace_back(one.value_text().value_or("null"));
        }
        return values;
    }

    // Record i of partition 0 has the value "i" and the time stamp 1000 + i.
    void produce_numbers(int count) {
        json::array records;
        for (int i = 0; i < count; ++i) {
            records.push_back({{"partition", 0}, {"value", std::to_string(i)}, {"timestamp", 1000 + i}});
        }
        kafka().produce(topic, std::move(records));
    }
};

TEST_F(consumer_calls_on_kafka, know_the_ends_of_partitions_and_offsets_by_time) {
    kafka().create_topic(topic, 2);
    produce_numbers(10);
    kafka().delete_records(topic, 0, 3);
    consumer reader(config());
    const topic_partition first{topic, 0};
    const topic_partition second{topic, 1};
    EXPECT_EQ(reader.beginning_offsets({first, second}),
              (std::map<topic_partition, std::int64_t>{{first, 3}, {second, 0}}));
    EXPECT_EQ(reader.end_offsets({first, second}), (std::map<topic_partition, std::int64_t>{{first, 10}, {second, 0}}));
    using time = consumer::time_point;
    const auto found = reader.offsets_for_times({{first, time(1007ms)}, {second, time(1007ms)}});
    ASSERT_TRUE(found.at(first).has_value());
    EXPECT_EQ(found.at(first)->offset, 7);
    EXPECT_EQ(found.at(first)->timestamp, time(1007ms));
    EXPECT_EQ(found.at(second), std::nullopt);
}

TEST_F(consumer_calls_on_kafka, list_topics_and_their_partitions) {
    kafka().create_topic(topic, 3);
    consumer reader(config());
    const auto listed = reader.list_topics();
    ASSERT_TRUE(listed.contains(topic));
    EXPECT_EQ(listed.at(topic).size(), 3U);
    const auto infos = reader.partitions_for(topic);
    ASSERT_EQ(infos.size(), 3U);
    EXPECT_EQ(infos[0].leader, 1);
    EXPECT_EQ(infos[0].in_sync_replicas, std::vector<std::int32_t>{1});
    EXPECT_TRUE(reader.partitions_for(topic + ".missing").empty());
}

TEST_F(consumer_calls_on_kafka, commit_and_ask_for_what_was_committed) {
    kafka().create_topic(topic, 2);
    produce_numbers(10);
    const topic_partition first{topic, 0};
    consumer reader(config());
    reader.subscribe({topic});
    EXPECT_EQ(read(reader, 10).size(), 10U);
    reader.commit();
    EXPECT_EQ(kafka().committed(group).at(topic + "-0"), 10);
    reader.commit(offsets{{first, offset_and_metadata(4, {}, "by hand")}});
    EXPECT_EQ(kafka().committed(group).at(topic + "-0"), 4);
    EXPECT_EQ(reader.committed({first}).at(first).offset, 4);
    EXPECT_EQ(reader.committed({first}).at(first).metadata, "by hand");

    std::optional<commit_result> heard;
    reader.commit_async({{first, offset_and_metadata(6)}},
                        [&](const consumer_access&, const commit_result& result) { heard = result; });
    eventually("the commit's callback ran inside poll", 10s, [&] {
        reader.poll(50ms);
        return heard.has_value();
    });
    EXPECT_EQ(heard->failure, std::nullopt);
    EXPECT_EQ(kafka().committed(group).at(topic + "-0"), 6);
}

TEST_F(consumer_calls_on_kafka, seek_and_tell_the_position) {
    kafka().create_topic(topic, 1);
    produce_numbers(10);
    const topic_partition first{topic, 0};
    consumer reader({.bootstrap_servers = cluster().bootstrap_servers(), .auto_offset_reset = offset_reset::earliest});
    reader.assign({first});
    EXPECT_EQ(read(reader, 10).front(), "0");
    reader.seek(first, 7);
    EXPECT_THAT(read(reader, 3), testing::ElementsAre("7", "8", "9"));
    EXPECT_EQ(reader.position(first), 10);
    reader.seek_to_beginning();
    EXPECT_EQ(reader.position(first), 0);
    EXPECT_EQ(read(reader, 10).front(), "0");
    reader.seek_to_end();
    EXPECT_EQ(reader.position(first), 10);
    EXPECT_EQ(reader.lag(first), 0);
}

TEST_F(consumer_calls_on_kafka, pause_and_resume) {
    kafka().create_topic(topic, 1);
    consumer reader(config());
    reader.assign({{topic, 0}});
    reader.pause({{topic, 0}});
    produce_numbers(3);
    EXPECT_TRUE(reader.poll(1s).empty());
    EXPECT_EQ(reader.paused(), (partitions{{topic, 0}}));
    reader.resume({{topic, 0}});
    EXPECT_THAT(read(reader, 3), testing::ElementsAre("0", "1", "2"));
}

TEST_F(consumer_calls_on_kafka, follow_a_pattern_that_the_broker_matches) {
    for (const auto* suffix : {".a", ".b", ".c"}) {
        kafka().create_topic(topic + suffix, 1);
        kafka().produce(topic + suffix, {{{"partition", 0}, {"value", suffix}}});
    }
    consumer reader(config());
    reader.subscribe(subscription_pattern(topic + "\\.[ab]"));
    EXPECT_THAT(read(reader, 2), testing::UnorderedElementsAre(".a", ".b"));
    EXPECT_EQ(reader.assignment().size(), 2U);
}

TEST_F(consumer_calls_on_kafka, follow_a_pattern_that_is_matched_here) {
    auto quick = config();
    quick.metadata_max_age = 500ms;
    kafka().create_topic(topic + ".a", 1);
    kafka().produce(topic + ".a", {{{"partition", 0}, {"value", "first"}}});
    consumer reader(quick);
    reader.subscribe(topic_pattern(topic + "\\.(?:a|later)"));
    EXPECT_THAT(read(reader, 1), testing::ElementsAre("first"));
    kafka().create_topic(topic + ".later", 1);
    kafka().produce(topic + ".later", {{{"partition", 0}, {"value", "second"}}});
    EXPECT_THAT(read(reader, 1), testing::ElementsAre("second"));
}

// A listener that notes what it heard and commits by hand what leaves.
class noting_listener : public rebalance_listener {
public:
    void on_assigned(consumer_access, const partitions& added) override { assigned.insert(added.begin(), added.end()); }
    void on_revoked(consumer_access access, const partitions& leaving) override {
        revoked.insert(leaving.begin(), leaving.end());
        access.commit(5s);
    }

    std::set<topic_partition> assigned;
    std::set<topic_partition> revoked;
};

TEST_F(consumer_calls_on_kafka, run_the_listener_inside_poll_and_commit_through_its_access) {
    kafka().create_topic(topic, 2);
    kafka().produce_many(topic, 2, 20);
    auto by_hand = config();
    by_hand.enable_auto_commit = false;
    noting_listener listener;
    consumer reader(by_hand);
    reader.subscribe({topic}, listener);
    EXPECT_EQ(read(reader, 20).size(), 20U);
    EXPECT_EQ(listener.assigned.size(), 2U);

    kafka().call("member_start", {{"id", group}, {"group", group}, {"topics", json::array{topic}}});
    eventually("one partition has moved", 20s, [&] {
        reader.poll(50ms);
        return listener.revoked.size() == 1 && kafka().group_state(group) == "stable";
    });
    const auto leaving = to_string(*listener.revoked.begin());
    EXPECT_EQ(kafka().committed(group).at(leaving), 10);
    reader.close();
    EXPECT_THAT(kafka().call("member_stop", {{"id", group}}).as_array(), testing::SizeIs(testing::Le(10)))
        << "what was committed in the callback is not read again";
}

}  // namespace
}  // namespace strandline::live
