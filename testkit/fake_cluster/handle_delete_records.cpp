// DeleteRecords (21), versions 0 to 2: the log begins later.
#include "testkit/fake_cluster/handlers.hpp"
#include "testkit/fake_cluster/leadership_check.hpp"

namespace strandline::testkit::fake {

using protocol::broker_error;

reply handle(const messages::delete_records_request& request, call& call) {
    constexpr std::int64_t everything = -1;
    messages::delete_records_response response;
    for (const auto& topic : request.topics) {
        auto& shown = response.topics.emplace_back();
        shown.name = topic.name;
        auto* known = call.cluster().find_topic(topic.name);
        for (const auto& asked : topic.partitions) {
            auto& out = shown.partitions.emplace_back();
            out.partition_index = asked.partition_index;
            out.low_watermark = -1;
            const auto partition = find_led_partition(known, asked.partition_index, call.broker.id);
            if (!partition) {
                out.error_code = partition.error();
                continue;
            }
            auto& log = (*partition)->log;
            const auto before = asked.offset == everything ? log.high_watermark() : asked.offset;
            if (before < 0 || before > log.high_watermark()) {
                out.error_code = broker_error::offset_out_of_range;
                continue;
            }
            log.delete_before(before);
            out.low_watermark = log.start_offset();
        }
    }
    return reply::now(std::move(response));
}

}  // namespace strandline::testkit::fake
