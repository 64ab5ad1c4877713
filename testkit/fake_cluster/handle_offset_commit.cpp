// OffsetCommit (8), versions 2 to 10. 6 leader epochs; 9 members of the new protocol; 10 topic ids.
#include "testkit/fake_cluster/group_check.hpp"
#include "testkit/fake_cluster/handlers.hpp"

namespace strandline::testkit::fake {

using protocol::broker_error;

reply handle(const messages::offset_commit_request& request, call& call) {
    auto& groups = call.all.groups;
    const consumer_groups::committing who{request.group_id, request.member_id,
                                          request.generation_id_or_member_epoch.value(), request.group_instance_id,
                                          call.version() >= 9};
    auto whole = check_coordinator(call, request.group_id);
    if (whole == broker_error::none) whole = groups.check_commit(who);

    messages::offset_commit_response response;
    for (const auto& topic : request.topics) {
        messages::offset_commit_response::offset_commit_response_topic shown;
        shown.name = topic.name;
        shown.topic_id = topic.topic_id;
        auto* known =
            call.version() >= 10 ? call.cluster().find_topic(topic.topic_id) : call.cluster().find_topic(topic.name);
        for (const auto& asked : topic.partitions) {
            messages::offset_commit_response::offset_commit_response_partition out;
            out.partition_index = asked.partition_index;
            if (whole != broker_error::none) {
                out.error_code = whole;
            } else if (!known) {
                out.error_code =
                    call.version() >= 10 ? broker_error::unknown_topic_id : broker_error::unknown_topic_or_partition;
            } else if (!known->find(asked.partition_index.value())) {
                out.error_code = broker_error::unknown_topic_or_partition;
            } else if (asked.committed_metadata.value_or("").size() > 4096) {
                out.error_code = broker_error::offset_metadata_too_large;
            } else {
                out.error_code = groups.commit(who, {known->id, asked.partition_index.value()},
                                               {asked.committed_offset, asked.committed_leader_epoch.value(),
                                                asked.committed_metadata.value_or("")});
            }
            shown.partitions.push_back(out);
        }
        response.topics.push_back(std::move(shown));
    }
    return reply::now(std::move(response));
}

}  // namespace strandline::testkit::fake
