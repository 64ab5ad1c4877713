// How much is asked for, what is held back, and what need not wait for a long poll.
#include <gtest/gtest.h>

#include "core/fetch/fetch_manager.hpp"
#include "core/fetch/fetch_test_rig.hpp"

namespace strandline::core::fetch {

namespace {

using namespace fetch::test;

constexpr std::size_t mebibyte = std::size_t{1024} * 1024;

}  // namespace

TEST(fetch_memory, a_fetch_asks_for_about_what_stays_in_the_cache_and_never_for_more_than_is_free) {
    rig r;
    r.place(0, 10);
    EXPECT_EQ(fetch_of(r.plan().requests.at(0)).max_bytes, static_cast<std::int32_t>(mebibyte));

    rig tight;
    tight.config.memory_limit = 2 * mebibyte;
    tight.make().on_space(2 * mebibyte - 300'000, tight.time());
    tight.place(0, 10);
    EXPECT_EQ(fetch_of(tight.plan().requests.at(0)).max_bytes, 300'000);
}

TEST(fetch_memory, the_users_own_limits_are_kept) {
    rig r;
    r.config.fetch_max_bytes = 10'000;
    r.place(0, 10);
    EXPECT_EQ(fetch_of(r.plan().requests.at(0)).max_bytes, 10'000);

    rig large;
    large.config.fetch_min_bytes = 5'000'000;
    large.place(0, 10);
    EXPECT_EQ(fetch_of(large.plan().requests.at(0)).max_bytes, 5'000'000);
}

TEST(fetch_memory, requests_in_flight_count_until_they_are_answered) {
    rig r;
    r.config.memory_limit = 2 * mebibyte;
    r.know_topic("orders", 2, 1);
    r.place(0, 10);
    r.place(1, 10);
    r.make().on_space(mebibyte / 2, r.time());
    r.lead(1, 2, 5);
    const auto out = r.plan();
    ASSERT_EQ(out.requests.size(), 2U);
    EXPECT_EQ(fetch_of(out.requests[0]).max_bytes, static_cast<std::int32_t>(mebibyte));
    EXPECT_EQ(fetch_of(out.requests[1]).max_bytes, static_cast<std::int32_t>(mebibyte / 2));
}

TEST(fetch_memory, a_broker_whose_long_poll_took_all_the_room_comes_last_when_it_has_ended) {
    rig r;
    r.config.memory_limit = mebibyte;
    r.know_topic("orders", 2, 1);
    r.place(0, 10);
    r.place(1, 10);
    r.lead(1, 2, 5);
    std::vector<std::int32_t> asked;
    auto out = r.plan();
    for (int polls = 0; polls < 4; ++polls) {
        ASSERT_EQ(out.requests.size(), 1U);
        EXPECT_TRUE(r.awaits_space);
        asked.push_back(out.requests[0].broker.value());
        r.answer(out.requests[0], 9, {});
        out = r.settle();
    }
    EXPECT_EQ(asked, (std::vector<std::int32_t>{1, 2, 1, 2}));
}

TEST(fetch_memory, without_room_nothing_is_asked_and_space_is_awaited) {
    rig r;
    r.make().on_space(r.config.memory_limit - 1000, r.time());
    r.place(0, 10);
    EXPECT_TRUE(r.plan().requests.empty());
    EXPECT_TRUE(r.awaits_space);
    EXPECT_EQ(r.wake_at, base::never);
    r.make().on_space(0, r.time());
    EXPECT_EQ(r.plan().requests.size(), 1U);
    EXPECT_FALSE(r.awaits_space);
}

// tickets: KAFKA-17182 (B6) M6
TEST(fetch_memory, a_partition_is_asked_for_until_its_share_waits_and_again_when_half_of_it_was_taken) {
    rig r;
    r.place(0, 0);
    r.place(1, 0);
    auto out = r.plan();
    std::vector<boundary::completed_fetch> waiting;
    std::int64_t offset = 0;
    // One partition floods: it has the whole share to itself.
    for (int answers = 0; answers < 4; ++answers) {
        EXPECT_TRUE(fetch_of(out.requests.at(0)).forgotten_topics_data.empty());
        r.answer(out.requests[0], 9, {data_at(0, records_at(offset++, 1, mebibyte), 1000)});
        out = r.settle();
        waiting.push_back(out.fetched.at(0));
    }
    // Its share is used: it leaves the session, the other stays.
    ASSERT_EQ(fetch_of(out.requests.at(0)).forgotten_topics_data.size(), 1U);
    EXPECT_TRUE(fetch_of(out.requests[0]).topics.empty());
    EXPECT_TRUE(r.awaits_queue_space);
    EXPECT_FALSE(r.awaits_space) << "there is enough of it";

    r.drain(waiting[0]);
    r.answer(out.requests[0], 9, {});
    out = r.settle();
    EXPECT_TRUE(fetch_of(out.requests.at(0)).topics.empty());
    r.drain(waiting[2]);
    r.answer(out.requests[0], 9, {});
    out = r.settle();
    EXPECT_EQ(offsets_of(fetch_of(out.requests.at(0))), (std::map<std::int32_t, std::int64_t>{{0, 4}}));
}

// tickets: B87
TEST(fetch_memory, many_partitions_share_what_one_alone_may_have) {
    rig r;
    for (std::int32_t partition = 0; partition < 300; ++partition) r.place(partition, 0);
    auto out = r.plan();
    std::size_t waiting = 0;
    for (int answers = 0; answers < 1000 && !out.requests.empty(); ++answers) {
        std::vector<partition_data> data;
        for (std::int32_t i = 0; i < 10; ++i) {
            const auto partition = (answers * 10 + i) % 300;
            data.push_back(data_at(partition, records_at(r.state(partition).position->offset, 1, 100'000), 1000));
        }
        waiting += 10 * data[0].records->size();
        r.answer(out.requests[0], 9, std::move(data));
        r.make().on_space(waiting, r.time());
        out = r.settle();
    }
    EXPECT_TRUE(out.requests.empty());
    EXPECT_LT(waiting, r.config.memory_limit + mebibyte);
    EXPECT_TRUE(r.awaits_queue_space);
}

// tickets: KAFKA-15529 (C2)
TEST(fetch_memory, data_of_an_earlier_incarnation_no_longer_holds_its_partition_back) {
    rig r;
    r.place(0, 0);
    auto out = r.plan();
    r.answer(out.requests[0], 9, {data_at(0, records_at(0, 1, 5 * mebibyte), 1000)});
    EXPECT_TRUE(r.settle().requests.empty());
    r.seek(0, 7);
    out = r.settle();
    EXPECT_EQ(offsets_of(fetch_of(out.requests.at(0))), (std::map<std::int32_t, std::int64_t>{{0, 7}}));
}

TEST(fetch_memory, a_far_broker_is_asked_for_more_at_once) {
    rig r;
    r.place(0, 0);
    auto out = r.plan();
    std::int64_t offset = 0;
    for (int answers = 0; answers < 5; ++answers) {
        const auto asked = static_cast<std::size_t>(fetch_of(out.requests.at(0)).max_bytes);
        r.answer(out.requests[0], 9, {data_at(0, records_at(offset++, 1, asked), 1000)}, 80ms);
        out = r.settle();
        r.drain(out.fetched.at(0));
        auto more = r.settle();
        if (out.requests.empty()) out = std::move(more);
    }
    EXPECT_EQ(fetch_of(out.requests.at(0)).max_bytes, static_cast<std::int32_t>(8 * mebibyte));
}

// A seek does not wait for the end of a long poll.
// tickets: B16
TEST(fetch_memory, what_changes_during_a_long_poll_is_asked_for_beside_it) {
    rig r;
    r.place(0, 10);
    r.place(1, 0);
    auto out = r.plan();
    r.answer(out.requests[0], 9, {});
    auto polled = r.settle();
    const auto poll = std::move(polled.requests.at(0));
    r.now += 100ms;
    r.seek(0, 3);
    out = r.settle();
    ASSERT_EQ(out.requests.size(), 1U);
    EXPECT_EQ(out.requests[0].role, exchange::connection_role::control);
    const auto& beside = fetch_of(out.requests[0]);
    EXPECT_EQ(beside.session_id, 0);
    EXPECT_EQ(beside.session_epoch.value(), -1);
    EXPECT_EQ(beside.max_wait_ms, 0);
    EXPECT_EQ(offsets_of(beside), (std::map<std::int32_t, std::int64_t>{{0, 3}}));

    // It goes on beside the poll as long as that lasts, but asks for each offset only once.
    r.answer(out.requests[0], 0, {data_at(0, records_at(3, 2), 100)});
    out = r.settle();
    EXPECT_EQ(out.fetched.at(0).next_offset, 5);
    EXPECT_EQ(offsets_of(fetch_of(out.requests.at(0))), (std::map<std::int32_t, std::int64_t>{{0, 5}}));
    r.answer(out.requests[0], 0, {data_at(0, {}, 5)});
    EXPECT_TRUE(r.settle().requests.empty());

    // The session hears of it with the next poll.
    r.answer(poll, 9, {});
    out = r.settle();
    ASSERT_EQ(out.requests.size(), 1U);
    EXPECT_EQ(out.requests[0].role, exchange::connection_role::fetch);
    EXPECT_EQ(offsets_of(fetch_of(out.requests[0])), (std::map<std::int32_t, std::int64_t>{{0, 5}}));
}

TEST(fetch_memory, an_answer_that_may_come_at_any_moment_is_waited_for_first) {
    rig r;
    r.place(0, 10);
    r.plan();
    r.place(1, 0);
    EXPECT_TRUE(r.settle().requests.empty());
    EXPECT_EQ(r.wake_at, r.now + broker_fetcher::urgent_after);
    r.now = r.wake_at;
    EXPECT_EQ(offsets_of(fetch_of(r.plan().requests.at(0))), (std::map<std::int32_t, std::int64_t>{{1, 0}}));
}

TEST(fetch_memory, paused_data_is_asked_back_when_there_is_no_room_for_what_could_go_on) {
    rig r;
    r.place(0, 0);
    r.place(1, 0);
    auto out = r.plan();
    r.answer(out.requests.at(0), 9, {data_at(0, records_at(0, 1, mebibyte), 1000), data_at(1, records_at(0, 1), 1000)});
    out = r.settle();
    r.change(0).paused = true;
    r.tell(0);
    EXPECT_TRUE(r.settle().recalls.empty()) << "there is room";
    r.answer(out.requests.at(0), 9, {});
    r.make().on_space(r.config.memory_limit, r.time());
    out = r.settle();
    EXPECT_TRUE(out.requests.empty());
    ASSERT_EQ(out.recalls.size(), 1U);
    EXPECT_EQ(out.recalls[0].slot, r.state(0).slot);
    EXPECT_TRUE(r.settle().recalls.empty()) << "it is asked for once";

    // It comes back: the other goes on, and this one is fetched from where it stands then, once it may.
    r.change(0).position->offset = 0;
    r.make().on_buffer_drained({r.state(0).slot, r.state(0).era, 1, 0}, r.time());
    r.tell(0);
    r.make().on_space(mebibyte, r.time());
    out = r.settle();
    ASSERT_EQ(out.requests.size(), 1U);
    EXPECT_TRUE(out.recalls.empty());
    r.change(0).paused = false;
    r.tell(0);
    r.answer(out.requests[0], 9, {});
    out = r.settle();
    EXPECT_EQ(offsets_of(fetch_of(out.requests.at(0))), (std::map<std::int32_t, std::int64_t>{{0, 0}}));
}

TEST(fetch_memory, data_that_will_be_taken_is_not_asked_back) {
    rig r;
    r.place(0, 0);
    auto out = r.plan();
    r.answer(out.requests.at(0), 9, {data_at(0, records_at(0, 1, mebibyte), 1000)});
    r.make().on_space(r.config.memory_limit, r.time());
    out = r.settle();
    EXPECT_TRUE(out.requests.empty());
    EXPECT_TRUE(out.recalls.empty());
    EXPECT_TRUE(r.awaits_space);
}

TEST(fetch_memory, an_answer_that_cannot_be_read_gives_up_its_connection_and_begins_the_session_anew) {
    rig r;
    r.place(0, 10);
    const auto out = r.plan();
    exchange::response garbage;
    garbage.id = out.requests.at(0).id;
    garbage.owner = exchange::manager::fetch;
    garbage.operation = out.requests[0].operation;
    garbage.broker = out.requests[0].broker;
    garbage.version = out.requests[0].version;
    garbage.connection = 7;
    garbage.body = base::shared_bytes::copy_of(base::as_bytes("no answer"));
    r.make().on_response(garbage, r.time());
    const auto told = r.facts.take<exchange::answer_unreadable>();
    ASSERT_EQ(told.size(), 1U);
    EXPECT_EQ(told[0].broker, garbage.broker);
    EXPECT_EQ(told[0].connection, 7U);
    EXPECT_FALSE(told[0].why.empty());
}

TEST(fetch_memory, closing_ends_the_sessions_and_not_behind_a_long_poll) {
    rig r;
    r.place(0, 10);
    const auto out = r.plan();
    r.answer(out.requests[0], 9, {});
    r.settle();
    r.lifecycle.change().stage = exchange::close_stage::commit;
    EXPECT_TRUE(r.plan().stages.empty());
    r.lifecycle.change().stage = exchange::close_stage::drain;
    const auto closing = r.plan();
    ASSERT_EQ(closing.requests.size(), 1U);
    EXPECT_EQ(closing.requests[0].role, exchange::connection_role::control);
    EXPECT_EQ(fetch_of(closing.requests[0]).session_id, 9);
    EXPECT_EQ(fetch_of(closing.requests[0]).session_epoch.value(), -1);
    ASSERT_EQ(closing.stages.size(), 1U);
    EXPECT_EQ(closing.stages[0].stage, exchange::close_stage::drain);
    EXPECT_TRUE(r.plan().stages.empty());
}

TEST(fetch_memory, a_session_is_told_of_very_many_partitions_in_several_requests_that_do_not_wait) {
    constexpr auto partitions = static_cast<std::int32_t>(exchange::most_partitions_at_once * 5 / 2);
    rig r;
    r.know_topic("orders", partitions);
    for (std::int32_t partition = 0; partition < partitions; ++partition) r.place(partition, 0);
    auto out = r.plan();
    // The broker forgets the session once: the next one is told of all of them as well.
    for (const std::int32_t session : {9, 10}) {
        std::map<std::int32_t, std::int64_t> told;
        for (const std::int32_t expected : {0, 0, 500}) {
            ASSERT_EQ(out.requests.size(), 1U);
            const auto offsets = offsets_of(fetch_of(out.requests[0]));
            EXPECT_LE(offsets.size(), exchange::most_partitions_at_once);
            told.insert(offsets.begin(), offsets.end());
            EXPECT_EQ(fetch_of(out.requests[0]).max_wait_ms, expected);
            r.answer(out.requests[0], session, {});
            out = r.settle();
        }
        EXPECT_EQ(told.size(), static_cast<std::size_t>(partitions));
        EXPECT_TRUE(fetch_of(out.requests.at(0)).topics.empty());
        r.refuse(out.requests[0], broker_error::fetch_session_id_not_found);
        out = r.settle();
    }
}

TEST(fetch_memory, a_broker_that_keeps_no_session_is_asked_about_everything_each_time) {
    constexpr std::int32_t partitions = 15'000;
    rig r;
    r.know_topic("orders", partitions);
    for (std::int32_t partition = 0; partition < partitions; ++partition) r.place(partition, 0);
    auto out = r.plan();
    for (int polls = 0; polls < 3; ++polls) {
        r.answer(out.requests.at(0), 0, {});
        out = r.settle();
        EXPECT_EQ(offsets_of(fetch_of(out.requests.at(0))).size(), static_cast<std::size_t>(partitions));
    }
}

TEST(fetch_memory, an_idle_consumer_of_many_partitions_looks_at_none_of_them) {
    constexpr auto partitions = static_cast<std::int32_t>(exchange::most_partitions_at_once * 2);
    rig r;
    r.know_topic("orders", partitions);
    for (std::int32_t partition = 0; partition < partitions; ++partition) r.place(partition, 0);
    auto out = r.plan();
    r.answer(out.requests.at(0), 9, {});
    out = r.settle();
    for (int polls = 0; polls < 200; ++polls) {
        r.answer(out.requests.at(0), 9, {});
        out = r.settle();
        ASSERT_EQ(out.requests.size(), 1U);
        ASSERT_TRUE(fetch_of(out.requests[0]).topics.empty());
    }
}

}  // namespace strandline::core::fetch
