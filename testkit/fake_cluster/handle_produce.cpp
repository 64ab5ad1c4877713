// Produce (0), versions 3 to 13. 12 adds a partition to the producer's transaction by itself; 13 names topics by id.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "records/batch_scanner.hpp"
#include "records/batch_stamp.hpp"
#include "testkit/fake_cluster/handlers.hpp"
#include "testkit/fake_cluster/leadership_check.hpp"
#include "testkit/fake_cluster/transaction_coordinator.hpp"

namespace strandline::testkit::fake {

using protocol::broker_error;

namespace {

using partition_answer = messages::produce_response::partition_produce_response;

// Why nothing of the whole request is written.
broker_error check(const messages::produce_request& request) {
    if (request.acks < -1 || request.acks > 1) return broker_error::invalid_required_acks;
    const bool transactional = std::any_of(request.topic_data.begin(), request.topic_data.end(), [](const auto& topic) {
        return std::any_of(topic.partition_data.begin(), topic.partition_data.end(), [](const auto& data) {
            const auto batch = records::batch_scanner::single(data.records.value_or(base::shared_bytes{}),
                                                              {.verify_checksums = false});
            return batch && batch->is_transactional();
        });
    });
    // Nobody may write into a transaction without saying which.
    return transactional && !request.transactional_id ? broker_error::transactional_id_authorization_failed
                                                      : broker_error::none;
}

void refuse(partition_answer& out, broker_error error, std::optional<std::string> message = std::nullopt) {
    out.error_code = error;
    out.error_message = std::move(message);
    out.base_offset = -1;
    out.log_start_offset = -1;
}

std::size_t largest_batch(const topic_state& topic) {
    const auto set = topic.configs.find("max.message.bytes");
    return set == topic.configs.end() ? std::size_t{1'048'588} : std::stoul(set->second);
}

base::shared_bytes stamped_now(const base::shared_bytes& batch, base::wall_time now) {
    base::buffer copy(batch.size());
    std::copy_n(batch.data(), batch.size(), copy.writable().data());
    records::stamp_log_append_time(copy.writable(), now.time_since_epoch().count());
    return std::move(copy).freeze(batch.size());
}

bool takes_broker_time(const topic_state& topic) {
    const auto set = topic.configs.find("message.timestamp.type");
    return set != topic.configs.end() && set->second == "LogAppendTime";
}

void append(const messages::produce_request& request, topic_state& topic, std::int32_t index,
            partition_state& partition, base::shared_bytes bytes, call& call, partition_answer& out) {
    if (bytes.empty()) return refuse(out, broker_error::invalid_record);
    const auto batch = records::batch_scanner::single(bytes);
    if (!batch) return refuse(out, broker_error::corrupt_message, to_string(batch.error()));
    if (batch->is_legacy() || batch->is_control()) {
        return refuse(out, broker_error::invalid_record, "not a batch that a producer may write");
    }
    if (bytes.size() > largest_batch(topic)) {
        return refuse(out, broker_error::message_too_large, "larger than the topic takes");
    }
    const auto admitted =
        call.all.transactions.admit(request.transactional_id, topic, index, *batch, call.version() >= 12, call.now);
    if (admitted.error != broker_error::none) {
        // What the producer can do about it was not said so clearly before.
        const bool older = call.version() < 11 && admitted.error == broker_error::transaction_abortable;
        refuse(out, older ? broker_error::invalid_txn_state : admitted.error);
        // What is wrong with a sequence is found in the log itself.
        if (!batch->is_transactional()) out.log_start_offset = partition.log.start_offset();
        return;
    }
    out.log_start_offset = partition.log.start_offset();
    if (admitted.duplicate_of) {
        out.base_offset = *admitted.duplicate_of;
        out.log_append_time_ms = admitted.duplicates_time;
        return;
    }
    if (takes_broker_time(topic)) bytes = stamped_now(bytes, call.wall);
    const auto placed = partition.log.append(bytes, partition.leader_epoch);
    call.all.transactions.appended(topic, index, *batch, placed.base_offset);
    out.base_offset = placed.base_offset;
    out.log_append_time_ms = placed.log_append_time;
}

}  // namespace

reply handle(const messages::produce_request& request, call& call) {
    const auto whole = check(request);
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
            const auto partition = find_led_partition(known, data.index, call.broker.id);
            if (whole != broker_error::none) {
                refuse(out, whole);
            } else if (!known && call.version() >= 13) {
                refuse(out, broker_error::unknown_topic_id);
            } else if (!partition) {
                refuse(out, partition.error());
            } else {
                append(request, *known, data.index.value(), **partition, data.records.value_or(base::shared_bytes{}),
                       call, out);
            }
            shown.partition_responses.push_back(std::move(out));
        }
        response.responses.push_back(std::move(shown));
    }
    return request.acks == 0 ? reply::never() : reply::now(std::move(response));
}

}  // namespace strandline::testkit::fake
