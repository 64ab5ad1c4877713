// OffsetDelete (47), version 0: what a group has committed is forgotten, unless it subscribes to the topic.
#include "testkit/fake_cluster/group_check.hpp"
#include "testkit/fake_cluster/handlers.hpp"

namespace strandline::testkit::fake {

using protocol::broker_error;

reply handle(const messages::offset_delete_request& request, call& call) {
    messages::offset_delete_response response;
    response.error_code =
        request.group_id.empty() ? broker_error::invalid_group_id : check_coordinator(call, request.group_id);
    auto* group = call.all.groups.find(request.group_id);
    if (response.error_code == broker_error::none && !group) response.error_code = broker_error::group_id_not_found;
    if (response.error_code != broker_error::none) return reply::now(std::move(response));
    for (const auto& topic : request.topics) {
        auto& shown = response.topics.emplace_back();
        shown.name = topic.name;
        auto* known = call.cluster().find_topic(topic.name);
        const bool subscribed = call.all.groups.is_subscribed(*group, topic.name);
        for (const auto& asked : topic.partitions) {
            auto& out = shown.partitions.emplace_back();
            out.partition_index = asked.partition_index;
            if (!known || !known->find(asked.partition_index.value())) {
                out.error_code = broker_error::unknown_topic_or_partition;
            } else if (subscribed) {
                out.error_code = broker_error::group_subscribed_to_topic;
            } else {
                group->offsets.erase({known->id, asked.partition_index.value()});
            }
        }
    }
    return reply::now(std::move(response));
}

}  // namespace strandline::testkit::fake
