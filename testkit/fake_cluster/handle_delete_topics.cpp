// DeleteTopics (20), versions 1 to 6. 5 has messages; 6 names topics by id as well.
#include "testkit/fake_cluster/handlers.hpp"

namespace strandline::testkit::fake {

using protocol::broker_error;

namespace {

using result = messages::delete_topics_response::deletable_topic_result;

result delete_topic(const std::optional<std::string>& name, protocol::topic_id id, call& call) {
    auto& cluster = call.cluster();
    result out;
    out.name = name;
    out.topic_id = id;
    const bool by_id = !id.is_zero();
    if (name.has_value() == by_id) {
        out.error_code = broker_error::invalid_request;
        out.error_message =
            by_id ? "You may not specify both topic name and topic id." : "Neither topic name nor id were specified.";
        return out;
    }
    const auto* topic = by_id ? cluster.find_topic(id) : cluster.find_topic(*name);
    if (!topic) {
        out.error_code = by_id ? broker_error::unknown_topic_id : broker_error::unknown_topic_or_partition;
        out.error_message =
            by_id ? "This server does not host this topic ID." : "This server does not host this topic-partition.";
        return out;
    }
    out.name = topic->name;
    out.topic_id = topic->id;
    cluster.delete_topic(std::string(topic->name));
    return out;
}

}  // namespace

reply handle(const messages::delete_topics_request& request, call& call) {
    messages::delete_topics_response response;
    for (const auto& asked : request.topics)
        response.responses.push_back(delete_topic(asked.name, asked.topic_id, call));
    for (const auto& name : request.topic_names)
        response.responses.push_back(delete_topic(name, protocol::topic_id{}, call));
    return reply::now(std::move(response));
}

}  // namespace strandline::testkit::fake
