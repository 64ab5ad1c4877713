#include "tests/bench/null_broker/control_answers.hpp"

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "protocol/codec.hpp"
#include "protocol/messages/api_versions.hpp"
#include "protocol/messages/consumer_group_heartbeat.hpp"
#include "protocol/messages/find_coordinator.hpp"
#include "protocol/messages/list_offsets.hpp"
#include "protocol/messages/metadata.hpp"
#include "protocol/messages/offset_commit.hpp"
#include "protocol/messages/offset_fetch.hpp"
#include "protocol/messages/offset_for_leader_epoch.hpp"
#include "protocol/response_frame.hpp"

namespace strandline::bench {
namespace {

using namespace protocol::messages;
using protocol::api_key;
using protocol::broker_error;
using protocol::partition_index;

constexpr protocol::broker_id node{1};
constexpr const char* host = "127.0.0.1";
constexpr std::int32_t heartbeat_interval_ms = 5000;  // Kafka's default

std::vector<partition_index> all_partitions(const served_cluster& cluster) {
    std::vector<partition_index> all;
    for (std::int32_t i = 0; i < cluster.partitions; ++i) all.emplace_back(i);
    return all;
}

api_versions_response answer(const api_versions_request&, const served_cluster&) {
    api_versions_response response;
    const auto speaks = [&](api_key key, std::int16_t min, std::int16_t max) {
        response.api_keys.push_back({.api_key = key, .min_version = min, .max_version = max});
    };
    // Produce is named because librdkafka concludes from it which record formats a broker knows.
    speaks(api_key::produce, 0, 11);
    speaks(api_key::fetch, 4, 18);
    speaks(api_key::list_offsets, 1, 11);
    speaks(api_key::metadata, 0, 13);
    speaks(api_key::offset_commit, 2, 10);
    speaks(api_key::offset_fetch, 1, 10);
    speaks(api_key::find_coordinator, 0, 6);
    speaks(api_key::join_group, 0, 5);
    speaks(api_key::heartbeat, 0, 3);
    speaks(api_key::leave_group, 0, 2);
    speaks(api_key::sync_group, 0, 3);
    speaks(api_key::api_versions, api_versions_request::min_version, api_versions_request::max_version);
    speaks(api_key::offset_for_leader_epoch, 2, 4);
    speaks(api_key::consumer_group_heartbeat, 0, 1);
    return response;
}

metadata_response answer(const metadata_request& request, const served_cluster& cluster) {
    metadata_response response;
    response.brokers.push_back({.node_id = node, .host = host, .port = cluster.port});
    response.cluster_id = "null-broker";
    response.controller_id = node;
    const auto serve = [&] {
        auto& topic = response.topics.emplace_back();
        topic.name = served_topic;
        topic.topic_id = served_topic_id;
        for (const auto index : all_partitions(cluster)) {
            topic.partitions.push_back({.partition_index = index,
                                        .leader_id = node,
                                        .leader_epoch = protocol::leader_epoch{0},
                                        .replica_nodes = {node},
                                        .isr_nodes = {node}});
        }
    };
    if (!request.topics) {
        serve();
        return response;
    }
    for (const auto& wanted : *request.topics) {
        if (wanted.name == served_topic || wanted.topic_id == served_topic_id) {
            serve();
        } else {
            response.topics.push_back({.error_code = broker_error::unknown_topic_or_partition,
                                       .name = wanted.name,
                                       .topic_id = wanted.topic_id});
        }
    }
    return response;
}

find_coordinator_response answer(const find_coordinator_request& request, const served_cluster& cluster) {
    if (!cluster.has_coordinator) {
        find_coordinator_response refusal;
        if (request.coordinator_keys.empty()) refusal.error_code = broker_error::coordinator_not_available;
        for (const auto& group : request.coordinator_keys) {
            refusal.coordinators.push_back({.key = group, .error_code = broker_error::coordinator_not_available});
        }
        return refusal;
    }
    // From version 4 on the answer is per key, before it there is one.
    if (request.coordinator_keys.empty()) return {.node_id = node, .host = host, .port = cluster.port};
    find_coordinator_response response;
    for (const auto& group : request.coordinator_keys) {
        response.coordinators.push_back({.key = group, .node_id = node, .host = host, .port = cluster.port});
    }
    return response;
}

list_offsets_response answer(const list_offsets_request& request, const served_cluster& cluster) {
    constexpr std::int64_t earliest = -2;
    list_offsets_response response;
    for (const auto& topic : request.topics) {
        auto& answered = response.topics.emplace_back();
        answered.name = topic.name;
        for (const auto& partition : topic.partitions) {
            answered.partitions.push_back({.partition_index = partition.partition_index,
                                           .offset = partition.timestamp == earliest ? 0 : cluster.end_offset,
                                           .leader_epoch = protocol::leader_epoch{0}});
        }
    }
    return response;
}

offset_commit_response answer(const offset_commit_request& request, const served_cluster&) {
    offset_commit_response response;
    for (const auto& topic : request.topics) {
        auto& answered = response.topics.emplace_back();
        answered.name = topic.name;
        answered.topic_id = topic.topic_id;
        for (const auto& partition : topic.partitions) {
            answered.partitions.push_back({.partition_index = partition.partition_index});
        }
    }
    return response;
}

offset_fetch_response answer(const offset_fetch_request& request, const served_cluster& cluster) {
    offset_fetch_response response;
    const auto commit_of_each = [&](auto& answered, const std::vector<partition_index>& wanted) {
        for (const auto index : wanted) {
            auto& partition = answered.partitions.emplace_back();
            partition.partition_index = index;
            partition.committed_offset = cluster.committed_offset;
        }
    };
    for (const auto& group : request.groups) {
        auto& answered = response.groups.emplace_back();
        answered.group_id = group.group_id;
        if (!group.topics) {
            auto& topic = answered.topics.emplace_back();
            topic.name = served_topic;
            topic.topic_id = served_topic_id;
            commit_of_each(topic, all_partitions(cluster));
            continue;
        }
        for (const auto& wanted : *group.topics) {
            auto& topic = answered.topics.emplace_back();
            topic.name = wanted.name;
            topic.topic_id = wanted.topic_id;
            commit_of_each(topic, wanted.partition_indexes);
        }
    }
    if (request.topics) {
        for (const auto& wanted : *request.topics) {
            auto& topic = response.topics.emplace_back();
            topic.name = wanted.name;
            commit_of_each(topic, wanted.partition_indexes);
        }
    }
    return response;
}

offset_for_leader_epoch_response answer(const offset_for_leader_epoch_request& request, const served_cluster& cluster) {
    offset_for_leader_epoch_response response;
    for (const auto& topic : request.topics) {
        auto& answered = response.topics.emplace_back();
        answered.topic = topic.topic;
        for (const auto& partition : topic.partitions) {
            answered.partitions.push_back({.partition = partition.partition,
                                           .leader_epoch = partition.leader_epoch,
                                           .end_offset = cluster.end_offset});
        }
    }
    return response;
}

// Whoever joins gets everything: there is one member at a time.
consumer_group_heartbeat_response answer(const consumer_group_heartbeat_request& request,
                                         const served_cluster& cluster) {
    consumer_group_heartbeat_response response;
    response.member_id = request.member_id.empty() ? "member" : request.member_id;
    response.member_epoch = request.member_epoch;
    response.heartbeat_interval_ms = heartbeat_interval_ms;
    if (request.member_epoch.value() == 0) {
        response.member_epoch = protocol::member_epoch{1};
        auto& assignment = response.assignment.emplace();
        auto& topic = assignment.topic_partitions.emplace_back();
        topic.topic_id = served_topic_id;
        topic.partitions = all_partitions(cluster);
    }
    return response;
}

// The connection is closed; whoever measures must hear why.
std::nullopt_t refuse(const protocol::codec_error& why) {
    std::fprintf(stderr, "null broker: %s\n", why.to_string().c_str());
    return std::nullopt;
}

template <class Request>
std::optional<base::shared_bytes> decode_and_answer(const protocol::headed<protocol::request_header>& request,
                                                    const served_cluster& cluster) {
    const auto version = request.header.api_version;
    const auto decoded = protocol::decode<Request>(request.body, version);
    if (!decoded) return refuse(decoded.error());
    auto frame = protocol::encode_response_frame(answer(*decoded, cluster), version, request.header.correlation_id);
    if (!frame) return refuse(frame.error());
    return std::move(*frame);
}

// A client that speaks a newer ApiVersions than we do learns so in version 0 and asks again (KIP-511).
std::optional<base::shared_bytes> refuse_version(const protocol::headed<protocol::request_header>& request,
                                                 const served_cluster& cluster) {
    auto response = answer(api_versions_request{}, cluster);
    response.error_code = broker_error::unsupported_version;
    auto frame = protocol::encode_response_frame(response, 0, request.header.correlation_id);
    if (!frame) return std::nullopt;
    return std::move(*frame);
}

}  // namespace

std::optional<base::shared_bytes> answer_control(const protocol::headed<protocol::request_header>& request,
                                                 const served_cluster& cluster) {
    switch (request.header.api_key) {
        case api_key::api_versions:
            if (request.header.api_version > api_versions_request::max_version) return refuse_version(request, cluster);
            return decode_and_answer<api_versions_request>(request, cluster);
        case api_key::metadata: return decode_and_answer<metadata_request>(request, cluster);
        case api_key::find_coordinator: return decode_and_answer<find_coordinator_request>(request, cluster);
        case api_key::list_offsets: return decode_and_answer<list_offsets_request>(request, cluster);
        case api_key::offset_commit: return decode_and_answer<offset_commit_request>(request, cluster);
        case api_key::offset_fetch: return decode_and_answer<offset_fetch_request>(request, cluster);
        case api_key::offset_for_leader_epoch:
            return decode_and_answer<offset_for_leader_epoch_request>(request, cluster);
        case api_key::consumer_group_heartbeat:
            return decode_and_answer<consumer_group_heartbeat_request>(request, cluster);
        default: return std::nullopt;
    }
}

}  // namespace strandline::bench
