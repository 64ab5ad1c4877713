#include "testkit/fake_cluster/consumer_groups.hpp"

#include <gtest/gtest.h>

namespace strandline::testkit::fake {
namespace {

using namespace std::chrono_literals;
using protocol::broker_error;
using request = messages::consumer_group_heartbeat_request;
using response = messages::consumer_group_heartbeat_response;
using owned = std::vector<int>;  // partitions of "orders"

struct groups_of_orders : testing::Test {
    groups_of_orders() {
        cluster.add_broker(protocol::broker_id(1), "");
        orders = cluster.create_topic("orders", 4, 1).id;
    }

    request joining(const std::string& member) const {
        request made;
        made.group_id = "billing";
        made.member_id = member;
        made.member_epoch = protocol::member_epoch(0);
        made.rebalance_timeout_ms = 60000;
        made.subscribed_topic_names = {"orders"};
        made.topic_partitions.emplace();
        return made;
    }
    request beating(const std::string& member, std::int32_t epoch, const std::optional<owned>& partitions = {}) const {
        request made;
        made.group_id = "billing";
        made.member_id = member;
        made.member_epoch = protocol::member_epoch(epoch);
        made.rebalance_timeout_ms = -1;
        made.topic_partitions = std::nullopt;
        made.subscribed_topic_names = std::nullopt;
        if (partitions) {
            made.topic_partitions.emplace();
            if (!partitions->empty()) {
                auto& topic = made.topic_partitions->emplace_back();
                topic.topic_id = orders;
                for (const auto index : *partitions) topic.partitions.emplace_back(index);
            }
        }
        return made;
    }
    response send(const request& what) { return groups.heartbeat(what, "test", now); }
    response join(const std::string& member) { return send(joining(member)); }
    response beat(const std::string& member, std::int32_t epoch, const std::optional<owned>& partitions = {}) {
        return send(beating(member, epoch, partitions));
    }
    static std::optional<owned> assigned(const response& answer) {
        if (!answer.assignment) return std::nullopt;
        owned found;
        for (const auto& topic : answer.assignment->topic_partitions) {
            for (const auto index : topic.partitions) found.push_back(index.value());
        }
        return found;
    }
    std::string state() { return state_name(*groups.find("billing")); }
    broker_error commit(const std::string& member, std::int32_t epoch, int partition = 0) {
        const consumer_groups::committing who{"billing", member, epoch, std::nullopt, true};
        const auto error = groups.check_commit(who);
        return error == broker_error::none ? groups.commit(who, {orders, partition}, {7, -1, ""}) : error;
    }

