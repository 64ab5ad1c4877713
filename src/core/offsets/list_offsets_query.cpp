#include "core/offsets/list_offsets_query.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/offsets/topic_lists.hpp"
#include "protocol/codec.hpp"
#include "protocol/messages/list_offsets.hpp"

namespace strandline::core::offsets {

namespace {

using protocol::messages::list_offsets_request;
using protocol::messages::list_offsets_response;

constexpr std::int16_t first_version_with_isolation = 2;

}  // namespace

protocol::any_request make_list_offsets_request(const std::vector<list_offsets_question>& questions,
                                                boundary::isolation_level isolation, base::duration timeout,
                                                std::int16_t version) {
    list_offsets_request request;
    request.replica_id = protocol::no_broker;
    if (version >= first_version_with_isolation) request.isolation_level = static_cast<std::int8_t>(isolation);
    const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(timeout).count();
    request.timeout_ms = static_cast<std::int32_t>(std::clamp<std::int64_t>(milliseconds, 0, INT32_MAX));

    using topic = list_offsets_request::list_offsets_topic;
    request.topics = by_topic(questions, &topic::name, [](topic& to, const list_offsets_question& question) {
        auto& partition = to.partitions.emplace_back();
        partition.partition_index = protocol::partition_index(question.partition.partition);
        partition.current_leader_epoch = question.leader_epoch;
        partition.timestamp = question.timestamp;
    });
    return request;
}

protocol::result<list_offsets_answer> read_list_offsets_response(const base::shared_bytes& body, std::int16_t version) {
    auto response = protocol::decode<list_offsets_response>(body, version);
    if (!response) return tl::unexpected(std::move(response.error()));
    list_offsets_answer answer;
    answer.throttle = std::chrono::milliseconds(response->throttle_time_ms);
    using topic = list_offsets_response::list_offsets_topic_response;
    answer.found = by_partition(response->topics, &topic::name, [](const auto& partition) {
        return list_offsets_finding{partition.error_code, partition.offset, partition.timestamp,
                                    partition.leader_epoch};
    });
    return answer;
}

}  // namespace strandline::core::offsets
