#include "protocol/broker_error.hpp"

#include <gtest/gtest.h>

namespace strandline::protocol {
namespace {

TEST(broker_error, has_kafkas_name_and_number) {
    EXPECT_EQ(to_string(broker_error::not_coordinator), "NOT_COORDINATOR(16)");
    EXPECT_EQ(to_string(broker_error::unknown_server_error), "UNKNOWN_SERVER_ERROR(-1)");
    EXPECT_EQ(meaning(broker_error::unsupported_version), "the broker does not speak this version of the API");
}

TEST(broker_error, says_whether_kafkas_clients_retry) {
    EXPECT_TRUE(is_retriable(broker_error::coordinator_load_in_progress));
    EXPECT_TRUE(is_retriable(broker_error::unknown_topic_id));
    EXPECT_FALSE(is_retriable(broker_error::fenced_member_epoch));
    EXPECT_FALSE(is_retriable(broker_error::none));
}

TEST(broker_error, a_code_of_a_newer_broker_survives_as_a_number) {
    constexpr broker_error newer{1234};
    EXPECT_EQ(to_string(newer), "UNKNOWN(1234)");
    EXPECT_FALSE(is_retriable(newer));
    EXPECT_FALSE(meaning(newer).empty());
}

}  // namespace
}  // namespace strandline::protocol
