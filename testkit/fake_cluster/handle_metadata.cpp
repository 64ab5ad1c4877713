// Metadata (3), versions 0 to 13. 4 may create topics; 7 tells leader epochs; 10 topic ids; 12 asks by id.
#include <algorithm>
#include <set>
#include <utility>

#include "testkit/fake_cluster/handlers.hpp"
#include "testkit/fake_cluster/kafkas_words.hpp"
#include "testkit/fake_cluster/topic_name.hpp"

namespace strandline::testkit::fake {

using protocol::broker_error;

namespace {

using asked_topic = messages::metadata_request::metadata_request_topic;
using response_topic = messages::metadata_response::metadata_response_topic;

response_topic describe(topic_state& topic, cluster_state& cluster) {
    response_topic out;
    out.name = topic.name;
    out.topic_id = topic.id;
    out.is_internal = topic.is_internal;
    for (std::size_t i = 0; i < topic.partitions.size(); ++i) {
        const auto& partition = *topic.partitions[i];
        messages::metadata_response::metadata_response_partition shown;
        shown.partition_index = protocol::partition_index(static_cast<std::int32_t>(i));
        shown.leader_id = partition.leader;
        shown.leader_epoch = protocol::leader_epoch(partition.leader_epoch);
        shown.error_code =
            partition.leader == protocol::no_broker ? broker_error::leader_not_available : broker_error::none;
        shown.replica_nodes = partition.replicas;
        for (const auto replica : partition.replicas) {
            const auto* broker = cluster.find_broker(replica);
            (broker && broker->running ? shown.isr_nodes : shown.offline_replicas).push_back(replica);
        }
        out.partitions.push_back(std::move(shown));
    }
    return out;
}

response_topic describe_asked(const asked_topic& asked, bool may_create, call& call) {
    auto& cluster = call.cluster();
    response_topic missing;
    if (!asked.topic_id.is_zero()) {
        if (auto* topic = cluster.find_topic(asked.topic_id)) return describe(*topic, cluster);
        missing.name = std::nullopt;
        missing.topic_id = asked.topic_id;
        missing.error_code = broker_error::unknown_topic_id;
        return missing;
    }
    const auto name = asked.name.value_or("");
    if (auto* topic = cluster.find_topic(name)) return describe(*topic, cluster);
    missing.name = name;
    missing.error_code = broker_error::unknown_topic_or_partition;
    if (!is_topic_name(name)) {
        missing.error_code = broker_error::invalid_topic_exception;
    } else if (may_create && call.all.auto_create_topics) {
        // It will be there when the client asks again.
        cluster.create_topic(name, call.all.default_partitions, call.all.default_replication);
    }
    return missing;
}

// Each once, however often it was asked for.
std::vector<asked_topic> without_repetitions(const std::vector<asked_topic>& asked) {
    std::set<std::pair<std::string, protocol::topic_id>> seen;
    std::vector<asked_topic> once;
    for (const auto& topic : asked) {
        if (seen.emplace(topic.name.value_or(""), topic.topic_id).second) once.push_back(topic);
    }
    return once;
}

// A topic that has neither a name nor an id is more than Kafka bears.
bool is_unbearable(const messages::metadata_request& request) {
    return request.topics && std::any_of(request.topics->begin(), request.topics->end(),
                                         [](const auto& topic) { return !topic.name && topic.topic_id.is_zero(); });
}

messages::metadata_response unbearable(const messages::metadata_request& request) {
    messages::metadata_response response;
    for (const auto& asked : *request.topics) {
        auto& topic = response.topics.emplace_back();
        topic.name = asked.name.value_or("");
        topic.topic_id = asked.topic_id;
        topic.error_code = broker_error::unknown_server_error;
    }
    return response;
}

}  // namespace

reply handle(const messages::metadata_request& request, call& call) {
    if (is_unbearable(request)) return reply::now(unbearable(request));
    auto& cluster = call.cluster();
    messages::metadata_response response;
    for (const auto& [id, broker] : cluster.brokers()) {
        if (!broker.running) continue;
        messages::metadata_response::metadata_response_broker shown;
        shown.node_id = id;
        shown.host = broker.host;
        shown.port = broker.port;
        if (!broker.rack.empty()) shown.rack = broker.rack;
        response.brokers.push_back(std::move(shown));
    }
    response.cluster_id = cluster.cluster_id();
    response.controller_id = cluster.controller();
    // In version 0 an empty list asks for all topics; from 1 on null does.
    const bool all = !request.topics || (call.version() == 0 && request.topics->empty());
    if (all) {
        for (auto& [name, topic] : cluster.topics()) response.topics.push_back(describe(topic, cluster));
    } else {
        const bool may_create = call.version() < 4 || request.allow_auto_topic_creation;
        for (const auto& asked : without_repetitions(*request.topics)) {
            response.topics.push_back(describe_asked(asked, may_create, call));
        }
    }
    if (request.include_topic_authorized_operations) {
        for (auto& topic : response.topics) {
            if (topic.error_code == broker_error::none) topic.topic_authorized_operations = all_topic_operations;
        }
    }
    if (request.include_cluster_authorized_operations && call.version() <= 10) {
        response.cluster_authorized_operations = all_cluster_operations;
    }
    return reply::now(std::move(response));
}

}  // namespace strandline::testkit::fake
