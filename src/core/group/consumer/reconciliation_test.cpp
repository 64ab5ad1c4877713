#include "core/group/consumer/reconciliation.hpp"

#include <gtest/gtest.h>

#include "core/group/hand_driven.hpp"

namespace strandline::core::group::consumer {
namespace {

using namespace std::chrono_literals;
using callback = boundary::callback_wanted;
using exchange::wait_reason;
using numbers = std::vector<std::int32_t>;

constexpr base::instant start{100s};

protocol::topic_id topic_number(std::uint8_t number) {
    protocol::topic_id made;
    made.octets[15] = number;
    return made;
}
const protocol::topic_id orders = topic_number(1);
const protocol::topic_id orders_made_again = topic_number(2);

assignment_by_id target_of(const numbers& partitions, protocol::topic_id topic = orders) {
    assignment_by_id made;
    for (const auto each : partitions) made[topic].emplace_back(each);
    return made;
}
partitions orders_partitions(const numbers& which) {
    partitions made;
    for (const auto each : which) made.push_back({"orders", each});
    return made;
}

struct a_reconciliation : testing::Test {
    hand_driven by_hand{[] {
        boundary::core_config made;
        made.max_poll_interval = 60s;
        return made;
    }()};
    exchange::outbox out;
    reconciliation parts{by_hand.context(), by_hand.cluster, out};
    std::vector<exchange::fact> facts;
    std::uint64_t fence = 0;

    a_reconciliation() { name(orders); }
    void name(protocol::topic_id topic) { by_hand.cluster.change().names[topic] = "orders"; }

