// OffsetFetch (9), versions 1 to 10. 2 null topics ask for all; 7 stable offsets; 8 many groups; 9 members; 10 topic
// ids.
#include "testkit/fake_cluster/group_check.hpp"
#include "testkit/fake_cluster/handlers.hpp"
#include "testkit/fake_cluster/transaction_coordinator.hpp"

namespace strandline::testkit::fake {

using protocol::broker_error;

namespace {

using group_request = messages::offset_fetch_request::offset_fetch_request_group;
using group_answer = messages::offset_fetch_response::offset_fetch_response_group;
using topic_answer = messages::offset_fetch_response::offset_fetch_response_topics;
using partition_answer = messages::offset_fetch_response::offset_fetch_response_partitions;

partition_answer look_up(const std::string& group, topic_state& topic, std::int32_t index, bool stable, call& call) {
    partition_answer out;
    out.partition_index = protocol::partition_index(index);
    out.committed_offset = -1;
    out.metadata = "";
    if (stable && call.all.transactions.has_pending_offset(group, {topic.name, index})) {
        out.error_code = broker_error::unstable_offset_commit;
        return out;
    }
    if (const auto committed = call.all.groups.committed(group, {topic.id, index})) {
        out.committed_offset = committed->offset;
        out.committed_leader_epoch = protocol::leader_epoch(committed->leader_epoch);
        out.metadata = committed->metadata;
    }
    return out;
}

group_answer answer(const group_request& asked, bool stable, call& call) {
    const bool by_id = call.version() >= 10;
    group_answer out;
    out.group_id = asked.group_id;
    out.error_code = check_coordinator(call, asked.group_id);
    if (out.error_code == broker_error::none) {
        out.error_code =
            call.all.groups.check_fetch({asked.group_id, asked.member_id.value_or(""), asked.member_epoch.value(),
                                         std::nullopt, call.version() >= 9, asked.member_id.has_value()});
    }
    if (out.error_code != broker_error::none) return out;
    if (!asked.topics) {
        const auto* group = call.all.groups.find(asked.group_id);
        if (!group) return out;
        for (const auto& [partition, committed] : group->offsets) {
            auto* topic = call.cluster().find_topic(partition.first);
            if (!topic) continue;
            if (out.topics.empty() || out.topics.back().name != topic->name) {
                out.topics.emplace_back();
                out.topics.back().name = topic->name;
                out.topics.back().topic_id = topic->id;
            }
            out.topics.back().partitions.push_back(look_up(asked.group_id, *topic, partition.second, stable, call));
        }
        return out;
    }
    for (const auto& topic : *asked.topics) {
        topic_answer shown;
        shown.name = topic.name;
        shown.topic_id = topic.topic_id;
        auto* known = by_id ? call.cluster().find_topic(topic.topic_id) : call.cluster().find_topic(topic.name);
        for (const auto index : topic.partition_indexes) {
            if (known) {
                shown.partitions.push_back(look_up(asked.group_id, *known, index.value(), stable, call));
                continue;
            }
            partition_answer missing;
            missing.partition_index = index;
            missing.committed_offset = -1;
            missing.metadata = "";
            if (by_id) missing.error_code = broker_error::unknown_topic_id;
            shown.partitions.push_back(std::move(missing));
        }
        out.topics.push_back(std::move(shown));
    }
    return out;
}

// Before version 8 the one group stands in the message itself.
void flatten(group_answer&& from, messages::offset_fetch_response& to) {
    to.error_code = from.error_code;
    for (auto& topic : from.topics) {
        messages::offset_fetch_response::offset_fetch_response_topic shown;
        shown.name = std::move(topic.name);
        for (auto& partition : topic.partitions) {
            messages::offset_fetch_response::offset_fetch_response_partition out;
            out.partition_index = partition.partition_index;
            out.committed_offset = partition.committed_offset;
            out.committed_leader_epoch = partition.committed_leader_epoch;
            out.metadata = std::move(partition.metadata);
            out.error_code = partition.error_code;
            shown.partitions.push_back(std::move(out));
        }
        to.topics.push_back(std::move(shown));
    }
}

}  // namespace

reply handle(const messages::offset_fetch_request& request, call& call) {
    messages::offset_fetch_response response;
    if (call.version() >= 8) {
        for (const auto& group : request.groups) response.groups.push_back(answer(group, request.require_stable, call));
        return reply::now(std::move(response));
    }
    group_request asked;
    asked.group_id = request.group_id;
    if (request.topics) {
        for (const auto& topic : *request.topics) {
            messages::offset_fetch_request::offset_fetch_request_topics wanted;
            wanted.name = topic.name;
            wanted.partition_indexes = topic.partition_indexes;
            asked.topics->push_back(std::move(wanted));
        }
    } else {
        asked.topics = std::nullopt;
    }
    flatten(answer(asked, request.require_stable, call), response);
    return reply::now(std::move(response));
}

}  // namespace strandline::testkit::fake
