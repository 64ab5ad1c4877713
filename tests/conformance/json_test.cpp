// Messages as JSON in Kafka's layout, with what goes wrong; that the layout is Kafka's is for conformance_test to say.
#include "protocol/json.hpp"

#include <gtest/gtest.h>

#include "protocol/messages/fetch.hpp"
#include "protocol/messages/metadata.hpp"

namespace strandline::protocol {
namespace {

boost::json::object request_v9() {
    return {{"topics", boost::json::array{boost::json::object{{"name", "orders"}}}},
            {"allowAutoTopicCreation", true},
            {"includeClusterAuthorizedOperations", false},
            {"includeTopicAuthorizedOperations", false}};
}

TEST(json, shows_the_fields_of_the_version) {
    messages::metadata_request message;
    message.topics->emplace_back().name = "orders";
    EXPECT_EQ(to_json(message, 9), request_v9());
    EXPECT_EQ(from_json<messages::metadata_request>(request_v9(), 9), message);
}

TEST(json, shows_a_tagged_field_only_if_it_is_set) {
    messages::fetch_response message;
    EXPECT_FALSE(to_json(message, 16)->contains("nodeEndpoints"));
    message.node_endpoints.emplace_back().host = "h";
    EXPECT_TRUE(to_json(message, 16)->contains("nodeEndpoints"));
    EXPECT_EQ(from_json<messages::fetch_response>(*to_json(message, 16), 16), message);
}

TEST(json, a_value_that_the_version_cannot_carry_is_an_error) {
    messages::metadata_request message;
    message.allow_auto_topic_creation = false;
    EXPECT_EQ(to_json(message, 3).error().kind, codec_fault::not_in_version);
}

codec_error reading_error(const boost::json::value& json) {
    return from_json<messages::metadata_request>(json, 9).error();
}

TEST(json, of_another_shape_is_refused_with_the_place) {
    auto json = request_v9();
    json["topics"].as_array()[0].as_object()["name"] = 5;
    EXPECT_EQ(reading_error(json).kind, codec_fault::bad_json);
    EXPECT_EQ(reading_error(json).field, "Topics[0].Name");

    json["topics"].as_array()[0].as_object()["name"] = nullptr;
    EXPECT_EQ(reading_error(json).kind, codec_fault::unexpected_null);

    json = request_v9();
    json.erase("allowAutoTopicCreation");
    EXPECT_EQ(reading_error(json).field, "AllowAutoTopicCreation");
    EXPECT_EQ(reading_error(nullptr).kind, codec_fault::bad_json);
}

}  // namespace
}  // namespace strandline::protocol
