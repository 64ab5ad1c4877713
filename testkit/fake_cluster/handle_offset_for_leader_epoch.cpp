// OffsetForLeaderEpoch (23), versions 2 to 4: where the log of an epoch ends (KIP-320).
#include "testkit/fake_cluster/handlers.hpp"
#include "testkit/fake_cluster/leadership_check.hpp"

namespace strandline::testkit::fake {

reply handle(const messages::offset_for_leader_epoch_request& request, call& call) {
    messages::offset_for_leader_epoch_response response;
    for (const auto& topic : request.topics) {
        messages::offset_for_leader_epoch_response::offset_for_leader_topic_result shown;
        shown.topic = topic.topic;
        auto* known = call.cluster().find_topic(topic.topic);
        for (const auto& asked : topic.partitions) {
            messages::offset_for_leader_epoch_response::epoch_end_offset out;
            out.partition = asked.partition;
            const auto partition =
                find_led_partition(known, asked.partition, call.broker.id, asked.current_leader_epoch.value());
            if (partition) {
                const auto end = (*partition)->log.end_of_epoch(asked.leader_epoch.value());
                out.leader_epoch = protocol::leader_epoch(end.epoch);
                out.end_offset = end.end_offset;
            } else {
                out.error_code = partition.error();
            }
            shown.partitions.push_back(std::move(out));
        }
        response.topics.push_back(std::move(shown));
    }
    return reply::now(std::move(response));
}

}  // namespace strandline::testkit::fake
