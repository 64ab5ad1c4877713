// Of the APIs that admin clients use.
#include "testkit/fake_cluster/handlers.hpp"

namespace strandline::testkit::fake {

using protocol::broker_error;

any_response fail(const messages::create_topics_request& request, std::int16_t, broker_error error) {
    messages::create_topics_response response;
    for (const auto& asked : request.topics) {
        auto& out = response.topics.emplace_back();
        out.name = asked.name;
        out.error_code = error;
        out.error_message = std::nullopt;
        out.configs = std::nullopt;
    }
    return response;
}

any_response fail(const messages::delete_topics_request& request, std::int16_t, broker_error error) {
    messages::delete_topics_response response;
    for (const auto& asked : request.topics) {
        auto& out = response.responses.emplace_back();
        out.name = asked.name;
        out.topic_id = asked.topic_id;
        out.error_code = error;
    }
    for (const auto& name : request.topic_names) {
        auto& out = response.responses.emplace_back();
        out.name = name;
        out.error_code = error;
    }
    return response;
}

any_response fail(const messages::create_partitions_request& request, std::int16_t, broker_error error) {
    messages::create_partitions_response response;
    for (const auto& asked : request.topics) {
        auto& out = response.results.emplace_back();
        out.name = asked.name;
        out.error_code = error;
    }
    return response;
}

any_response fail(const messages::delete_records_request& request, std::int16_t, broker_error error) {
    messages::delete_records_response response;
    for (const auto& topic : request.topics) {
        auto& shown = response.topics.emplace_back();
        shown.name = topic.name;
        for (const auto& asked : topic.partitions) {
            auto& out = shown.partitions.emplace_back();
            out.partition_index = asked.partition_index;
            out.low_watermark = -1;
            out.error_code = error;
        }
    }
    return response;
}

any_response fail(const messages::consumer_group_describe_request& request, std::int16_t, broker_error error) {
    messages::consumer_group_describe_response response;
    for (const auto& id : request.group_ids) {
        auto& out = response.groups.emplace_back();
        out.group_id = id;
        out.error_code = error;
    }
    return response;
}

any_response fail(const messages::describe_groups_request& request, std::int16_t, broker_error error) {
    messages::describe_groups_response response;
    for (const auto& id : request.groups) {
        auto& out = response.groups.emplace_back();
        out.group_id = id;
        out.error_code = error;
    }
    return response;
}

any_response fail(const messages::list_groups_request&, std::int16_t, broker_error error) {
    messages::list_groups_response response;
    response.error_code = error;
    return response;
}

any_response fail(const messages::delete_groups_request& request, std::int16_t, broker_error error) {
    messages::delete_groups_response response;
    for (const auto& id : request.groups_names) {
        auto& out = response.results.emplace_back();
        out.group_id = id;
        out.error_code = error;
    }
    return response;
}

any_response fail(const messages::offset_delete_request&, std::int16_t, broker_error error) {
    messages::offset_delete_response response;
    response.error_code = error;
    return response;
}

any_response fail(const messages::describe_cluster_request&, std::int16_t, broker_error error) {
    messages::describe_cluster_response response;
    response.error_code = error;
    return response;
}

any_response fail(const messages::describe_configs_request& request, std::int16_t, broker_error error) {
    messages::describe_configs_response response;
    for (const auto& asked : request.resources) {
        auto& out = response.results.emplace_back();
        out.resource_type = asked.resource_type;
        out.resource_name = asked.resource_name;
        out.error_code = error;
        out.error_message = std::nullopt;
    }
    return response;
}

any_response fail(const messages::incremental_alter_configs_request& request, std::int16_t, broker_error error) {
    messages::incremental_alter_configs_response response;
    for (const auto& asked : request.resources) {
        auto& out = response.responses.emplace_back();
        out.resource_type = asked.resource_type;
        out.resource_name = asked.resource_name;
        out.error_code = error;
        out.error_message = std::nullopt;
    }
    return response;
}

any_response fail(const messages::describe_topic_partitions_request& request, std::int16_t, broker_error error) {
    messages::describe_topic_partitions_response response;
    for (const auto& asked : request.topics) {
        auto& shown = response.topics.emplace_back();
        shown.name = asked.name;
        shown.error_code = error;
    }
    return response;
}

}  // namespace strandline::testkit::fake
