// What poll returns, what counts as processed, and what a bad partition does.
#include "client/consumer_testsupport.hpp"

namespace strandline::client::testsupport {
namespace {

// One batch at offset 0, whole but for its only record.
void deliver_unreadable(scripted_runtime& reactor) {
    records::batch_builder builder;
    builder.append({.timestamp = 0, .key = {}, .value = base::as_bytes("not"), .headers = {}});
    const auto good = builder.build();
    std::vector<std::byte> bad(good.view().begin(), good.view().end());
    bad[records::batch_layout::records] = std::byte{0x7f};  // a negative size
    reactor.deliver_bytes(0, 0, 1, base::shared_bytes::copy_of(bad));
}

TEST_F(consumer_test, poll_returns_records_with_all_their_parts) {
    subscribed();
    reactor->deliver(0, 7, {"one", "two"});
    auto got = polled();
    std::vector<owned_record> all;
    for (const auto& each : got) all.push_back(each.to_owned());
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[1].partition, orders_0);
    EXPECT_EQ(all[1].offset, 8);
    EXPECT_EQ(all[1].leader_epoch, 5);
    EXPECT_EQ(all[1].timestamp.time_since_epoch(), 1000ms);
    EXPECT_EQ(all[1].timestamp_type, timestamp_type::create_time);
    EXPECT_EQ(as_text(bytes(*all[1].value)), "two");
}

TEST_F(consumer_test, a_second_pass_over_the_same_records_sees_them_again) {
    subscribed();
    reactor->deliver(0, 0, {"a", "b", "c"}, records::compression_codec::zstd);
    auto got = polled();
    EXPECT_FALSE(got.empty());
    int count = 0;
    for (int pass = 0; pass < 2; ++pass) {
        for (const auto& each : got) count += each.offset() >= 0 ? 1 : 0;
    }
    EXPECT_EQ(count, 6);
}

TEST_F(consumer_test, poll_returns_empty_at_its_timeout) {
    subscribed();
    EXPECT_TRUE(poll(*state, 1ms)->empty());
}

TEST_F(consumer_test, poll_needs_something_to_poll) { EXPECT_EQ(poll(*state, 1ms).error(), errc::invalid_state); }

TEST_F(consumer_test, commit_covers_what_iteration_has_moved_past) {
    subscribed();
    reactor->deliver(0, 0, {"a", "b", "c"});
    auto got = polled();
    auto at = got.begin();
    ++at;
    EXPECT_EQ(committed_now(), 1);
    ++at;
    EXPECT_EQ(committed_now(), 2);
    ++at;
    EXPECT_EQ(committed_now(), 3);
}

TEST_F(consumer_test, an_asynchronous_commit_covers_what_iteration_has_moved_past) {
    subscribed();
    reactor->deliver(0, 0, {"a", "b", "c"});
    auto got = polled();
    auto at = got.begin();
    ++at;
    ASSERT_TRUE(commit_async(*state, 0, std::nullopt, {}).has_value());
    operationless_turn();
    EXPECT_EQ(reactor->look([](auto& seen) { return seen.committed.at(orders_0).offset; }), 1);
}

// tickets: (F8)
TEST_F(consumer_test, commit_of_a_record_covers_it_too_and_fails_once_it_was_sought) {
    recording_listener listener;
    subscribed(listener);
    reactor->deliver(0, 0, {"a", "b", "c"});
    auto got = polled();
    auto at = got.begin();
    ++at;
    listener.on_any = [&](consumer_access given) {
        given.commit(*at);
        EXPECT_EQ(reactor->look([](auto& seen) { return seen.committed.at(orders_0).offset; }), 2);
        given.seek(orders_0, 0);
        EXPECT_EQ(given.try_commit(*at).error(), errc::commit_failed);
    };
    reactor->want_callback(boundary::callback_wanted::kind::revoked, {orders_0});
    EXPECT_TRUE(poll(*state, 0ms)->empty());
    EXPECT_EQ(listener.heard.size(), 1U);
}

TEST_F(consumer_test, commit_of_a_record_covers_what_earlier_polls_returned_of_its_partition) {
    recording_listener listener;
    subscribed(listener);
    reactor->deliver(0, 0, {"a", "b"});
    auto unread = polled();
    reactor->deliver(0, 2, {"c", "d"});
    auto newer = polled();
    const auto first = newer.begin();
    listener.on_any = [&](consumer_access given) { given.commit(*first); };
    reactor->want_callback(boundary::callback_wanted::kind::revoked, {{"orders", 7}});
    EXPECT_TRUE(poll(*state, 0ms)->empty());
    EXPECT_EQ(reactor->look([](auto& seen) { return seen.committed.at(orders_0).offset; }), 3);
    EXPECT_EQ(values(std::move(unread)), (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(committed_now(), 3);
}

// tickets: KAFKA-18641 (C1) M1 B22
TEST_F(consumer_test, an_exception_or_a_break_never_commits_what_was_not_handled) {
    subscribed();
    reactor->deliver(0, 0, {"a", "b", "c"});
    try {
        for (const auto& each : polled()) {
            if (each.offset() == 1) throw std::runtime_error("cannot handle b");
        }
    } catch (const std::runtime_error& failure) {
        EXPECT_STREQ(failure.what(), "cannot handle b");
    }
    EXPECT_EQ(committed_now(), 1);
}

// tickets: KAFKA-18641 (C1) B22
TEST_F(consumer_test, the_next_poll_counts_what_is_no_longer_held) {
    subscribed();
    reactor->deliver(0, 0, {"a", "b", "c"});
    {
        auto dropped = polled();
    }
    EXPECT_EQ(committed_now(), 0);
    static_cast<void>(poll(*state, 0ms));
    EXPECT_EQ(told(), 3);
}

TEST_F(consumer_test, what_is_still_held_counts_only_as_far_as_read_and_holds_up_what_came_later) {
    subscribed();
    reactor->deliver(0, 0, {"a", "b", "c"});
    auto held = polled();
    auto at = held.begin();
    ++at;
    reactor->deliver(0, 3, {"d"});
    EXPECT_EQ(values(polled()), std::vector<std::string>{"d"});
    static_cast<void>(poll(*state, 0ms));
    EXPECT_EQ(told(), 1);
    ++at;
    ++at;
    static_cast<void>(poll(*state, 0ms));
    EXPECT_EQ(told(), 4);
}

TEST_F(consumer_test, parts_are_decoded_on_another_thread_and_count_as_far_as_they_are_read_there) {
    subscribed();
    reactor->deliver(0, 0, {"a", "b"}, records::compression_codec::lz4);
    auto parts = polled().by_partition();
    ASSERT_EQ(parts.size(), 1U);
    EXPECT_EQ(parts.front().topic_partition(), orders_0);
    std::thread([&, part = std::move(parts.front())]() mutable {
        int count = 0;
        for (const auto& each : part) count += each.value() ? 1 : 0;
        EXPECT_EQ(count, 2);
    }).join();
    EXPECT_EQ(committed_now(), 2);
}

TEST_F(consumer_test, records_outlive_the_consumer) {
    subscribed();
    reactor->deliver(0, 0, {"a"}, records::compression_codec::zstd);
    auto got = polled();
    static_cast<void>(close(*state, 0, 5s, group_membership::by_default));
    state.reset();
    for (const auto& each : got) EXPECT_EQ(each.value_text(), "a");
    make({.bootstrap_servers = "localhost:9092", .group_id = "billing"});
}

TEST_F(consumer_test, max_poll_records_cuts_a_batch_and_loses_nothing) {
    make({.bootstrap_servers = "localhost:9092", .group_id = "billing", .max_poll_records = 2});
    for (const auto codec : {records::compression_codec::none, records::compression_codec::lz4}) {
        subscribed();
        ASSERT_TRUE(seek(*state, 0, orders_0, offset_and_metadata(0)).has_value());
        reactor->deliver(0, 0, {"a", "b", "c", "d", "e"}, codec);
        EXPECT_EQ(values(polled()), (std::vector<std::string>{"a", "b"}));
        EXPECT_EQ(values(polled()), (std::vector<std::string>{"c", "d"}));
        EXPECT_EQ(position(*state, 0, orders_0, 5s), 4);
        EXPECT_EQ(values(polled()), (std::vector<std::string>{"e"}));
    }
}

TEST_F(consumer_test, a_stretch_that_was_cut_is_read_right_although_the_one_before_was_not) {
    make({.bootstrap_servers = "localhost:9092", .group_id = "billing", .max_poll_records = 2});
    subscribed();
    reactor->deliver(0, 0, {"a", "b", "c"}, records::compression_codec::gzip);
    auto unread = polled();
    EXPECT_EQ(values(polled()), std::vector<std::string>{"c"});
    EXPECT_EQ(values(std::move(unread)), (std::vector<std::string>{"a", "b"}));
}

// tickets: M7
TEST_F(consumer_test, control_records_move_the_mark_without_ending_a_poll) {
    subscribed();
    reactor->deliver_bytes(0, 0, 1, records::make_transaction_marker(records::control_record_type::commit, 0, 9, 0));
    EXPECT_TRUE(poll(*state, 1ms)->empty());
    EXPECT_EQ(told(), 1);
}

TEST_F(consumer_test, a_bad_batch_ends_its_partition_with_an_error_that_is_told_once) {
    subscribed();
    records::batch_builder builder;
    builder.append({.timestamp = 0, .key = {}, .value = base::as_bytes("fine"), .headers = {}});
    builder.append({.timestamp = 0, .key = {}, .value = base::as_bytes("not"), .headers = {}});
    const auto good = builder.build();
    std::vector<std::byte> bad(good.view().begin(), good.view().end());
    const auto first_size = std::to_integer<std::size_t>(bad[records::batch_layout::records]) / 2;
    bad[records::batch_layout::records + 1 + first_size] = std::byte{0x7f};  // a negative size
    reactor->deliver_bytes(0, 0, 2, base::shared_bytes::copy_of(bad));
    EXPECT_EQ(values(polled()), std::vector<std::string>{"fine"});
    const auto second = poll(*state, 0ms);
    ASSERT_FALSE(second.has_value());
    EXPECT_EQ(second.error(), errc::corrupt_record);
    EXPECT_EQ(second.error().about().partition, orders_0);
    EXPECT_EQ(second.error().about().offset, 1);
    reactor->deliver(0, 2, {"behind"});
    EXPECT_TRUE(poll(*state, 1ms)->empty());
    EXPECT_EQ(committed_now(), 1);
    ASSERT_TRUE(seek(*state, 0, orders_0, offset_and_metadata(1)).has_value());
    reactor->deliver(0, 1, {"behind"});
    EXPECT_EQ(values(polled()), std::vector<std::string>{"behind"});
}

TEST_F(consumer_test, what_was_fetched_behind_a_record_that_cannot_be_read_is_not_delivered_in_its_place) {
    subscribed();
    deliver_unreadable(*reactor);
    reactor->deliver(0, 1, {"behind"});
    auto held = polled();
    for (int pass = 0; pass < 2; ++pass) {
        for (const auto& each : held) ADD_FAILURE() << "offset " << each.offset() << " lies behind";
    }
    EXPECT_EQ(held.next_offsets(), (offsets{{orders_0, 0}}));
}

TEST_F(consumer_test, a_poll_that_ends_in_an_error_at_its_entry_has_met_the_fences_all_the_same) {
    subscribed();
    deliver_unreadable(*reactor);
    auto held = polled();
    for (const auto& each : held) ADD_FAILURE() << "nothing is to be read, and offset " << each.offset() << " was";
    reactor->fence(0);
    EXPECT_EQ(poll(*state, 0ms).error(), errc::corrupt_record);
    operationless_turn();
    reactor->look([](auto& seen) { EXPECT_EQ(seen.fences.size(), 1U); });
}

TEST_F(consumer_test, an_error_that_was_looked_at_is_not_reported_by_the_next_poll) {
    subscribed();
    error_subject about;
    about.partition = orders_0;
    reactor->deliver_bytes(0, 0, 0, {}, error(errc::corrupt_record, "bad checksum", about));
    auto got = polled();
    ASSERT_EQ(got.errors().size(), 1U);
    EXPECT_EQ(got.errors().front().partition, orders_0);
    EXPECT_TRUE(poll(*state, 0ms).has_value());
}

TEST_F(consumer_test, next_offsets_tell_the_position_behind_what_was_returned) {
    subscribed();
    reactor->deliver(0, 4, {"a", "b"});
    EXPECT_EQ(polled().next_offsets(), (offsets{{orders_0, {6, 5}}}));
}

// tickets: B20
TEST_F(consumer_test, a_poll_tells_where_the_reset_policy_led_with_records_or_without_and_once) {
    subscribed();
    const position_reset moved{orders_0, position_reset::cause::out_of_range, 3, 6, 6};
    reactor->tell_of_resets({moved});
    auto empty = poll(*state, 0ms);
    EXPECT_TRUE(empty->empty());
    EXPECT_EQ(empty->resets(), std::vector<position_reset>{moved});
    EXPECT_TRUE(poll(*state, 0ms)->resets().empty());

    reactor->tell_of_resets({moved});
    reactor->deliver(0, 6, {"a"});
    auto full = polled();
    EXPECT_EQ(full.resets(), std::vector<position_reset>{moved});
    EXPECT_EQ(values(std::move(full)), std::vector<std::string>{"a"});
}

TEST_F(consumer_test, a_poll_that_fails_keeps_the_resets_for_the_next) {
    subscribed();
    reactor->tell_of_resets({{orders_0, position_reset::cause::no_committed_offset, {}, 6, {}}});
    reactor->turn([](handoff::handoff& meeting) {
        meeting.notify(boundary::error_raised{error(errc::max_poll_exceeded, "late")});
    });
    EXPECT_EQ(poll(*state, 0ms).error(), errc::max_poll_exceeded);
    EXPECT_EQ(poll(*state, 0ms)->resets().size(), 1U);
}

}  // namespace
}  // namespace strandline::client::testsupport
