#include "core/offsets/leader_epoch_query.hpp"

#include <chrono>
#include <string>
#include <utility>

#include "protocol/codec.hpp"
#include "protocol/messages/offset_for_leader_epoch.hpp"

namespace strandline::core::offsets {

namespace {

using protocol::messages::offset_for_leader_epoch_request;
using protocol::messages::offset_for_leader_epoch_response;

}  // namespace

protocol::any_request make_leader_epoch_request(const std::vector<leader_epoch_question>& questions) {
    offset_for_leader_epoch_request request;
    request.replica_id = protocol::no_broker;  // a consumer
    std::map<std::string, offset_for_leader_epoch_request::offset_for_leader_topic> topics;
    for (const auto& question : questions) {
        auto& topic = topics[question.partition.topic];
        topic.topic = question.partition.topic;
        auto& partition = topic.partitions.emplace_back();
        partition.partition = protocol::partition_index(question.partition.partition);
        partition.current_leader_epoch = question.current_leader_epoch;
        partition.leader_epoch = question.position_epoch;
    }
    request.topics.reserve(topics.size());
    for (auto& [name, topic] : topics) request.topics.push_back(std::move(topic));
    return request;
}

protocol::result<leader_epoch_answer> read_leader_epoch_response(const base::shared_bytes& body, std::int16_t version) {
    auto response = protocol::decode<offset_for_leader_epoch_response>(body, version);
    if (!response) return tl::unexpected(std::move(response.error()));
    leader_epoch_answer answer;
    answer.throttle = std::chrono::milliseconds(response->throttle_time_ms);
    for (const auto& topic : response->topics) {
        for (const auto& partition : topic.partitions) {
            answer.found.insert_or_assign(
                topic_partition{topic.topic, partition.partition.value()},
                leader_epoch_finding{partition.error_code, partition.leader_epoch, partition.end_offset});
        }
    }
    return answer;
}

}  // namespace strandline::core::offsets