    void go(base::instant now = start) {
        parts.advance(now);
        facts = by_hand.take_facts();
        for (const auto& asked : told<exchange::fence_wanted>()) fence = asked.ticket;
    }
    void go_to(const numbers& partitions) {
        parts.take_target(target_of(partitions));
        go();
    }
    // Owns these; nothing is left to be told.
    void own(const numbers& partitions, bool listener = false) {
        parts.set_listener(listener);
        go_to(partitions);
        for (const auto& asked : callbacks()) parts.on_callback_answered(asked.id);
        by_hand.take_facts();
        facts.clear();
    }
    template <class Fact>
    std::vector<Fact> told() const {
        return only<Fact>(facts);
    }
    numbers owned() const {
        numbers made;
        for (const auto& partition : parts.owned()) made.push_back(partition->name.partition);
        return made;
    }
    std::vector<callback> callbacks() {
        std::vector<callback> asked;
        auto made = out.take();
        if (!made) return asked;
        auto outputs = std::move(*made).take_outputs();
        for (auto& one : outputs) asked.push_back(std::get<callback>(std::get<boundary::notice>(one)));
        return asked;
    }
    // The one that was asked for newest.
    void meet_fence() { parts.on_fences_met(fence); }
    // Answers the commit that was asked for newest.
    void commit_is_answered() {
        auto more = by_hand.take_facts();
        facts.insert(facts.end(), more.begin(), more.end());
        ASSERT_FALSE(told<exchange::revocation_commit_wanted>().empty());
        parts.on_committed(told<exchange::revocation_commit_wanted>().back().ticket);
    }
    kernel::reason why(base::instant now = start) const {
        exchange::pending_wait wait;
        parts.explain(wait, now);
        return wait.why;
    }
};

TEST_F(a_reconciliation, takes_what_is_assigned_and_asks_the_listener_if_there_is_one) {
    go_to({0, 1});
    EXPECT_EQ(owned(), (numbers{0, 1}));
    auto changes = told<exchange::assignment_changed>();
    ASSERT_EQ(changes.size(), 1U);
    EXPECT_EQ(changes[0].added.size(), 2U);
    EXPECT_FALSE(changes[0].callback_pending);
    EXPECT_TRUE(callbacks().empty());
    parts.set_listener(true);
    const auto before = parts.owned_version();
    go_to({0, 1, 2});
    EXPECT_GT(parts.owned_version(), before);
    changes = told<exchange::assignment_changed>();
    ASSERT_EQ(changes.size(), 1U);
    EXPECT_TRUE(changes[0].callback_pending);
    const auto asked = callbacks();
    ASSERT_EQ(asked.size(), 1U);
    EXPECT_EQ(asked[0].what, callback::kind::assigned);
    EXPECT_EQ(asked[0].which, orders_partitions({2}));
    parts.on_callback_answered(asked[0].id);
    const auto vouched = only<exchange::callback_acknowledged>(by_hand.take_facts());
    ASSERT_EQ(vouched.size(), 1U);
    EXPECT_EQ(vouched[0].which, orders_partitions({2}));
}

TEST_F(a_reconciliation, does_nothing_about_a_target_that_is_what_it_owns) {
    own({0, 1});
    const auto before = parts.owned_version();
    go_to({0, 1});
    EXPECT_TRUE(facts.empty());
    EXPECT_EQ(parts.owned_version(), before);
}

TEST_F(a_reconciliation, adds_a_topic_only_once_it_has_a_name) {
    parts.take_target(target_of({0}, orders_made_again));
    go();
    EXPECT_TRUE(owned().empty());
    EXPECT_EQ(parts.unnamed(), std::vector{orders_made_again});
    EXPECT_EQ(why(), exchange::because(wait_reason::topic_names));
    const auto version = parts.unnamed_version();
    go();
    EXPECT_EQ(parts.unnamed_version(), version);
    name(orders_made_again);
    parts.on_names_changed();
    go();
    EXPECT_EQ(owned(), numbers{0});
    EXPECT_TRUE(parts.unnamed().empty());
    EXPECT_GT(parts.unnamed_version(), version);
}

TEST_F(a_reconciliation, adds_only_after_what_leaves_has_left) {
    own({0, 1});
    go_to({1, 2});
    EXPECT_TRUE(parts.revoking());
    EXPECT_EQ(owned(), (numbers{0, 1}));
    EXPECT_EQ(told<exchange::fence_wanted>().at(0).leaving, orders_partitions({0}));
    EXPECT_EQ(why(), exchange::because(wait_reason::fences_of_revocation));
    meet_fence();
    EXPECT_EQ(why(), exchange::because(wait_reason::commit_of_revocation));
    commit_is_answered();
    go();
    EXPECT_FALSE(parts.revoking());
    EXPECT_EQ(owned(), (numbers{1, 2}));
    const auto changes = told<exchange::assignment_changed>();
    ASSERT_EQ(changes.size(), 2U);
    EXPECT_EQ(changes[0].removed, orders_partitions({0}));
    EXPECT_FALSE(changes[0].lost);
    EXPECT_EQ(changes[1].added.size(), 1U);
    ASSERT_EQ(told<exchange::partitions_gone>().size(), 1U);
    EXPECT_FALSE(told<exchange::partitions_gone>()[0].lost);
}

TEST_F(a_reconciliation, finishes_its_revocation_before_it_follows_a_newer_target) {
    own({0, 1});
    go_to({1});
    go_to({0, 1});  // it stays, after all
    EXPECT_TRUE(facts.empty());
    EXPECT_TRUE(parts.revoking());
    meet_fence();
    commit_is_answered();
    go();
    EXPECT_EQ(owned(), (numbers{0, 1}));
    const auto changes = told<exchange::assignment_changed>();
    ASSERT_EQ(changes.size(), 2U);
    EXPECT_EQ(changes[0].removed, orders_partitions({0}));
    EXPECT_EQ(changes[1].added.size(), 1U) << "it comes back as a new one";
}

TEST_F(a_reconciliation, revokes_a_topic_that_was_made_again_before_it_takes_the_new_one) {
    own({0});
    name(orders_made_again);
    parts.take_target(target_of({0}, orders_made_again));
    go();
    EXPECT_TRUE(parts.revoking());
    meet_fence();
    commit_is_answered();
    go();
    ASSERT_EQ(owned(), numbers{0});
    EXPECT_EQ((*parts.owned().begin())->topic_id, orders_made_again);
}

TEST_F(a_reconciliation, waits_for_the_listener_between_two_commits) {
    own({0, 1}, true);
    go_to({1});
    meet_fence();
    commit_is_answered();
    const auto asked = callbacks();
    ASSERT_EQ(asked.size(), 1U);
    EXPECT_EQ(asked[0].what, callback::kind::revoked);
    EXPECT_EQ(asked[0].which, orders_partitions({0}));
    EXPECT_TRUE(parts.listener_gives_up());
    EXPECT_EQ(why(), exchange::because(wait_reason::listener, asked[0].id.value()));
    parts.on_callback_answered(boundary::callback_id(999));
    EXPECT_TRUE(parts.listener_gives_up());
    parts.on_callback_answered(asked[0].id);
    EXPECT_FALSE(parts.listener_gives_up());
    EXPECT_EQ(why(), exchange::because(wait_reason::commit_of_revocation));
    commit_is_answered();
    go();
    EXPECT_EQ(owned(), numbers{1});
}

TEST_F(a_reconciliation, gives_up_at_the_end_of_the_time_that_the_group_gives_it) {
    own({0, 1});
    go_to({1});
    exchange::pending_wait wait;
    parts.explain(wait, start);
    EXPECT_EQ(wait.inputs.wake_at(), start + 60s);
    go(start + 59s);
    EXPECT_TRUE(parts.revoking());
    go(start + 60s);
    EXPECT_FALSE(parts.revoking());
    EXPECT_EQ(owned(), numbers{1});
}

TEST_F(a_reconciliation, releases_everything_when_the_application_asks_for_it) {
    own({0, 1}, true);
    parts.release(start + 5s);
    commit_is_answered();
    const auto asked = callbacks();
    ASSERT_EQ(asked.size(), 1U);
    EXPECT_EQ(asked[0].which, orders_partitions({0, 1}));
    parts.on_callback_answered(asked[0].id);
    commit_is_answered();
    go();
    EXPECT_TRUE(owned().empty());
    EXPECT_FALSE(parts.revoking());
}

TEST_F(a_reconciliation, releases_nothing_when_it_owns_nothing) {
    parts.release(start + 5s);
    parts.release_at_once(start + 5s);
    go();
    EXPECT_FALSE(parts.revoking());
    EXPECT_TRUE(facts.empty());
}

TEST_F(a_reconciliation, releases_at_once_for_another_assignment_and_waits_for_the_commit_alone) {
    own({0}, true);
    parts.release_at_once(start + 5s);
    EXPECT_TRUE(owned().empty());
    EXPECT_TRUE(parts.revoking());
    EXPECT_TRUE(callbacks().empty());
    commit_is_answered();
    go();
    EXPECT_FALSE(parts.revoking());
}

TEST_F(a_reconciliation, loses_everything_at_once_and_tells_the_listener_in_place_of_a_revocation) {
    own({0, 1}, true);
    go_to({1});
    meet_fence();
    commit_is_answered();
    const auto revoked = callbacks();
    ASSERT_EQ(revoked.size(), 1U);
    parts.lose_all();
    EXPECT_TRUE(owned().empty());
    EXPECT_FALSE(parts.revoking());
    const auto lost = callbacks();
    ASSERT_EQ(lost.size(), 1U);
    EXPECT_EQ(lost[0].what, callback::kind::lost);
    EXPECT_EQ(lost[0].which, orders_partitions({1})) << "the handoff adds those of the superseded one";
    EXPECT_EQ(lost[0].supersedes, revoked[0].id);
    EXPECT_TRUE(parts.listener_hears_of_loss());
    facts = by_hand.take_facts();
    ASSERT_EQ(told<exchange::partitions_gone>().size(), 1U);
    EXPECT_TRUE(told<exchange::partitions_gone>()[0].lost);
    EXPECT_TRUE(told<exchange::assignment_changed>().back().lost);
    go();
    EXPECT_TRUE(owned().empty()) << "the target of that membership is forgotten";
}

TEST_F(a_reconciliation, tells_a_listener_of_a_first_assignment_with_nothing_in_it) {
    parts.tell_of_nothing();
    EXPECT_TRUE(callbacks().empty());
    parts.set_listener(true);
    parts.tell_of_nothing();
    const auto asked = callbacks();
    ASSERT_EQ(asked.size(), 1U);
    EXPECT_TRUE(asked[0].which.empty());
    parts.on_callback_answered(asked[0].id);
    EXPECT_TRUE(by_hand.take_facts().empty()) << "it vouches for nothing";
}

TEST_F(a_reconciliation, follows_no_target_once_it_is_stopped_and_gives_up_when_it_is_told) {
    own({0, 1}, true);
    go_to({1});  // a revocation under way ends there
    parts.stop();
    EXPECT_FALSE(parts.revoking());
    facts = by_hand.take_facts();
    EXPECT_EQ(told<exchange::fence_wanted>().at(0).leaving, orders_partitions({0, 1}));
    parts.stop();
    EXPECT_TRUE(by_hand.take_facts().empty());
    parts.tell_of_nothing();
    EXPECT_TRUE(callbacks().empty());
    go_to({0, 1, 2});
    EXPECT_EQ(owned(), (numbers{0, 1}));
    parts.call_listener_to_stop();
    auto asked = callbacks();
    ASSERT_EQ(asked.size(), 1U);
    EXPECT_EQ(asked[0].which, orders_partitions({0, 1}));
    parts.call_listener_to_stop();
    EXPECT_TRUE(callbacks().empty()) << "once for each partition";
    parts.on_callback_answered(asked[0].id);
    parts.give_up_stopped();
    EXPECT_TRUE(owned().empty());
    EXPECT_FALSE(only<exchange::partitions_gone>(by_hand.take_facts()).at(0).lost);
}

}  // namespace
}  // namespace strandline::core::group::consumer
