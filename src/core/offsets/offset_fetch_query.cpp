#include "core/offsets/offset_fetch_query.hpp"

#include <chrono>
#include <string>
#include <unordered_map>
#include <utility>

#include "protocol/codec.hpp"
#include "protocol/messages/offset_fetch.hpp"

namespace strandline::core::offsets {

namespace {

using protocol::messages::offset_fetch_request;
using protocol::messages::offset_fetch_response;

constexpr std::int16_t first_version_with_stable = 7;
constexpr std::int16_t first_version_with_groups = 8;
constexpr std::int16_t first_version_with_member = 9;

template <class Topic>
std::vector<Topic> topics_of(const std::vector<committed_question>& questions) {
    std::map<std::string, Topic> topics;
    for (const auto& question : questions) {
        auto& topic = topics[question.partition.topic];
        topic.name = question.partition.topic;
        if constexpr (requires { topic.topic_id; }) topic.topic_id = question.topic_id;
        topic.partition_indexes.emplace_back(question.partition.partition);
    }
    std::vector<Topic> listed;
    listed.reserve(topics.size());
    for (auto& [name, topic] : topics) listed.push_back(std::move(topic));
    return listed;
}

template <class Partition>
committed_finding finding_of(const Partition& partition) {
    committed_finding finding;
    finding.failure = partition.error_code;
    if (partition.error_code != protocol::broker_error::none || partition.committed_offset < 0) return finding;
    auto& committed = finding.committed.emplace(partition.committed_offset);
    if (partition.committed_leader_epoch != protocol::no_leader_epoch) {
        committed.leader_epoch = partition.committed_leader_epoch.value();
    }
    committed.metadata = partition.metadata.value_or("");
    return finding;
}

template <class Topic>
void take(const Topic& topic, const std::string& name, committed_answer& answer) {
    for (const auto& partition : topic.partitions) {
        answer.found.insert_or_assign(topic_partition{name, partition.partition_index.value()}, finding_of(partition));
    }
}

}  // namespace

protocol::any_request make_offset_fetch_request(const std::vector<committed_question>& questions,
                                                const boundary::core_config& config,
                                                const exchange::member_view& member, std::int16_t version) {
    offset_fetch_request request;
    request.require_stable = version >= first_version_with_stable;
    if (version < first_version_with_groups) {
        request.group_id = config.group_id.value_or("");
        request.topics = topics_of<offset_fetch_request::offset_fetch_request_topic>(questions);
        return request;
    }
    auto& group = request.groups.emplace_back();
    group.group_id = config.group_id.value_or("");
    if (member.in_group && version >= first_version_with_member) {
        group.member_id = member.member_id;
        group.member_epoch = member.epoch;
    }
    group.topics = topics_of<offset_fetch_request::offset_fetch_request_topics>(questions);
    return request;
}

protocol::result<committed_answer> read_offset_fetch_response(const base::shared_bytes& body, std::int16_t version,
                                                              const std::vector<committed_question>& questions) {
    auto response = protocol::decode<offset_fetch_response>(body, version);
    if (!response) return tl::unexpected(std::move(response.error()));
    committed_answer answer;
    answer.throttle = std::chrono::milliseconds(response->throttle_time_ms);
    answer.failure = response->error_code;
    for (const auto& topic : response->topics) take(topic, topic.name, answer);

    std::unordered_map<protocol::topic_id, std::string> names;
    if (version >= first_offset_fetch_by_id) {
        for (const auto& question : questions) names.emplace(question.topic_id, question.partition.topic);
    }
    for (const auto& group : response->groups) {
        answer.failure = group.error_code;
        for (const auto& topic : group.topics) {
            const auto name = names.find(topic.topic_id);
            take(topic, name == names.end() ? topic.name : name->second, answer);
        }
    }
    return answer;
}

}  // namespace strandline::core::offsets
