#include "core/offsets/leader_epoch_query.hpp"

#include <chrono>
#include <utility>

#include "core/offsets/topic_lists.hpp"
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
    using topic = offset_for_leader_epoch_request::offset_for_leader_topic;
    request.topics = by_topic(questions, &topic::topic, [](topic& to, const leader_epoch_question& question) {
        auto& partition = to.partitions.emplace_back();
        partition.partition = protocol::partition_index(question.partition.partition);
        partition.current_leader_epoch = question.current_leader_epoch;
        partition.leader_epoch = question.position_epoch;
    });
    return request;
}

protocol::result<leader_epoch_answer> read_leader_epoch_response(const base::shared_bytes& body, std::int16_t version) {
    auto response = protocol::decode<offset_for_leader_epoch_response>(body, version);
    if (!response) return tl::unexpected(std::move(response.error()));
    leader_epoch_answer answer;
    answer.throttle = std::chrono::milliseconds(response->throttle_time_ms);
    using topic = offset_for_leader_epoch_response::offset_for_leader_topic_result;
    answer.found = by_partition(response->topics, &topic::topic, [](const auto& partition) {
        return leader_epoch_finding{partition.error_code, partition.leader_epoch, partition.end_offset};
    });
    return answer;
}

}  // namespace strandline::core::offsets
