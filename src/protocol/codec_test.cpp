#include "protocol/codec.hpp"

#include <string>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include "protocol/limits.hpp"
#include "protocol/messages/consumer_group_heartbeat.hpp"
#include "protocol/messages/fetch.hpp"
#include "protocol/messages/find_coordinator.hpp"
#include "protocol/messages/metadata.hpp"
#include "protocol/messages/offset_delete.hpp"
#include "protocol/messages/offset_fetch.hpp"

namespace strandline::protocol {
namespace {

base::shared_bytes bytes(std::string_view text) { return base::shared_bytes::copy_of(base::as_bytes(text)); }

template <class Message>
base::shared_bytes encoded(const Message& message, std::int16_t version) {
    writer out;
    EXPECT_TRUE(encode(out, message, version));
    EXPECT_EQ(out.size(), measure(message, version));
    return std::move(out).take();
}

template <class Message>
codec_error encoding_error(const Message& message, std::int16_t version) {
    writer out;
    const auto written = encode(out, message, version);
    EXPECT_FALSE(written);
    return written ? codec_error{} : written.error();
}

template <class Message>
codec_error decoding_error(std::string_view body, std::int16_t version) {
    const auto message = decode<Message>(bytes(body), version);
    EXPECT_FALSE(message);
    return message ? codec_error{} : message.error();
}

using messages::fetch_response;
using messages::find_coordinator_request;
using messages::metadata_request;

TEST(codec, lengths_are_fixed_before_the_flexible_versions_and_varints_since) {
    find_coordinator_request message;
    message.coordinator_key = "g";
    EXPECT_EQ(base::as_text(encoded(message, 1)), std::string_view("\0\x01g\0", 4));
    EXPECT_EQ(base::as_text(encoded(message, 3)), std::string_view("\x02g\0\0", 4));
    message.coordinator_key.clear();
    message.coordinator_keys = {"a", "b"};
    EXPECT_EQ(base::as_text(encoded(message, 4)), std::string_view("\0\x03\x02"
                                                                   "a\x02"
                                                                   "b\0",
                                                                   7));
}

TEST(codec, null_is_not_empty) {
    metadata_request message;
    message.topics.reset();
    EXPECT_EQ(decode<metadata_request>(encoded(message, 12), 12)->topics, std::nullopt);
    EXPECT_EQ(decode<metadata_request>(encoded(message, 1), 1)->topics, std::nullopt);
    message.topics.emplace();
    EXPECT_TRUE(decode<metadata_request>(encoded(message, 12), 12)->topics.has_value());
}

TEST(codec, null_where_the_version_has_none_is_an_error_in_both_directions) {
    metadata_request message;
    message.topics.reset();
    EXPECT_EQ(encoding_error(message, 0), (codec_error{.kind = codec_fault::unexpected_null,
                                                       .message = "MetadataRequest",
                                                       .field = "Topics",
                                                       .offset = 0,
                                                       .version = 0}));
    EXPECT_EQ(decoding_error<metadata_request>({"\xff\xff\xff\xff", 4}, 0).kind, codec_fault::unexpected_null);
}

TEST(codec, bytes_are_slices_of_the_body) {
    fetch_response message;
    auto& partition = message.responses.emplace_back().partitions.emplace_back();
    partition.records = bytes("record batches");
    const auto body = encoded(message, 12);
    const auto read = decode<fetch_response>(body, 12);
    ASSERT_TRUE(read) << read.error();
    EXPECT_EQ(*read, message);
    EXPECT_EQ(read->responses[0].partitions[0].records->identity(), body.identity());
}

TEST(codec, a_field_that_the_version_lacks_is_dropped_if_ignorable_and_else_an_error) {
    messages::consumer_group_heartbeat_request heartbeat;
    heartbeat.subscribed_topic_regex = "orders.*";
    const auto error = encoding_error(heartbeat, 0);
    EXPECT_EQ(error.kind, codec_fault::not_in_version);
    EXPECT_EQ(error.field, "SubscribedTopicRegex");

    messages::offset_fetch_request fetch;
    fetch.groups.emplace_back().member_id = "member";  // ignorable before version 9
    const auto read = decode<messages::offset_fetch_request>(encoded(fetch, 8), 8);
    EXPECT_EQ(read->groups[0].member_id, std::nullopt);
}

TEST(codec, unknown_tagged_fields_survive_and_stand_in_the_order_of_their_tags) {
    fetch_response message;
    message.node_endpoints.emplace_back().unknown_tagged_fields = {{9, bytes("inner")}};
    message.unknown_tagged_fields = {{1, bytes("")}, {700, bytes("outer")}};
    const auto body = encoded(message, 16);
    EXPECT_EQ(decode<fetch_response>(body, 16), message);

    // A newer broker should not, but may, write them in another order: here the endpoints (tag 0) come last.
    const std::string before("\0\0\0\0\0\0\0\0\0\0\x01\x03", 12);
    const std::string unknown("\x01\0\xbc\x05\x05outer", 10);
    const std::string whole(base::as_text(body));
    const auto endpoints = whole.substr(before.size(), whole.size() - before.size() - unknown.size());
    ASSERT_EQ(whole, before + endpoints + unknown);
    const auto shuffled = before + unknown.substr(2) + unknown.substr(0, 2) + endpoints;
    const auto read = decode<fetch_response>(bytes(shuffled), 16);
    ASSERT_TRUE(read) << read.error();
    EXPECT_EQ(*read, message);
}

TEST(codec, a_tag_that_the_version_has_a_name_for_cannot_be_used_for_something_else) {
    fetch_response message;
    message.unknown_tagged_fields = {{0, bytes("x")}};
    EXPECT_EQ(encoding_error(message, 16).kind, codec_fault::bad_tagged_field);
    EXPECT_EQ(decode<fetch_response>(encoded(message, 15), 15), message);
}

TEST(codec, a_tagged_field_fills_its_size) {
    // One tagged field, tag 0 (the endpoints): an empty array in 1 byte, but its size says 2.
    const auto error = decoding_error<fetch_response>({"\0\0\0\0\0\0\0\0\0\0\x01\x01\0\x02\x01\0", 16}, 16);
    EXPECT_EQ(error.kind, codec_fault::bad_tagged_field);
}

TEST(codec, an_error_names_message_field_and_offset) {
    fetch_response message;
    message.responses.resize(3);
    message.responses[2].partitions.resize(2);
    message.responses[2].partitions[1].records = bytes("0123456789");
    const auto body = encoded(message, 4);
    const auto error = decode<fetch_response>(body.slice(0, body.size() - 2), 4).error();
    const auto start_of_records = body.size() - 10;
    EXPECT_EQ(error, (codec_error{.kind = codec_fault::truncated,
                                  .message = "FetchResponse",
                                  .field = "Responses[2].Partitions[1].Records",
                                  .offset = start_of_records,
                                  .version = 4}));
    EXPECT_EQ(error.to_string(), "FetchResponse v4: truncated at byte " + std::to_string(start_of_records) +
                                     ", in Responses[2].Partitions[1].Records");
}

TEST(codec, bytes_left_over_are_an_error) {
    auto body = std::string(base::as_text(encoded(metadata_request{}, 12)));
    body += '\0';
    EXPECT_EQ(decoding_error<metadata_request>(body, 12).kind, codec_fault::trailing_bytes);
}

TEST(codec, a_length_that_the_bytes_cannot_hold_is_refused_at_once) {
    // An array of 400,000 topics in a body of a few bytes: an error of the array, before any place is made for it.
    const auto error = decoding_error<metadata_request>({"\0\x06\x1a\x80\0\x01"
                                                         "a",
                                                         7},
                                                        1);
    EXPECT_EQ(error.kind, codec_fault::truncated);
    EXPECT_EQ(error.field, "Topics");
    EXPECT_EQ(error.offset, 4u);
    // More than anybody may ask for.
    EXPECT_EQ(decoding_error<metadata_request>({"\x00\x0f\x42\x41", 4}, 1).kind, codec_fault::bad_length);
    EXPECT_EQ(decoding_error<metadata_request>({"\xff\xff\xff\xfe", 4}, 1).kind, codec_fault::bad_length);
}

TEST(codec, a_string_beyond_its_limit_is_not_sent) {
    find_coordinator_request message;
    message.coordinator_key.resize(limits::string_bytes + 1);
    EXPECT_EQ(encoding_error(message, 3).kind, codec_fault::bad_length);
}

TEST(codec, a_version_that_the_message_does_not_have_is_an_error_in_both_directions) {
    EXPECT_EQ(encoding_error(messages::fetch_request{}, 3).kind, codec_fault::unsupported_version);
    EXPECT_EQ(decoding_error<messages::fetch_request>("", 19).kind, codec_fault::unsupported_version);
}

}  // namespace
}  // namespace strandline::protocol
