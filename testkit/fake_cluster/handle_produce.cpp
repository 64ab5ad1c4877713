// Produce (0), versions 3 to 13. 12 adds a partition to the producer's transaction by itself; 13 names topics by id.
#include "records/batch_scanner.hpp"
#include "testkit/fake_cluster/handlers.hpp"
#include "testkit/fake_cluster/leadership_check.hpp"
#include "testkit/fake_cluster/transaction_coordinator.hpp"

namespace strandline::testkit::fake {

using protocol::broker_error;

namespace {

using partition_answer = messages::produce_response::partition_produce_response;

void append(const messages::produce_request& request, topic_state& topic, std::int32_t index,
            partition_state& partition, const base::shared_bytes& bytes, call& call, partition_answer& out) {
    auto batch = records::batch_scanner::single(bytes);
    if (!batch || batch->is_legacy() || batch->is_control()) {
        out.error_code = batch ? broker_error::invalid_record : broker_error::corrupt_message;
        out.error_message = batch ? "not a batch that a producer may write" : to_string(batch.error());
        return;
    }
    const auto admitted =
        call.all.transactions.admit(request.transactional_id, topic, index, *batch, call.version() >= 12, call.now);
    out.error_code = admitted.error;
    out.log_start_offset = partition.log.start_offset();
    if (admitted.error != broker_error::none) {
        out.base_offset = -1;
        return;
    }
    if (admitted.duplicate_of) {
        out.base_offset = *admitted.duplicate_of;
        return;
    }
    const auto placed = partition.log.append(bytes, partition.leader_epoch);
    call.all.transactions.appended(topic, index, *batch, placed.base_offset);
    out.base_offset = placed.base_offset;
    out.log_append_time_ms = placed.log_append_time;
}

}  // namespace

reply handle(const messages::produce_request& request, call& call) {
    messages::produce_response response;
    for (const auto& topic : request.topic_data) {
        messages::produce_response::topic_produce_response shown;
        shown.name = topic.name;
        shown.topic_id = topic.topic_id;
        auto* known =
            call.version() >= 13 ? call.cluster().find_topic(topic.topic_id) : call.cluster().find_topic(topic.name);
        for (const auto& data : topic.partition_data) {
            partition_answer out;
            out.index = data.index;
            auto* partition = known ? known->find(data.index.value()) : nullptr;
            out.error_code = check_leadership(partition, call.broker.id, -1);
            if (!known && call.version() >= 13) out.error_code = broker_error::unknown_topic_id;
            if (out.error_code != broker_error::none) {
                out.base_offset = -1;
            } else if (data.records) {
                append(request, *known, data.index.value(), *partition, *data.records, call, out);
            }
            shown.partition_responses.push_back(std::move(out));
        }
        response.responses.push_back(std::move(shown));
    }
    return request.acks == 0 ? reply::never() : reply::now(std::move(response));
}

}  // namespace strandline::testkit::fake
