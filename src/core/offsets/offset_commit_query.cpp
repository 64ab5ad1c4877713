#include "core/offsets/offset_commit_query.hpp"

#include <chrono>
#include <utility>

#include "core/offsets/topic_lists.hpp"
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
    using topic = offset_commit_request::offset_commit_request_topic;
    request.topics = by_topic(items, &topic::name, [](topic& to, const commit_item& item) {
        to.topic_id = item.topic_id;
        auto& partition = to.partitions.emplace_back();
        partition.partition_index = protocol::partition_index(item.partition.partition);
        partition.committed_offset = item.offset.offset;
        partition.committed_leader_epoch = protocol::leader_epoch(item.offset.leader_epoch.value_or(-1));
        partition.committed_metadata = item.offset.metadata;
    });
    return request;
}

protocol::result<offset_commit_answer> read_offset_commit_response(const base::shared_bytes& body, std::int16_t version,
                                                                   const commit_items& items) {
    auto response = protocol::decode<offset_commit_response>(body, version);
    if (!response) return tl::unexpected(std::move(response.error()));
    const auto asked = version >= first_offset_commit_by_id ? asked_topics(items) : asked_topics();
    offset_commit_answer answer;
    answer.throttle = std::chrono::milliseconds(response->throttle_time_ms);
    answer.results = by_partition(
        response->topics, [&](const auto& topic) { return asked.name_of(topic); },
        [](const auto& partition) { return partition.error_code; });
    return answer;
}

}  // namespace strandline::core::offsets
