// Of the APIs that consumers use.
#include "testkit/fake_cluster/error_answers.hpp"

#include "testkit/fake_cluster/handlers.hpp"

namespace strandline::testkit::fake {

using protocol::broker_error;

any_response fail(const messages::api_versions_request&, std::int16_t, broker_error error) {
    messages::api_versions_response response;
    response.error_code = error;
    return response;
}

any_response fail(const messages::metadata_request& request, std::int16_t version, broker_error error) {
    messages::metadata_response response;
    if (version >= 13) response.error_code = error;
    if (request.topics) {
        for (const auto& asked : *request.topics) {
            messages::metadata_response::metadata_response_topic topic;
            topic.name = asked.name;
            topic.topic_id = asked.topic_id;
            topic.error_code = error;
            response.topics.push_back(std::move(topic));
        }
    }
    return response;
}

any_response fail(const messages::find_coordinator_request& request, std::int16_t, broker_error error) {
    messages::find_coordinator_response response;
    response.error_code = error;
    response.node_id = protocol::no_broker;
    response.port = -1;
    for (const auto& key : request.coordinator_keys) {
        messages::find_coordinator_response::coordinator one;
        one.key = key;
        one.node_id = protocol::no_broker;
        one.port = -1;
        one.error_code = error;
        response.coordinators.push_back(std::move(one));
    }
    return response;
}

any_response fail(const messages::produce_request& request, std::int16_t, broker_error error) {
    messages::produce_response response;
    for (const auto& topic : request.topic_data) {
        messages::produce_response::topic_produce_response shown;
        shown.name = topic.name;
        shown.topic_id = topic.topic_id;
        for (const auto& data : topic.partition_data) {
            messages::produce_response::partition_produce_response out;
            out.index = data.index;
            out.error_code = error;
            out.base_offset = -1;
            shown.partition_responses.push_back(std::move(out));
        }
        response.responses.push_back(std::move(shown));
    }
    return response;
}

any_response fail(const messages::fetch_request& request, std::int16_t, broker_error error) {
    messages::fetch_response response;
    for (const auto& topic : request.topics) {
        messages::fetch_response::fetchable_topic_response shown;
        shown.topic = topic.topic;
        shown.topic_id = topic.topic_id;
        for (const auto& asked : topic.partitions) {
            messages::fetch_response::partition_data out;
            out.partition_index = asked.partition;
            out.error_code = error;
            out.high_watermark = -1;
            out.records = base::shared_bytes{};
            shown.partitions.push_back(std::move(out));
        }
        response.responses.push_back(std::move(shown));
    }
    // Of a session that goes on, the partitions are not in the request: the whole answer fails.
    if (request.topics.empty()) response.error_code = error;
    return response;
}

any_response fail(const messages::list_offsets_request& request, std::int16_t, broker_error error) {
    messages::list_offsets_response response;
    for (const auto& topic : request.topics) {
        messages::list_offsets_response::list_offsets_topic_response shown;
        shown.name = topic.name;
        for (const auto& asked : topic.partitions) {
            messages::list_offsets_response::list_offsets_partition_response out;
            out.partition_index = asked.partition_index;
            out.error_code = error;
            shown.partitions.push_back(std::move(out));
        }
        response.topics.push_back(std::move(shown));
    }
    return response;
}

any_response fail(const messages::offset_for_leader_epoch_request& request, std::int16_t, broker_error error) {
    messages::offset_for_leader_epoch_response response;
    for (const auto& topic : request.topics) {
        messages::offset_for_leader_epoch_response::offset_for_leader_topic_result shown;
        shown.topic = topic.topic;
        for (const auto& asked : topic.partitions) {
            messages::offset_for_leader_epoch_response::epoch_end_offset out;
            out.partition = asked.partition;
            out.error_code = error;
            shown.partitions.push_back(std::move(out));
        }
        response.topics.push_back(std::move(shown));
    }
    return response;
}

any_response fail(const messages::consumer_group_heartbeat_request&, std::int16_t, broker_error error) {
    messages::consumer_group_heartbeat_response response;
    response.error_code = error;
    return response;
}

any_response fail(const messages::offset_commit_request& request, std::int16_t, broker_error error) {
    messages::offset_commit_response response;
    for (const auto& topic : request.topics) {
        messages::offset_commit_response::offset_commit_response_topic shown;
        shown.name = topic.name;
        shown.topic_id = topic.topic_id;
        for (const auto& asked : topic.partitions) {
            messages::offset_commit_response::offset_commit_response_partition out;
            out.partition_index = asked.partition_index;
            out.error_code = error;
            shown.partitions.push_back(out);
        }
        response.topics.push_back(std::move(shown));
    }
    return response;
}

any_response fail(const messages::offset_fetch_request& request, std::int16_t version, broker_error error) {
    messages::offset_fetch_response response;
    if (version >= 2 && version < 8) response.error_code = error;
    for (const auto& asked : request.groups) {
        messages::offset_fetch_response::offset_fetch_response_group group;
        group.group_id = asked.group_id;
        group.error_code = error;
        response.groups.push_back(std::move(group));
    }
    return response;
}

std::optional<any_response> error_answer(const protocol::request_header& header, const base::shared_bytes& body,
                                         broker_error error) {
    const auto* handler = find_handler(header.api_key);
    return handler ? handler->fail(body, header.api_version, error) : std::nullopt;
}

}  // namespace strandline::testkit::fake
