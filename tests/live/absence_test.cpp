// A member that is away from poll, in the application's own work: what goes on without it, what waits for it, and what
// becomes of it when it stays away too long.
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

class absent_member : public one_broker_test {
protected:
    static constexpr int partitions_in_all = 4;

    consumer_config config() {
        return {.bootstrap_servers = cluster().bootstrap_servers(),
                .group_id = group,
                .client_id = "absent",
                .auto_offset_reset = offset_reset::earliest};
    }

    void SetUp() override {
        kafka().create_topic(topic, partitions_in_all);
        kafka().produce_many(topic, partitions_in_all, 40);
    }

    void TearDown() override {
        if (other_joined_) kafka().call("member_stop", {{"id", group}});
    }

    // Reads until `count` records have come, each of them processed.
    static std::set<topic_partition> read(consumer& member, int count) {
        std::set<topic_partition> from;
        const auto deadline = std::chrono::steady_clock::now() + 20s;
        while (count > 0) {
            if (std::chrono::steady_clock::now() > deadline) {
                throw not_in_time(std::to_string(count) + " records did not come: " + to_string(member.explain()));
            }
            for (const record& one : member.poll(500ms)) {
                from.insert(one.topic_partition());
                --count;
            }
        }
        return from;
    }

    void join_another() {
        kafka().call("member_start", {{"id", group}, {"group", group}, {"topics", json::array{topic}}});
        other_joined_ = true;
    }

    // The partitions that the coordinator counts as the absent member's own.
    std::size_t owned_by_absent_member() {
        const auto description = kafka().describe_group(group);
        for (const auto& member : description.at("members").as_array()) {
            if (member.at("client_id") == "absent") return member.at("assignment").as_array().size();
        }
        return 0;
    }

    bool shared_by_two() {
        const auto description = kafka().describe_group(group);
        return description.at("state") == "stable" && description.at("members").as_array().size() == 2 &&
               owned_by_absent_member() == partitions_in_all / 2;
    }

private:
    bool other_joined_ = false;
};

TEST_F(absent_member, without_listener_and_with_nothing_outstanding_lets_the_group_go_on) {
    consumer member(config());
    member.subscribe({topic});
    EXPECT_EQ(read(member, 40).size(), 4U);
    EXPECT_TRUE(member.poll(0ms).empty());
    const auto left = std::chrono::steady_clock::now();

    // Nobody polls from here on.
    join_another();
    eventually("the group is stable with two members", 15s, [&] { return shared_by_two(); });
    EXPECT_EQ(member.assignment().size(), 2U);

    // The partitions that stay are fetched on, and their lag is known without a poll.
    const auto stayed = member.assignment();
    kafka().produce_many(topic, partitions_in_all, 40);
    for (const auto& partition : stayed) {
        eventually("the new records of " + to_string(partition) + " are known", 10s,
                   [&] { return member.lag(partition) == 10; });
    }

    // More than three sessions.
    const auto away = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - left);
    throughout("the absent member stays in the stable group", 20s - std::min(away, std::chrono::milliseconds(20s)),
               [&] { return shared_by_two(); });
    const auto from = read(member, 20);
    EXPECT_EQ(partitions(from.begin(), from.end()), stayed);
}

TEST_F(absent_member, holding_records_gives_up_their_partitions_at_its_next_poll) {
    consumer member(config());
    member.subscribe({topic});
    std::vector<polled_records> held;
    eventually("records of all partitions are held", 20s, [&] {
        held.push_back(member.poll(500ms));
        std::set<topic_partition> of;
        for (const auto& each : held) {
            for (const auto& [partition, next] : each.next_offsets()) of.insert(partition);
        }
        return of.size() == partitions_in_all;
    });

    join_another();
    eventually("the other member has joined", 15s,
               [&] { return kafka().describe_group(group).at("members").as_array().size() == 2; });
    throughout("the partitions with records outstanding stay where they are", 5s,
               [&] { return owned_by_absent_member() == partitions_in_all; });

    for (auto& each : held) {
        for (const record& one : each) EXPECT_EQ(one.topic(), topic);
    }
    held.clear();
    eventually("the group is stable with two members once polled", 15s, [&] {
        member.poll(0ms);
        return shared_by_two();
    });
    member.close();
    // Everything was processed, and each offset was committed before its partition went.
    eventually("all 40 records are committed", 15s, [&] {
        std::int64_t committed = 0;
        for (const auto& [partition, offset] : kafka().committed(group)) committed += offset;
        return committed == 40;
    });
    EXPECT_TRUE(kafka().call("member_lines", {{"id", group}}).as_array().empty()) << "nothing came twice";
}

TEST_F(absent_member, longer_than_max_poll_interval_has_left_and_hears_of_it) {
    auto impatient = config();
    impatient.max_poll_interval = 2s;
    consumer member(impatient);
    member.subscribe({topic});
    read(member, 40);
    eventually("the member has left the group", 15s,
               [&] { return kafka().describe_group(group).at("members").as_array().empty(); });
    const auto answer = member.try_poll(1s);
    ASSERT_FALSE(answer.has_value());
    EXPECT_EQ(answer.error(), errc::max_poll_exceeded) << answer.error().message();
    // And is back with the next ones.
    kafka().produce_many(topic, partitions_in_all, 4);
    EXPECT_FALSE(read(member, 4).empty());
}

}  // namespace
}  // namespace strandline::live
