// DescribeTopicPartitions (75), version 0: topics in pages of partitions, in the order of their names.
#include <algorithm>
#include <set>

#include "testkit/fake_cluster/handlers.hpp"
#include "testkit/fake_cluster/kafkas_words.hpp"
#include "testkit/fake_cluster/topic_name.hpp"

namespace strandline::testkit::fake {

using protocol::broker_error;

namespace {

using response_type = messages::describe_topic_partitions_response;

response_type::describe_topic_partitions_response_partition show(const partition_state& partition, std::int32_t index,
                                                                 cluster_state& cluster) {
    response_type::describe_topic_partitions_response_partition out;
    out.partition_index = protocol::partition_index(index);
    out.leader_id = partition.leader;
    out.leader_epoch = protocol::leader_epoch(partition.leader_epoch);
    if (partition.leader == protocol::no_broker) out.error_code = broker_error::leader_not_available;
    out.replica_nodes = partition.replicas;
    for (const auto replica : partition.replicas) {
        const auto* broker = cluster.find_broker(replica);
        (broker && broker->running ? out.isr_nodes : out.offline_replicas).push_back(replica);
    }
    out.eligible_leader_replicas.emplace();
    out.last_known_elr.emplace();
    return out;
}

}  // namespace

reply handle(const messages::describe_topic_partitions_request& request, call& call) {
    auto& cluster = call.cluster();
    std::set<std::string> names;
    for (const auto& topic : request.topics) names.insert(topic.name);
    if (request.topics.empty()) {
        for (const auto& [name, topic] : cluster.topics()) names.insert(name);
    }
    if (request.cursor && !request.topics.empty() && !names.contains(request.cursor->topic_name)) {
        response_type response;
        for (const auto& asked : request.topics) {
            auto& shown = response.topics.emplace_back();
            shown.name = asked.name;
            shown.error_code = broker_error::invalid_request;
        }
        return reply::now(std::move(response));
    }
    const std::string first = request.cursor ? request.cursor->topic_name : "";
    constexpr std::int32_t most = 2000;
    auto room = std::clamp(request.response_partition_limit, 1, most);
    response_type response;
    for (auto name = names.lower_bound(first); name != names.end(); ++name) {
        auto* topic = cluster.find_topic(*name);
        std::int32_t index = request.cursor && request.cursor->topic_name == *name
                                 ? std::max(request.cursor->partition_index.value(), 0)
                                 : 0;
        if (topic && room == 0) {
            response.next_cursor.emplace(response_type::cursor{*name, protocol::partition_index(index), {}});
            break;
        }
        auto& shown = response.topics.emplace_back();
        shown.name = *name;
        shown.topic_authorized_operations = all_topic_operations;
        if (!topic) {
            shown.error_code =
                is_topic_name(*name) ? broker_error::unknown_topic_or_partition : broker_error::invalid_topic_exception;
            continue;
        }
        shown.topic_id = topic->id;
        shown.is_internal = topic->is_internal;
        const auto total = static_cast<std::int32_t>(topic->partitions.size());
        for (; index < total && room > 0; ++index, --room) {
            shown.partitions.push_back(show(*topic->find(index), index, cluster));
        }
        if (index < total) {
            response.next_cursor.emplace(response_type::cursor{*name, protocol::partition_index(index), {}});
            break;
        }
    }
    return reply::now(std::move(response));
}

}  // namespace strandline::testkit::fake
