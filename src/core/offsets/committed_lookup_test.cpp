#include "core/offsets/committed_lookup.hpp"

#include <gtest/gtest.h>

#include "core/offsets/commit_test_rig.hpp"

namespace strandline::core::offsets {

namespace {

using namespace offsets::test;

struct lookup_rig : commit_rig {
    lookup_rig() { config.enable_auto_commit = false; }

    gathered_outputs want(const std::vector<topic_partition>& partitions) {
        exchange::committed_wanted wanted;
        for (const auto& partition : partitions) {
            wanted.which.emplace_back(slot_of(partition), change(partition).era);
        }
        make().on_fact(wanted, time());
        return plan();
    }
    gathered_outputs ask(std::uint64_t token, const partitions& which, base::instant deadline = base::never) {
        make().on_command(boundary::command::committed{which}, boundary::operation_token(token), deadline, time());
        return plan();
    }
    struct finding {
        std::int32_t partition;
        std::int64_t offset;
        broker_error failure = broker_error::none;
    };
    void found(const exchange::outbound_request& request, const std::vector<finding>& findings,
               broker_error failure = broker_error::none) {
        offset_fetch_response response;
        auto& group = response.groups.emplace_back();
        group.group_id = "billing";
        group.error_code = failure;
        auto& topic = group.topics.emplace_back();
        topic.name = "orders";
        topic.topic_id = id_of(1);
        for (const auto& each : findings) {
            auto& partition = topic.partitions.emplace_back();
            partition.partition_index = protocol::partition_index(each.partition);
            partition.committed_offset = each.offset;
            partition.committed_leader_epoch = protocol::leader_epoch(each.offset < 0 ? -1 : 4);
            partition.error_code = each.failure;
        }
        make().on_response(answer_to(request, response), time());
    }
};

}  // namespace

TEST(committed_lookup, asks_for_stable_offsets_as_the_member_and_tells_what_it_finds_of_each_partition) {
    lookup_rig r;
    const auto out = r.want({orders, more_orders});
    ASSERT_EQ(out.requests.size(), 1U);
    EXPECT_EQ(out.requests[0].version, 10);
    const auto& asked = *out.requests[0].body.get_if<offset_fetch_request>();
    EXPECT_TRUE(asked.require_stable);
    EXPECT_EQ(asked.groups.at(0).member_id, "member-1");
    EXPECT_EQ(asked.groups[0].member_epoch.value(), 7);
    EXPECT_EQ(asked.groups[0].topics->at(0).topic_id, id_of(1));
    EXPECT_EQ(asked.groups[0].topics->at(0).partition_indexes.size(), 2U);

    r.found(out.requests[0], {{0, 12}, {1, -1}});
    const auto known = r.facts.take<exchange::committed_known>();
    ASSERT_EQ(known.size(), 2U);
    EXPECT_EQ(known[0].committed, offset_and_metadata(12, 4));
    EXPECT_FALSE(known[1].committed);
    EXPECT_FALSE(known[1].failure);
}

TEST(committed_lookup, very_many_partitions_are_asked_about_in_several_requests_one_after_the_other) {
    constexpr std::size_t rest = 500;
    constexpr auto many = static_cast<std::int32_t>(exchange::most_partitions_at_once + rest);
    lookup_rig r;
    std::vector<topic_partition> wanted;
    for (std::int32_t i = 10; i < 10 + many; ++i) {
        wanted.emplace_back("orders", i);
        r.assign(wanted.back());
    }
    auto out = r.want(wanted);
    std::size_t known = 0;
    for (const std::size_t expected : {exchange::most_partitions_at_once, rest}) {
        ASSERT_EQ(out.requests.size(), 1U);
        std::vector<lookup_rig::finding> findings;
        const auto& asked = *out.requests[0].body.get_if<offset_fetch_request>();
        for (const auto index : asked.groups.at(0).topics->at(0).partition_indexes) {
            findings.push_back({index.value(), 1});
        }
        EXPECT_EQ(findings.size(), expected);
        r.found(out.requests[0], findings);
        known += r.facts.take<exchange::committed_known>().size();
        out = r.plan();
    }
    EXPECT_TRUE(out.requests.empty());
    EXPECT_EQ(known, static_cast<std::size_t>(many));
}

// An error is never taken for "nothing committed".
TEST(committed_lookup, passing_errors_are_asked_again) {
    for (const auto why : {broker_error::unstable_offset_commit, broker_error::unknown_topic_id,
                           broker_error::coordinator_load_in_progress, broker_error::request_timed_out}) {
        lookup_rig r;
        auto out = r.want({orders, more_orders});
        r.found(out.requests.at(0), {{0, 12}, {1, 0, why}});
        EXPECT_EQ(r.facts.take<exchange::committed_known>().size(), 1U) << why;
        EXPECT_TRUE(r.plan().requests.empty()) << why;
        r.now = r.wake_at;
        out = r.plan();
        ASSERT_EQ(out.requests.size(), 1U) << why;
        const auto& asked = *out.requests[0].body.get_if<offset_fetch_request>();
        EXPECT_EQ(asked.groups[0].topics->at(0).partition_indexes, (std::vector{protocol::partition_index(1)})) << why;
    }
}

// tickets: KAFKA-20765 (A7) B28
TEST(committed_lookup, a_stale_epoch_is_asked_again_only_with_a_newer_one) {
    lookup_rig r;
    auto out = r.want({orders});
    r.found(out.requests.at(0), {}, broker_error::stale_member_epoch);
    r.now += 10s;
    EXPECT_TRUE(r.plan().requests.empty());
    r.member.change().epoch = protocol::member_epoch(8);
    out = r.plan();
    ASSERT_EQ(out.requests.size(), 1U);
    EXPECT_EQ(out.requests[0].body.get_if<offset_fetch_request>()->groups[0].member_epoch.value(), 8);
}

TEST(committed_lookup, a_stale_epoch_is_asked_again_as_well_when_no_newer_one_comes) {
    lookup_rig r;
    auto out = r.want({orders});
    r.found(out.requests.at(0), {}, broker_error::stale_member_epoch);
    const auto until = r.now + r.config.request_timeout;
    r.now += 10s;
    EXPECT_TRUE(r.plan().requests.empty());
    EXPECT_EQ(r.wake_at, until);
    r.now = until;
    out = r.plan();
    ASSERT_EQ(out.requests.size(), 1U);
    r.found(out.requests[0], {{0, 12}});
    EXPECT_EQ(r.facts.take<exchange::committed_known>().at(0).committed, offset_and_metadata(12, 4));
}

TEST(committed_lookup, what_is_asked_while_a_request_is_in_flight_goes_with_the_next_one) {
    lookup_rig r;
    const auto first = r.want({orders});
    EXPECT_TRUE(r.ask(5, {orders}).requests.empty());
    r.found(first.requests.at(0), {{0, 12}});
    const auto second = r.plan();
    ASSERT_EQ(second.requests.size(), 1U);
    EXPECT_TRUE(second.completions.empty());
    r.found(second.requests[0], {{0, 13}});
    const auto done = r.plan();
    EXPECT_EQ(std::get<strandline::offsets>(*done.completions.at(0).outcome),
              (strandline::offsets{{orders, offset_and_metadata(13, 4)}}));
}

TEST(committed_lookup, a_refusal_fails_the_call_or_stops_the_partition_with_the_brokers_word) {
    lookup_rig r;
    auto out = r.ask(5, {orders});
    r.found(out.requests.at(0), {}, broker_error::group_authorization_failed);
    out = r.plan();
    ASSERT_EQ(out.completions.size(), 1U);
    EXPECT_EQ(out.completions[0].outcome.error().code().value(), 30);

    out = r.want({orders});
    r.found(out.requests.at(0), {{0, 0, broker_error::topic_authorization_failed}});
    const auto known = r.facts.take<exchange::committed_known>();
    ASSERT_EQ(known.size(), 1U);
    EXPECT_EQ(known[0].failure->code().value(), 29);
}

TEST(committed_lookup, a_member_that_the_group_does_not_know_is_told_to_the_membership) {
    lookup_rig r;
    const auto out = r.want({orders});
    r.found(out.requests.at(0), {}, broker_error::unknown_member_id);
    EXPECT_EQ(r.facts.take<exchange::member_fenced>().size(), 1U);
    EXPECT_TRUE(r.facts.take<exchange::committed_known>().empty());
}

// tickets: KAFKA-17066 (C5) B91
TEST(committed_lookup, nobody_asks_for_partitions_that_are_gone_or_have_moved) {
    lookup_rig r;
    r.coordinator.change().broker = protocol::no_broker;
    r.want({orders});
    r.change(orders).era = boundary::incarnation(50);
    r.coordinator.change().broker = protocol::broker_id(3);
    EXPECT_TRUE(r.plan().requests.empty());
}

TEST(committed_lookup, a_topic_that_was_deleted_meanwhile_is_asked_about_by_its_name) {
    lookup_rig r;
    auto out = r.ask(5, {orders});
    EXPECT_EQ(out.requests.at(0).version, 10);
    r.found(out.requests[0], {{0, -1, broker_error::unknown_topic_id}});
    EXPECT_EQ(r.facts.take<exchange::metadata_stale>().size(), 1U);
    r.cluster.change().topics.at("orders").failure = broker_error::unknown_topic_or_partition;
    static_cast<void>(r.plan());
    r.now = r.wake_at;
    out = r.plan();
    ASSERT_EQ(out.requests.size(), 1U);
    EXPECT_EQ(out.requests[0].version, 9);
    r.found(out.requests[0], {{0, -1}});
    const auto done = r.plan();
    ASSERT_EQ(done.completions.size(), 1U);
    EXPECT_TRUE(std::get<strandline::offsets>(*done.completions[0].outcome).empty());
}

TEST(committed_lookup, a_topic_that_was_made_anew_meanwhile_is_asked_about_by_its_new_id) {
    lookup_rig r;
    auto out = r.ask(5, {orders});
    r.found(out.requests.at(0), {{0, -1, broker_error::unknown_topic_id}});
    r.cluster.change().topics.at("orders").id = id_of(9);
    static_cast<void>(r.plan());
    r.now = r.wake_at;
    out = r.plan();
    ASSERT_EQ(out.requests.size(), 1U);
    EXPECT_EQ(out.requests[0].body.get_if<offset_fetch_request>()->groups.at(0).topics->at(0).topic_id, id_of(9));
}

TEST(committed_lookup, a_call_ends_at_its_deadline) {
    lookup_rig r;
    r.coordinator.change().broker = protocol::no_broker;
    EXPECT_TRUE(r.ask(5, {orders}, r.now + 1s).completions.empty());
    r.now += 1s;
    const auto out = r.plan();
    EXPECT_TRUE(out.completions.at(0).outcome.error() == errc::timed_out);
    EXPECT_TRUE(r.plan().completions.empty());
}

TEST(committed_lookup, a_call_that_was_put_off_until_its_deadline_names_what_the_coordinator_said) {
    lookup_rig r;
    const auto asked = r.ask(5, {orders}, r.now + 1s);
    r.found(asked.requests.at(0), {{0, -1, broker_error::unstable_offset_commit}});
    static_cast<void>(r.plan());
    r.now += 1s;
    const auto out = r.plan();
    const auto& why = out.completions.at(0).outcome.error();
    EXPECT_TRUE(why == errc::timed_out);
    EXPECT_NE(why.message().find("UNSTABLE_OFFSET_COMMIT"), std::string::npos) << why.message();
}

// tickets: KAFKA-18034 (D3); invariants: V13 V20
TEST(committed_lookup, a_call_ends_at_once_when_the_coordinator_is_refused_for_good) {
    lookup_rig r;
    r.coordinator.change().broker = protocol::no_broker;
    EXPECT_TRUE(r.ask(5, {orders}, r.now + 60s).completions.empty());
    const error refusal(errc::fatal_group_error, "not for you", {}, {.retriable = false, .fatal = true});
    r.coordinator.change().refusal = refusal;
    const auto out = r.plan();
    ASSERT_EQ(out.completions.size(), 1U);
    EXPECT_EQ(out.completions[0].outcome.error(), refusal);
    EXPECT_TRUE(r.plan().completions.empty());
}

TEST(committed_lookup, an_older_coordinator_is_asked_by_name_for_one_group) {
    lookup_rig r;
    r.network.newest[protocol::api_key::offset_fetch] = 7;
    const auto out = r.want({orders});
    const auto& asked = *out.requests.at(0).body.get_if<offset_fetch_request>();
    EXPECT_EQ(asked.group_id, "billing");
    EXPECT_TRUE(asked.require_stable);
    offset_fetch_response response;
    auto& topic = response.topics.emplace_back();
    topic.name = "orders";
    auto& partition = topic.partitions.emplace_back();
    partition.committed_offset = 6;
    r.make().on_response(answer_to(out.requests[0], response), r.time());
    EXPECT_EQ(r.facts.take<exchange::committed_known>().at(0).committed, offset_and_metadata(6));
}

}  // namespace strandline::core::offsets
