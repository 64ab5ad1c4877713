#include "testkit/fake_cluster/fetch_sessions.hpp"

#include <gtest/gtest.h>

namespace strandline::testkit::fake {
namespace {

using protocol::broker_error;

constexpr std::int16_t by_id = 13;
constexpr protocol::broker_id broker{1};
const protocol::topic_id orders{};

messages::fetch_request request(std::int32_t session, std::int32_t epoch, const std::vector<int>& partitions) {
    messages::fetch_request made;
    made.session_id = session;
    made.session_epoch = protocol::session_epoch(epoch);
    if (!partitions.empty()) {
        auto& topic = made.topics.emplace_back();
        topic.topic_id = orders;
        for (const auto index : partitions) {
            topic.partitions.emplace_back().partition = protocol::partition_index(index);
        }
    }
    return made;
}

std::vector<int> indexes(const std::vector<session_partition>& partitions) {
    std::vector<int> found;
    for (const auto& one : partitions) found.push_back(one.asked.partition.value());
    return found;
}

TEST(fetch_sessions, remember_what_a_client_fetches) {
    fetch_sessions sessions;
    const auto opened = sessions.begin(request(0, 0, {0, 1}), by_id, broker);
    EXPECT_NE(opened.session_id, 0);
    EXPECT_FALSE(opened.incremental);
    const auto next = sessions.begin(request(opened.session_id, 1, {2}), by_id, broker);
    EXPECT_TRUE(next.incremental);
    EXPECT_EQ(indexes(next.partitions), (std::vector{0, 1, 2}));
}

TEST(fetch_sessions, forget_what_the_client_forgets) {
    fetch_sessions sessions;
    const auto id = sessions.begin(request(0, 0, {0, 1}), by_id, broker).session_id;
    auto forgetting = request(id, 1, {});
    auto& forgotten = forgetting.forgotten_topics_data.emplace_back();
    forgotten.topic_id = orders;
    forgotten.partitions.emplace_back(0);
    EXPECT_EQ(indexes(sessions.begin(forgetting, by_id, broker).partitions), std::vector{1});
}

TEST(fetch_sessions, refuse_epochs_out_of_order_and_sessions_of_others) {
    fetch_sessions sessions;
    const auto id = sessions.begin(request(0, 0, {0}), by_id, broker).session_id;
    EXPECT_EQ(sessions.begin(request(id, 2, {}), by_id, broker).error, broker_error::invalid_fetch_session_epoch);
    EXPECT_EQ(sessions.begin(request(id, 1, {}), 12, broker).error, broker_error::fetch_session_topic_id_error);
    EXPECT_EQ(sessions.begin(request(id + 1, 1, {}), by_id, broker).error, broker_error::fetch_session_id_not_found);
    EXPECT_EQ(sessions.begin(request(id, 1, {}), by_id, protocol::broker_id(2)).error,
              broker_error::fetch_session_id_not_found);
    EXPECT_EQ(sessions.begin(request(id, 1, {}), by_id, broker).error, broker_error::none);
}

TEST(fetch_sessions, end_with_their_final_epoch) {
    fetch_sessions sessions;
    const auto id = sessions.begin(request(0, 0, {0}), by_id, broker).session_id;
    EXPECT_EQ(sessions.size(), 1u);
    EXPECT_EQ(sessions.begin(request(id, -1, {}), by_id, broker).session_id, 0);
    EXPECT_EQ(sessions.size(), 0u);
}

TEST(fetch_sessions, put_behind_the_others_who_had_data) {
    fetch_sessions sessions;
    const auto opened = sessions.begin(request(0, 0, {0, 1, 2}), by_id, broker);
    auto first = opened.partitions[0];
    sessions.told(opened.session_id, {first});
    EXPECT_EQ(indexes(sessions.begin(request(opened.session_id, 1, {}), by_id, broker).partitions),
              (std::vector{0, 1, 2}));
    first.got_records = true;
    sessions.told(opened.session_id, {first});
    EXPECT_EQ(indexes(sessions.begin(request(opened.session_id, 2, {}), by_id, broker).partitions),
              (std::vector{1, 2, 0}));
}

TEST(fetch_sessions, are_given_to_nobody_when_refused) {
    fetch_sessions sessions;
    sessions.refuse(true);
    const auto context = sessions.begin(request(0, 0, {0}), by_id, broker);
    EXPECT_EQ(context.session_id, 0);
    EXPECT_EQ(indexes(context.partitions), std::vector{0});
}

}  // namespace
}  // namespace strandline::testkit::fake
