#include "core/connection/handshake.hpp"

#include <gtest/gtest.h>

#include "protocol/codec.hpp"
#include "protocol/messages/api_versions.hpp"

namespace strandline::core::connection {
namespace {

using protocol::broker_error;
using protocol::messages::api_versions_request;
using protocol::messages::api_versions_response;

base::shared_bytes body_of(const api_versions_response& answer, std::int16_t version) {
    protocol::writer out;
    EXPECT_TRUE(protocol::encode(out, answer, version));
    return std::move(out).take();
}

// What a broker answers that does not speak the version it was asked with: version 0, its own range listed.
base::shared_bytes refusal(std::int16_t oldest, std::int16_t newest) {
    api_versions_response answer;
    answer.error_code = broker_error::unsupported_version;
    answer.api_keys.push_back({protocol::api_key::api_versions, oldest, newest});
    return body_of(answer, 0);
}

api_versions_response acceptance() {
    api_versions_response answer;
    answer.api_keys.push_back({protocol::api_key::metadata, 0, 13});
    return answer;
}

TEST(handshake, begins_with_the_newest_version) {
    handshake shake({"strandline", "0.1", "cluster", protocol::broker_id(3)});
    EXPECT_EQ(shake.step(), "ApiVersions");
    const auto request = shake.next_request();
    EXPECT_EQ(request.version, 5);
    const auto* const body = request.body.get_if<api_versions_request>();
    ASSERT_NE(body, nullptr);
    EXPECT_EQ(body->client_software_name, "strandline");
    EXPECT_EQ(body->cluster_id, "cluster");
    EXPECT_EQ(body->node_id, protocol::broker_id(3));
    ASSERT_TRUE(shake.on_answer(body_of(acceptance(), 5)));
    EXPECT_TRUE(shake.is_done());
    EXPECT_EQ(protocol::usable_version(protocol::api_key::metadata, shake.versions()), 13);
}

TEST(handshake, asks_again_with_a_version_that_the_broker_lists) {
    for (std::int16_t newest = 0; newest < 5; ++newest) {
        handshake shake({"strandline", "0.1", {}, {}});
        ASSERT_TRUE(shake.on_answer(refusal(0, newest)));
        ASSERT_FALSE(shake.is_done());
        EXPECT_EQ(shake.next_request().version, newest);
        ASSERT_TRUE(shake.on_answer(body_of(acceptance(), newest)));
        EXPECT_TRUE(shake.is_done());
    }
}

TEST(handshake, asks_with_version_zero_if_the_broker_lists_nothing) {
    api_versions_response answer;
    answer.error_code = broker_error::unsupported_version;
    handshake shake({"strandline", "0.1", {}, {}});
    ASSERT_TRUE(shake.on_answer(body_of(answer, 0)));
    EXPECT_EQ(shake.next_request().version, 0);
}

TEST(handshake, does_not_ask_for_ever) {
    handshake shake({"strandline", "0.1", {}, {}});
    ASSERT_TRUE(shake.on_answer(refusal(0, 4)));
    const auto end = shake.on_answer(refusal(0, 4));
    ASSERT_FALSE(end);
    EXPECT_EQ(end.error().code, errc::unsupported_version);
}

TEST(handshake, gives_up_on_a_broker_that_is_too_new) {
    handshake shake({"strandline", "0.1", {}, {}});
    const auto end = shake.on_answer(refusal(7, 9));
    ASSERT_FALSE(end);
    EXPECT_EQ(end.error().code, errc::unsupported_version);
}

TEST(handshake, hears_that_the_broker_is_another_one) {
    api_versions_response answer;
    answer.error_code = broker_error::rebootstrap_required;
    handshake shake({"strandline", "0.1", "cluster", protocol::broker_id(3)});
    const auto end = shake.on_answer(body_of(answer, 5));
    ASSERT_FALSE(end);
    EXPECT_TRUE(end.error().rebootstrap);
}

TEST(handshake, is_refused_with_the_brokers_words) {
    api_versions_response answer;
    answer.error_code = broker_error::invalid_request;
    handshake shake({"strandline", "0.1", {}, {}});
    const auto end = shake.on_answer(body_of(answer, 5));
    ASSERT_FALSE(end);
    EXPECT_EQ(end.error().what, "ApiVersions was refused: INVALID_REQUEST(42)");
}

TEST(handshake, takes_no_answer_that_is_cut_off) {
    const auto whole = body_of(acceptance(), 5);
    for (std::size_t length = 0; length < whole.size(); ++length) {
        handshake shake({"strandline", "0.1", {}, {}});
        const auto end = shake.on_answer(whole.slice(0, length));
        ASSERT_FALSE(end) << length;
        EXPECT_EQ(end.error().code, errc::malformed_response);
    }
}

}  // namespace
}  // namespace strandline::core::connection