    cluster_state cluster{"cluster", 1};
    consumer_groups groups{cluster, {}};
    protocol::topic_id orders;
    base::instant now{};
};

TEST_F(groups_of_orders, the_first_member_gets_everything_at_once) {
    const auto joined = join("a");
    EXPECT_EQ(joined.error_code, broker_error::none);
    EXPECT_EQ(joined.member_epoch.value(), 2);
    EXPECT_EQ(joined.heartbeat_interval_ms, 5000);
    EXPECT_EQ(assigned(joined), (owned{0, 1, 2, 3}));
    EXPECT_EQ(state(), "Stable");
    // What has not changed is not told again.
    EXPECT_EQ(assigned(beat("a", 2)), std::nullopt);
}

TEST_F(groups_of_orders, a_partition_is_given_only_after_its_owner_has_revoked_it) {
    join("a");
    const auto joined = join("b");
    EXPECT_EQ(joined.member_epoch.value(), 3);
    EXPECT_EQ(assigned(joined), owned{});
    EXPECT_EQ(state(), "Reconciling");

    // The owner is told, and keeps its epoch until it has confirmed.
    const auto told = beat("a", 2);
    EXPECT_EQ(told.member_epoch.value(), 2);
    EXPECT_EQ(assigned(told), (owned{0, 1}));
    EXPECT_EQ(assigned(beat("b", 3, owned{})), std::nullopt);
    EXPECT_EQ(beat("a", 2, owned{0, 1, 2, 3}).member_epoch.value(), 2);

    EXPECT_EQ(beat("a", 2, owned{0, 1}).member_epoch.value(), 3);
    EXPECT_EQ(assigned(beat("b", 3)), (owned{2, 3}));
    EXPECT_EQ(state(), "Stable");
}

TEST_F(groups_of_orders, a_member_that_does_not_revoke_in_time_is_removed) {
    join("a");
    join("b");
    beat("a", 2);
    now += 60s;
    beat("b", 3);
    groups.on_time(now);
    EXPECT_EQ(beat("a", 2).error_code, broker_error::unknown_member_id);
    EXPECT_EQ(assigned(beat("b", 3)), (owned{0, 1, 2, 3}));
}

TEST_F(groups_of_orders, a_silent_member_is_removed) {
    join("a");
    EXPECT_EQ(groups.next_deadline(), now + 45s);
    groups.on_time(now + 45s);
    EXPECT_EQ(state(), "Empty");
    EXPECT_EQ(groups.next_deadline(), base::never);
}

TEST_F(groups_of_orders, wrong_epochs_and_unknown_members_are_fenced) {
    join("a");
    EXPECT_EQ(beat("a", 6).error_code, broker_error::fenced_member_epoch);
    EXPECT_EQ(beat("x", 2).error_code, broker_error::unknown_member_id);
    auto elsewhere = beating("a", 1);
    elsewhere.group_id = "nobody's";
    EXPECT_EQ(send(elsewhere).error_code, broker_error::group_id_not_found);
}

TEST_F(groups_of_orders, the_previous_epoch_is_taken_from_who_has_missed_the_answer) {
    join("a");
    groups.find("billing")->epoch = 3;
    EXPECT_EQ(beat("a", 2).member_epoch.value(), 3);
    EXPECT_EQ(beat("a", 2).error_code, broker_error::fenced_member_epoch);
    EXPECT_EQ(beat("a", 2, owned{0, 1, 2, 3}).member_epoch.value(), 3);
}

TEST_F(groups_of_orders, leaving_gives_partitions_to_the_others) {
    join("a");
    join("b");
    beat("a", 2);
    beat("a", 2, owned{0, 1});
    EXPECT_EQ(beat("a", -1).error_code, broker_error::none);
    EXPECT_EQ(state(), "Assigning");
    EXPECT_EQ(assigned(beat("b", 3)), (owned{0, 1, 2, 3}));
}

// tickets: B38
TEST_F(groups_of_orders, a_static_member_comes_back_to_what_it_had) {
    auto first = joining("a");
    first.instance_id = "one";
    send(first);
    auto second = joining("b");
    second.instance_id = "one";
    EXPECT_EQ(send(second).error_code, broker_error::unreleased_instance_id);
    auto away = beating("a", -2);
    away.instance_id = "one";
    EXPECT_EQ(send(away).error_code, broker_error::none);
    const auto back = send(second);
    EXPECT_EQ(back.error_code, broker_error::none);
    EXPECT_EQ(back.member_epoch.value(), 2);
    EXPECT_EQ(assigned(back), (owned{0, 1, 2, 3}));
    EXPECT_EQ(beat("a", 2).error_code, broker_error::unknown_member_id);
}

TEST_F(groups_of_orders, commits_of_members_are_checked) {
    EXPECT_EQ(commit("a", 2), broker_error::group_id_not_found);
    join("a");
    EXPECT_EQ(commit("a", 2), broker_error::none);
    EXPECT_EQ(commit("a", 3), broker_error::stale_member_epoch);
    EXPECT_EQ(commit("x", 2), broker_error::unknown_member_id);
    EXPECT_EQ(commit("", -1), broker_error::unknown_member_id);
    // An older epoch is good for what the member has owned since then.
    join("b");
    beat("a", 2);
    beat("a", 2, owned{0, 1});
    EXPECT_EQ(commit("a", 2, 0), broker_error::none);
    EXPECT_EQ(commit("a", 2, 3), broker_error::stale_member_epoch);
}

TEST_F(groups_of_orders, anybody_commits_for_a_group_without_members) {
    EXPECT_EQ(commit("", -1), broker_error::none);
    EXPECT_TRUE(groups.find("billing")->is_simple);
    EXPECT_EQ(groups.committed("billing", {orders, 0})->offset, 7);
}

TEST_F(groups_of_orders, new_partitions_and_topics_are_noticed_at_the_next_heartbeat) {
    auto by_pattern = joining("a");
    by_pattern.subscribed_topic_names = std::nullopt;
    by_pattern.subscribed_topic_regex = "ord.*";
    EXPECT_EQ(assigned(send(by_pattern)), (owned{0, 1, 2, 3}));
    cluster.add_partitions(*cluster.find_topic("orders"), 5, 1);
    EXPECT_EQ(assigned(beat("a", 2)), (owned{0, 1, 2, 3, 4}));
    cluster.create_topic("ordinary", 1, 1);
    EXPECT_EQ(assigned(beat("a", 3))->size(), 6u);
    cluster.create_topic("others", 1, 1);
    EXPECT_EQ(assigned(beat("a", 4)), std::nullopt);
}

TEST_F(groups_of_orders, invalid_requests_are_refused) {
    auto bad = joining("a");
    bad.subscribed_topic_regex = "(";
    EXPECT_EQ(send(bad).error_code, broker_error::invalid_regular_expression);
    bad = joining("a");
    bad.server_assignor = "random";
    EXPECT_EQ(send(bad).error_code, broker_error::unsupported_assignor);
    bad = joining("a");
    bad.rebalance_timeout_ms = -1;
    EXPECT_EQ(send(bad).error_code, broker_error::invalid_request);
    EXPECT_EQ(beat("a", -2).error_code, broker_error::invalid_request);
}

TEST_F(groups_of_orders, configs_of_a_group_hold_for_it) {
    cluster.group_configs("billing")["consumer.heartbeat.interval.ms"] = "1000";
    cluster.group_configs("billing")["consumer.session.timeout.ms"] = "6000";
    EXPECT_EQ(join("a").heartbeat_interval_ms, 1000);
    EXPECT_EQ(groups.next_deadline(), now + 6s);
}

}  // namespace
}  // namespace strandline::testkit::fake
