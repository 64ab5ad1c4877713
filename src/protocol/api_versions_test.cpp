#include "protocol/api_versions.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "protocol/codec.hpp"
#include "protocol/messages/api_versions.hpp"

namespace strandline::protocol {
namespace {

broker_api_versions broker(std::int16_t min, std::int16_t max) {
    return broker_api_versions({{api_key::fetch, {min, max}}});
}

TEST(api_versions, the_newest_version_that_both_speak_is_used) {
    EXPECT_EQ(usable_version(api_key::fetch, broker(4, 18)), 18);
    EXPECT_EQ(usable_version(api_key::fetch, broker(0, 11)), 11);
    EXPECT_EQ(usable_version(api_key::fetch, broker(10, 99)), 18);
}

TEST(api_versions, a_cap_lowers_it) {
    EXPECT_EQ(usable_version(api_key::fetch, broker(4, 18), 12), 12);
    EXPECT_EQ(usable_version(api_key::fetch, broker(4, 11), 12), 11);
    EXPECT_EQ(usable_version(api_key::fetch, broker(14, 18), 12), std::nullopt);
}

TEST(api_versions, without_a_common_version_there_is_none) {
    EXPECT_EQ(usable_version(api_key::fetch, broker(0, 3)), std::nullopt);
    EXPECT_EQ(usable_version(api_key::fetch, broker(19, 20)), std::nullopt);
    EXPECT_EQ(usable_version(api_key::metadata, broker(4, 18)), std::nullopt);
    EXPECT_EQ(usable_version(api_key::join_group, broker_api_versions({{api_key::join_group, {0, 9}}})), std::nullopt);
}

TEST(api_versions, a_brokers_answer_is_looked_up_whatever_its_order_and_keys_we_do_not_know_stay) {
    messages::api_versions_response response;
    for (const auto key : {api_key::metadata, api_key{12'345}, api_key::fetch}) {
        auto& api = response.api_keys.emplace_back();
        api.api_key = key;
        api.min_version = 4;
        api.max_version = 9;
    }
    const broker_api_versions versions(response);
    EXPECT_EQ(versions.find(api_key::fetch), (version_range{4, 9}));
    EXPECT_EQ(versions.find(api_key{12'345}), (version_range{4, 9}));
    EXPECT_EQ(versions.find(api_key::produce), std::nullopt);
    EXPECT_EQ(versions.apis().size(), 3u);
}

// A broker that does not speak our version of ApiVersions answers 35 with a body of version 0 that lists key 18.
TEST(api_versions, the_refusal_of_our_version_is_read_as_version_0_and_names_the_version_to_retry_with) {
    const auto body = base::shared_bytes::copy_of(base::as_bytes({"\0\x23\0\0\0\x01\0\x12\0\0\0\x04", 12}));
    const auto response = decode<messages::api_versions_response>(body, 0);
    ASSERT_TRUE(response) << response.error();
    EXPECT_EQ(response->error_code, broker_error::unsupported_version);
    EXPECT_EQ(usable_version(api_key::api_versions, broker_api_versions(*response)), 4);
}

TEST(api_versions, we_know_from_which_version_on_an_api_is_flexible) {
    EXPECT_EQ(first_flexible_version(api_key::fetch), 12);
    EXPECT_EQ(first_flexible_version(api_key::offset_delete), never_flexible);
    EXPECT_EQ(first_flexible_version(api_key::vote), std::nullopt);
}

TEST(api_versions, what_we_speak_stands_in_the_order_of_the_keys) {
    const auto apis = spoken_apis();
    for (std::size_t i = 1; i < apis.size(); ++i) EXPECT_LT(apis[i - 1].key, apis[i].key);
    EXPECT_EQ(spoken_versions(api_key::produce), (version_range{3, 13}));
    EXPECT_EQ(spoken_versions(api_key::sync_group), std::nullopt);
}

}  // namespace
}  // namespace strandline::protocol
