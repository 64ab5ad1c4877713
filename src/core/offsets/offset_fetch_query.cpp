#include "core/offsets/offset_fetch_query.hpp"

#include <chrono>
#include <utility>

#include "core/offsets/topic_lists.hpp"
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
    return by_topic(questions, &Topic::name, [](Topic& to, const committed_question& question) {
        if constexpr (requires { to.topic_id; }) to.topic_id = question.topic_id;
        to.partition_indexes.emplace_back(question.partition.partition);
    });
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
    const auto finding = [](const auto& partition) { return finding_of(partition); };
    using topic = offset_fetch_response::offset_fetch_response_topic;
    answer.found = by_partition(response->topics, &topic::name, finding);

    const auto asked = version >= first_offset_fetch_by_id ? asked_topics(questions) : asked_topics();
    for (const auto& group : response->groups) {
        answer.failure = group.error_code;
        answer.found.merge(by_partition(group.topics, [&](const auto& each) { return asked.name_of(each); }, finding));
    }
    return answer;
}

}  // namespace strandline::core::offsets
