#include "core/fetch/fetch_request.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

#include "protocol/messages/fetch.hpp"

namespace strandline::core::fetch {

namespace {

using protocol::messages::fetch_request;

// Keeps the order: a run of partitions of one topic becomes one entry, and a topic may come again.
template <class Topic>
Topic& topic_of(std::vector<Topic>& topics, const boundary::partition_identity& identity) {
    if (topics.empty() || topics.back().topic != identity.name.topic || topics.back().topic_id != identity.topic_id) {
        auto& added = topics.emplace_back();
        added.topic = identity.name.topic;
        added.topic_id = identity.topic_id;
    }
    return topics.back();
}

std::int32_t in_int32(std::int64_t number) {
    return static_cast<std::int32_t>(std::clamp<std::int64_t>(number, 0, std::numeric_limits<std::int32_t>::max()));
}

}  // namespace

protocol::any_request make_fetch_request(const fetch_session_step& step, const fetch_limits& limits,
                                         const boundary::core_config& config) {
    fetch_request request;
    request.max_wait_ms = in_int32(std::chrono::duration_cast<std::chrono::milliseconds>(limits.max_wait).count());
    request.min_bytes = limits.min_bytes;
    request.max_bytes = in_int32(static_cast<std::int64_t>(limits.max_bytes));
    request.isolation_level = static_cast<std::int8_t>(config.isolation);
    request.session_id = step.session_id;
    request.session_epoch = step.epoch;
    request.rack_id = config.client_rack;
    for (const auto& entry : step.updated) {
        auto& partition = topic_of(request.topics, *entry.partition).partitions.emplace_back();
        partition.partition = protocol::partition_index(entry.partition->name.partition);
        partition.current_leader_epoch = entry.leader_epoch;
        partition.fetch_offset = entry.offset;
        partition.partition_max_bytes = entry.max_bytes;
    }
    for (const auto& gone : step.forgotten) {
        topic_of(request.forgotten_topics_data, *gone)
            .partitions.emplace_back(protocol::partition_index(gone->name.partition));
    }
    return request;
}

}  // namespace strandline::core::fetch
