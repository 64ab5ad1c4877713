#include "core/offsets/offset_commit_query.hpp"

#include <chrono>
#include <unordered_map>
#include <utility>

#include "protocol/codec.hpp"
#include "protocol/messages/offset_commit.hpp"

namespace strandline::core::offsets {

namespace {

using protocol::messages::offset_commit_request;
using protocol::messages::offset_commit_response;

constexpr std::int16_t first_version_with_instance = 7;

}  // namespace

protocol::any_request make_offset_commit_request(const commit_items& items, const boundary::core_config& config,
                                                 const exchange::member_view& member, std::int16_t version) {
    offset_commit_request request;
    request.group_id = config.group_id.value_or("");
    if (member.in_group) {
        request.member_id = member.member_id;
        request.generation_id_or_member_epoch = member.epoch;
        if (version >= first_version_with_instance) request.group_instance_id = config.group_instance_id;
    }
    std::map<std::string, offset_commit_request::offset_commit_request_topic> topics;
    for (const auto& item : items) {
        auto& topic = topics[item.partition.topic];
        topic.name = item.partition.topic;
        topic.topic_id = item.topic_id;
        auto& partition = topic.partitions.emplace_back();
        partition.partition_index = protocol::partition_index(item.partition.partition);
        partition.committed_offset = item.offset.offset;
        partition.committed_leader_epoch = protocol::leader_epoch(item.offset.leader_epoch.value_or(-1));
        partition.committed_metadata = item.offset.metadata;
    }
    request.topics.reserve(topics.size());
    for (auto& [name, topic] : topics) request.topics.push_back(std::move(topic));
    return request;
}

protocol::result<offset_commit_answer> read_offset_commit_response(const base::shared_bytes& body, std::int16_t version,
                                                                   const commit_items& items) {
    auto response = protocol::decode<offset_commit_response>(body, version);
    if (!response) return tl::unexpected(std::move(response.error()));
    std::unordered_map<protocol::topic_id, std::string> names;
    if (version >= first_offset_commit_by_id) {
        for (const auto& item : items) names.emplace(item.topic_id, item.partition.topic);
    }
    offset_commit_answer answer;
    answer.throttle = std::chrono::milliseconds(response->throttle_time_ms);
    for (const auto& topic : response->topics) {
        const auto name = names.find(topic.topic_id);
        const auto& named = name == names.end() ? topic.name : name->second;
        for (const auto& partition : topic.partitions) {
            answer.results.insert_or_assign(topic_partition{named, partition.partition_index.value()},
                                            partition.error_code);
        }
    }
    return answer;
}

}  // namespace strandline::core::offsets
