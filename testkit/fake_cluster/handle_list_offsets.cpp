// ListOffsets (2), versions 1 to 11. 2 tells the isolation level; 4 fences by leader epoch; 7 to 11 add special
// timestamps.
#include <limits>

#include "testkit/fake_cluster/handlers.hpp"
#include "testkit/fake_cluster/leadership_check.hpp"

namespace strandline::testkit::fake {

using protocol::broker_error;

namespace {

using answer = messages::list_offsets_response::list_offsets_partition_response;

// Since which version a special timestamp may be asked for.
std::int16_t first_version_of(std::int64_t timestamp) {
    switch (timestamp) {
        case -1:
        case -2: return 1;
        case -3: return 7;
        case -4: return 8;
        case -5: return 9;
        case -6: return 11;
        default: return timestamp < 0 ? std::numeric_limits<std::int16_t>::max() : std::int16_t{1};
    }
}

void look_up(const partition_state& partition, std::int64_t timestamp, bool committed_only, answer& out) {
    const auto& log = partition.log;
    const auto epoch = protocol::leader_epoch(partition.leader_epoch);
    switch (timestamp) {
        case -1:  // latest
            out.offset = committed_only ? log.last_stable_offset() : log.high_watermark();
            out.leader_epoch = epoch;
            return;
        case -2:  // earliest
        case -4:  // earliest on local disk
            out.offset = log.start_offset();
            out.leader_epoch = protocol::leader_epoch(log.epoch_at(log.start_offset() + 1));
            return;
        case -3: {  // the record with the largest timestamp
            const auto found = log.find_max_timestamp();
            out.offset = found.offset;
            out.timestamp = found.timestamp;
            out.leader_epoch = protocol::leader_epoch(found.leader_epoch);
            return;
        }
        case -5:  // latest in tiered storage
        case -6:  // earliest that waits to be uploaded
            return;
        default: break;
    }
    const auto found = log.find_time(timestamp);
    if (found.offset < 0 || (committed_only && found.offset >= log.last_stable_offset())) return;
    out.offset = found.offset;
    out.timestamp = found.timestamp;
    out.leader_epoch = protocol::leader_epoch(found.leader_epoch);
}

}  // namespace

reply handle(const messages::list_offsets_request& request, call& call) {
    messages::list_offsets_response response;
    for (const auto& topic : request.topics) {
        messages::list_offsets_response::list_offsets_topic_response shown;
        shown.name = topic.name;
        auto* known = call.cluster().find_topic(topic.name);
        for (const auto& asked : topic.partitions) {
            answer out;
            out.partition_index = asked.partition_index;
            const auto partition =
                find_led_partition(known, asked.partition_index, call.broker.id, asked.current_leader_epoch.value());
            if (!partition) {
                out.error_code = partition.error();
            } else if (call.version() < first_version_of(asked.timestamp)) {
                out.error_code = broker_error::unsupported_version;
                out.offset = -1;
            } else {
                look_up(**partition, asked.timestamp, request.isolation_level == 1, out);
            }
            shown.partitions.push_back(std::move(out));
        }
        response.topics.push_back(std::move(shown));
    }
    return reply::now(std::move(response));
}

}  // namespace strandline::testkit::fake
