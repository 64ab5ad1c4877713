#include "protocol/header.hpp"

#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include "protocol/any_request.hpp"
#include "protocol/messages/api_versions.hpp"
#include "protocol/messages/metadata.hpp"
#include "protocol/messages/offset_delete.hpp"
#include "protocol/response_frame.hpp"

namespace strandline::protocol {
namespace {

base::shared_bytes content_of(const base::shared_bytes& frame) { return frame.slice(4); }

TEST(header, version_follows_the_body_and_the_answer_to_api_versions_is_the_exception) {
    EXPECT_EQ(request_header_version(api_key::metadata, 8), 1);
    EXPECT_EQ(request_header_version(api_key::metadata, 9), 2);
    EXPECT_EQ(response_header_version(api_key::metadata, 8), 0);
    EXPECT_EQ(response_header_version(api_key::metadata, 9), 1);
    EXPECT_EQ(request_header_version(api_key::api_versions, 3), 2);
    EXPECT_EQ(response_header_version(api_key::api_versions, 3), 0);
    EXPECT_EQ(request_header_version(api_key::offset_delete, 0), 1);
}

TEST(header, a_request_frame_has_length_key_version_correlation_id_and_client_id) {
    const any_request request(messages::offset_delete_request{.group_id = "g"});
    const auto frame = encode_request_frame(request, 0, correlation_id{7}, "me");
    ASSERT_TRUE(frame) << frame.error();
    EXPECT_EQ(base::as_text(*frame), std::string_view("\0\0\0\x13\0\x2f\0\0\0\0\0\x07\0\x02"
                                                      "me"
                                                      "\0\x01"
                                                      "g"
                                                      "\0\0\0\0",
                                                      23));
}

TEST(header, a_request_is_split_into_header_and_body) {
    const messages::metadata_request message;
    for (const auto version : {std::int16_t{8}, std::int16_t{9}}) {
        const auto frame = encode_request_frame(any_request(message), version, correlation_id{-3}, "client").value();
        const auto split = split_request(content_of(frame));
        ASSERT_TRUE(split) << split.error();
        EXPECT_EQ(split->header, (request_header{.api_key = api_key::metadata,
                                                 .api_version = version,
                                                 .correlation_id = correlation_id{-3},
                                                 .client_id = "client"}));
        EXPECT_EQ(decode<messages::metadata_request>(split->body, version), message);
    }
}

TEST(header, a_request_without_client_id_and_with_unknown_tagged_fields_survives) {
    const request_header header{.api_key = api_key::metadata,
                                .api_version = 12,
                                .correlation_id = correlation_id{1},
                                .client_id = std::nullopt,
                                .unknown_tagged_fields = {{5, base::shared_bytes::copy_of(base::as_bytes("x"))}}};
    writer out;
    ASSERT_TRUE(encode(out, header));
    const auto split = split_request(std::move(out).take());
    ASSERT_TRUE(split) << split.error();
    EXPECT_EQ(split->header, header);
    EXPECT_TRUE(split->body.empty());
}

TEST(header, a_response_frame_is_found_by_its_correlation_id_and_split) {
    const messages::metadata_response message;
    for (const auto version : {std::int16_t{8}, std::int16_t{9}}) {
        const auto frame = encode_response_frame(message, version, correlation_id{42}).value();
        EXPECT_EQ(peek_correlation_id(content_of(frame)), correlation_id{42});
        const auto split = split_response(content_of(frame), api_key::metadata, version);
        ASSERT_TRUE(split) << split.error();
        EXPECT_EQ(split->header.correlation_id, correlation_id{42});
        EXPECT_EQ(decode<messages::metadata_response>(split->body, version), message);
    }
}

TEST(header, an_api_that_nobody_here_knows_is_refused) {
    const auto split =
        split_request(base::shared_bytes::copy_of(base::as_bytes({"\x7f\x01\0\0\0\0\0\x01\xff\xff", 10})));
    ASSERT_FALSE(split);
    EXPECT_EQ(split.error().kind, codec_fault::unsupported_version);
}

TEST(header, every_beginning_of_a_header_is_refused) {
    const auto frame =
        encode_request_frame(any_request(messages::api_versions_request{}), 3, correlation_id{1}, "client").value();
    const auto body_size = measure(messages::api_versions_request{}, 3);
    const auto header = content_of(frame).slice(0, frame.size() - 4 - body_size);
    EXPECT_TRUE(split_request(header));
    for (std::size_t length = 0; length < header.size(); ++length) {
        const auto split = split_request(header.slice(0, length));
        ASSERT_FALSE(split) << length;
        EXPECT_EQ(split.error().kind, codec_fault::truncated);
    }
}

TEST(any_request, gives_its_message_back_to_who_knows_the_type) {
    const messages::metadata_request message{.allow_auto_topic_creation = false};
    const any_request request(message);
    EXPECT_EQ(request.key(), api_key::metadata);
    EXPECT_EQ(request.max_version(), messages::metadata_request::max_version);
    ASSERT_NE(request.get_if<messages::metadata_request>(), nullptr);
    EXPECT_EQ(*request.get_if<messages::metadata_request>(), message);
    EXPECT_EQ(request.get_if<messages::api_versions_request>(), nullptr);
}

TEST(any_request, a_value_that_the_version_cannot_carry_is_an_error_and_no_frame) {
    const any_request request(messages::metadata_request{.allow_auto_topic_creation = false});
    const auto frame = encode_request_frame(request, 3, correlation_id{1}, "client");
    ASSERT_FALSE(frame);
    EXPECT_EQ(frame.error().kind, codec_fault::not_in_version);
    EXPECT_EQ(frame.error().field, "AllowAutoTopicCreation");
}

}  // namespace
}  // namespace strandline::protocol
