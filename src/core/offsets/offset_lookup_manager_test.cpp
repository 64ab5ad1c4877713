#include "core/offsets/offset_lookup_manager.hpp"

#include <gtest/gtest.h>

#include "core/exchange/manager_test_rig.hpp"
#include "core/offsets/list_offsets_test_rig.hpp"
#include "protocol/messages/list_offsets.hpp"

namespace strandline::core::offsets {

namespace {

using namespace exchange::test;
using boundary::command::list_offsets;
using protocol::broker_error;
using protocol::messages::list_offsets_request;

const topic_partition orders{"orders", 0};
const topic_partition bills{"bills", 0};

struct rig : manager_test_rig {
    rig() {
        know_topic("orders", 2);
        know_topic("bills", 1, 2, 7, 2);
        manager.emplace(*context, connections, cluster);
    }
    gathered_outputs plan() { return manager_test_rig::plan(*manager); }
    gathered_outputs ask(std::uint64_t token, std::map<topic_partition, std::int64_t> timestamps,
                         base::instant deadline = base::never) {
        manager->on_command(list_offsets{std::move(timestamps)}, boundary::operation_token(token), deadline, time());
        return plan();
    }
    void answer(const exchange::outbound_request& request, std::int64_t offset, std::int64_t timestamp = -1,
                broker_error failure = broker_error::none) {
        manager->on_response(answer_to(request, test::list_offsets_answer(request, offset, timestamp, 3, failure)),
                             time());
    }
    std::optional<offset_lookup_manager> manager;
};

}  // namespace

// tickets: B61
TEST(offset_lookup_manager, ends_are_asked_of_each_leader_under_the_isolation_level_in_use) {
    rig r;
    const auto out = r.ask(1, {{orders, list_offsets::latest}, {bills, list_offsets::earliest}});
    ASSERT_EQ(out.requests.size(), 2U);
    const auto& first = *out.requests[0].body.get_if<list_offsets_request>();
    EXPECT_EQ(first.isolation_level, 1);
    EXPECT_EQ(first.topics.at(0).partitions.at(0).timestamp, -1);
    EXPECT_EQ(r.facts.take<exchange::topics_of_interest>().at(0).names, (std::vector<std::string>{"bills", "orders"}));
    r.answer(out.requests[0], 100);
    EXPECT_TRUE(r.plan().completions.empty());
    r.answer(out.requests[1], 0);
    const auto done = r.plan();
    ASSERT_EQ(done.completions.size(), 1U);
    const auto& found = std::get<boundary::list_offsets_value>(*done.completions[0].outcome).found;
    EXPECT_EQ(found.at(orders)->offset, 100);
    EXPECT_EQ(found.at(orders)->leader_epoch, 3);
    EXPECT_EQ(found.at(bills)->offset, 0);
    EXPECT_TRUE(r.facts.take<exchange::topics_of_interest>().back().names.empty());
}

TEST(offset_lookup_manager, a_time_after_the_last_record_has_no_offset) {
    rig r;
    const auto out = r.ask(1, {{orders, 1'700'000'000'000}});
    r.answer(out.requests.at(0), -1);
    const auto done = r.plan();
    EXPECT_FALSE(std::get<boundary::list_offsets_value>(*done.completions.at(0).outcome).found.at(orders));
}

TEST(offset_lookup_manager, two_times_of_one_partition_go_in_two_requests) {
    rig r;
    EXPECT_EQ(r.ask(1, {{orders, 5}}).requests.size(), 1U);
    EXPECT_EQ(r.ask(2, {{orders, 6}}).requests.size(), 1U);
}

TEST(offset_lookup_manager, passing_errors_are_asked_again_until_the_deadline) {
    rig r;
    auto out = r.ask(1, {{orders, 5}}, r.now + 1s);
    r.answer(out.requests.at(0), 0, -1, broker_error::not_leader_or_follower);
    EXPECT_EQ(r.facts.take<exchange::metadata_stale>().size(), 1U);
    EXPECT_TRUE(r.plan().requests.empty());
    r.now = r.wake_at;
    out = r.plan();
    ASSERT_EQ(out.requests.size(), 1U);
    r.manager->on_response(no_answer_to(out.requests[0]), r.time());
    r.now = t0 + 1s;
    out = r.plan();
    ASSERT_EQ(out.completions.size(), 1U);
    EXPECT_TRUE(out.completions[0].outcome.error() == errc::timed_out);
    EXPECT_EQ(out.completions[0].outcome.error().about().partition, orders);
}

TEST(offset_lookup_manager, a_refusal_is_the_result_and_there_is_one_result_only) {
    rig r;
    const auto out = r.ask(1, {{orders, 5}, {{"orders", 1}, 5}});
    r.answer(out.requests.at(0), 0, -1, broker_error::topic_authorization_failed);
    const auto done = r.plan();
    ASSERT_EQ(done.completions.size(), 1U);
    EXPECT_EQ(done.completions[0].outcome.error().code().value(), 29);
}

TEST(offset_lookup_manager, a_partition_that_the_topic_does_not_have_is_named_once_fresh_metadata_says_so) {
    rig r;
    EXPECT_TRUE(r.ask(1, {{{"orders", 9}, 5}}).completions.empty());
    r.cluster.change().answers = 2;
    const auto out = r.plan();
    EXPECT_TRUE(out.completions.at(0).outcome.error() == errc::partition_not_found);
}

TEST(offset_lookup_manager, a_topic_that_is_refused_is_named_once_fresh_metadata_says_so) {
    for (const auto why : {broker_error::topic_authorization_failed, broker_error::invalid_topic_exception}) {
        rig r;
        EXPECT_TRUE(r.ask(1, {{{"secrets", 0}, 5}}).completions.empty());
        auto& cluster = r.cluster.change();
        cluster.topics["secrets"].failure = why;
        EXPECT_TRUE(r.plan().completions.empty()) << "what was known before may have been mended";
        cluster.answers = 2;
        const auto out = r.plan();
        ASSERT_EQ(out.completions.size(), 1U);
        EXPECT_EQ(out.completions[0].outcome.error().code().value(), static_cast<int>(why));
        EXPECT_EQ(out.completions[0].outcome.error().about().topic, "secrets");
    }
}

TEST(offset_lookup_manager, a_topic_that_is_merely_not_ready_is_waited_for) {
    rig r;
    r.ask(1, {{{"new", 0}, 5}});
    r.cluster.change().topics["new"].failure = broker_error::leader_not_available;
    r.cluster.change().answers = 2;
    EXPECT_TRUE(r.plan().completions.empty());
}

TEST(offset_lookup_manager, an_unknown_topic_is_waited_for_and_named_at_the_deadline) {
    rig r;
    EXPECT_TRUE(r.ask(1, {{{"new", 0}, 5}}, r.now + 1s).requests.empty());
    r.know_topic("new", 1);
    EXPECT_EQ(r.plan().requests.size(), 1U);

    rig late;
    late.ask(1, {{{"new", 0}, 5}}, late.now + 1s);
    late.now += 1s;
    const auto out = late.plan();
    EXPECT_NE(out.completions.at(0).outcome.error().message().find("new-0"), std::string::npos);
}

TEST(offset_lookup_manager, asking_for_nothing_and_cancelling_end_at_once) {
    rig r;
    EXPECT_EQ(r.ask(1, {}).completions.size(), 1U);
    const auto out = r.ask(2, {{orders, 5}});
    r.manager->on_cancel(boundary::operation_token(2), r.time());
    EXPECT_EQ(r.plan().completions.size(), 1U);
    r.answer(out.requests.at(0), 4);
    EXPECT_TRUE(r.plan().completions.empty());
}

}  // namespace strandline::core::offsets
