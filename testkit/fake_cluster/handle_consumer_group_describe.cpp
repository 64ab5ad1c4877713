// ConsumerGroupDescribe (69), versions 0 to 1. 1 tells by which protocol a member takes part.
#include "testkit/fake_cluster/group_check.hpp"
#include "testkit/fake_cluster/handlers.hpp"

namespace strandline::testkit::fake {

using protocol::broker_error;

namespace {

using response_type = messages::consumer_group_describe_response;

// Partitions of topics that are gone are not shown.
template <class Partitions>
response_type::assignment_value show(const Partitions& partitions, cluster_state& cluster) {
    response_type::assignment_value out;
    for (const auto& [id, index] : partitions) {
        const auto* topic = cluster.find_topic(id);
        if (!topic) continue;
        if (out.topic_partitions.empty() || out.topic_partitions.back().topic_id != id) {
            auto& made = out.topic_partitions.emplace_back();
            made.topic_id = id;
            made.topic_name = topic->name;
        }
        out.topic_partitions.back().partitions.emplace_back(index);
    }
    return out;
}

response_type::member show(const group_member& member, const consumer_group& group, cluster_state& cluster) {
    constexpr std::int8_t new_protocol = 1;
    constexpr std::int32_t away = -2;
    response_type::member out;
    out.member_id = member.id;
    out.instance_id = member.instance_id;
    out.rack_id = member.rack_id;
    out.member_epoch = protocol::member_epoch(member.left_for_a_while ? away : member.epoch);
    out.client_id = member.client_id;
    out.client_host = member.client_host;
    out.subscribed_topic_names.assign(member.subscribed_topics.begin(), member.subscribed_topics.end());
    out.subscribed_topic_regex = member.subscribed_regex;
    partition_set assigned;
    // It has what it is told to give up until it says that it has.
    for (const auto& [partition, since] : member.assigned) assigned.insert(partition);
    assigned.insert(member.revoking.begin(), member.revoking.end());
    out.assignment = show(assigned, cluster);
    if (const auto target = group.target.find(member.id); target != group.target.end()) {
        out.target_assignment = show(target->second, cluster);
    }
    out.member_type = new_protocol;
    return out;
}

}  // namespace

reply handle(const messages::consumer_group_describe_request& request, call& call) {
    response_type response;
    for (const auto& id : request.group_ids) {
        auto& out = response.groups.emplace_back();
        out.group_id = id;
        out.error_code = id.empty() ? broker_error::invalid_group_id : check_coordinator(call, id);
        if (out.error_code != broker_error::none) continue;
        const auto* group = call.all.groups.find(id);
        if (!group || group->is_simple) {
            out.error_code = broker_error::group_id_not_found;
            out.error_message = group ? "Group " + id + " is not a consumer group." : "Group " + id + " not found.";
            continue;
        }
        out.group_state = state_name(*group);
        out.group_epoch = group->epoch;
        out.assignment_epoch = group->target_epoch;
        out.assignor_name = assignor_of(*group);
        for (const auto& [member_id, member] : group->members) {
            out.members.push_back(show(member, *group, call.cluster()));
        }
    }
    return reply::now(std::move(response));
}

}  // namespace strandline::testkit::fake
