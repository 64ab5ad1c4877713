// Of the APIs that transactional producers use.
#include "testkit/fake_cluster/handlers.hpp"

namespace strandline::testkit::fake {

using protocol::broker_error;

any_response fail(const messages::init_producer_id_request&, std::int16_t, broker_error error) {
    messages::init_producer_id_response response;
    response.error_code = error;
    response.producer_epoch = -1;
    return response;
}

any_response fail(const messages::add_partitions_to_txn_request& request, std::int16_t version, broker_error error) {
    const auto results = [&](const auto& topics) {
        std::vector<messages::add_partitions_to_txn_response::add_partitions_to_txn_topic_result> made;
        for (const auto& topic : topics) {
            auto& shown = made.emplace_back();
            shown.name = topic.name;
            for (const auto index : topic.partitions) {
                auto& out = shown.results_by_partition.emplace_back();
                out.partition_index = index;
                out.partition_error_code = error;
            }
        }
        return made;
    };
    messages::add_partitions_to_txn_response response;
    if (version >= 4) response.error_code = error;
    for (const auto& transaction : request.transactions) {
        auto& shown = response.results_by_transaction.emplace_back();
        shown.transactional_id = transaction.transactional_id;
        shown.topic_results = results(transaction.topics);
    }
    response.results_by_topic_v3_and_below = results(request.v3_and_below_topics);
    return response;
}

any_response fail(const messages::add_offsets_to_txn_request&, std::int16_t, broker_error error) {
    messages::add_offsets_to_txn_response response;
    response.error_code = error;
    return response;
}

any_response fail(const messages::end_txn_request&, std::int16_t, broker_error error) {
    messages::end_txn_response response;
    response.error_code = error;
    return response;
}

any_response fail(const messages::txn_offset_commit_request& request, std::int16_t, broker_error error) {
    messages::txn_offset_commit_response response;
    for (const auto& topic : request.topics) {
        auto& shown = response.topics.emplace_back();
        shown.name = topic.name;
        shown.topic_id = topic.topic_id;
        for (const auto& asked : topic.partitions) {
            auto& out = shown.partitions.emplace_back();
            out.partition_index = asked.partition_index;
            out.error_code = error;
        }
    }
    return response;
}

}  // namespace strandline::testkit::fake
