// AddPartitionsToTxn (24), versions 0 to 5. 2 answers PRODUCER_FENCED; 4 is what brokers ask each other: many
// transactions at once, or only whether the partitions are in them; who asks about one that is not is told
// TRANSACTION_ABORTABLE.
#include "testkit/fake_cluster/group_check.hpp"
#include "testkit/fake_cluster/handlers.hpp"
#include "testkit/fake_cluster/transaction_coordinator.hpp"

namespace strandline::testkit::fake {

using protocol::broker_error;

namespace {

using transaction = messages::add_partitions_to_txn_request::add_partitions_to_txn_transaction;
using topic_result = messages::add_partitions_to_txn_response::add_partitions_to_txn_topic_result;

broker_error answer_one(const transaction& asked, const std::string& topic, std::int32_t partition, bool all_exist,
                        call& call) {
    auto& transactions = call.all.transactions;
    const auto* known = call.cluster().find_topic(topic);
    const bool exists = known && partition >= 0 && static_cast<std::size_t>(partition) < known->partitions.size();
    if (!exists) return broker_error::unknown_topic_or_partition;
    // All of them or none.
    if (!all_exist) return broker_error::operation_not_attempted;
    const auto producer = asked.producer_id.value();
    if (asked.verify_only) {
        return transactions.verify_partition(asked.transactional_id, producer, asked.producer_epoch,
                                             {topic, partition});
    }
    const auto error = transactions.add_partition(asked.transactional_id, producer, asked.producer_epoch,
                                                  {topic, partition}, call.now);
    const bool older = call.version() < 2 && error == broker_error::producer_fenced;
    return older ? broker_error::invalid_producer_epoch : error;
}

std::vector<topic_result> answer(const transaction& asked, call& call) {
    const auto coordinator = check_coordinator(call, asked.transactional_id);
    bool all_exist = true;
    for (const auto& topic : asked.topics) {
        auto* known = call.cluster().find_topic(topic.name);
        for (const auto index : topic.partitions) all_exist = all_exist && known && known->find(index.value());
    }
    std::vector<topic_result> results;
    for (const auto& topic : asked.topics) {
        auto& shown = results.emplace_back();
        shown.name = topic.name;
        for (const auto index : topic.partitions) {
            auto& out = shown.results_by_partition.emplace_back();
            out.partition_index = index;
            out.partition_error_code = coordinator != broker_error::none
                                           ? coordinator
                                           : answer_one(asked, topic.name, index.value(), all_exist, call);
        }
    }
    return results;
}

}  // namespace

reply handle(const messages::add_partitions_to_txn_request& request, call& call) {
    messages::add_partitions_to_txn_response response;
    if (call.version() >= 4) {
        for (const auto& asked : request.transactions) {
            auto& shown = response.results_by_transaction.emplace_back();
            shown.transactional_id = asked.transactional_id;
            shown.topic_results = answer(asked, call);
        }
        return reply::now(std::move(response));
    }
    transaction asked;
    asked.transactional_id = request.v3_and_below_transactional_id;
    asked.producer_id = request.v3_and_below_producer_id;
    asked.producer_epoch = request.v3_and_below_producer_epoch;
    asked.topics = request.v3_and_below_topics;
    response.results_by_topic_v3_and_below = answer(asked, call);
    return reply::now(std::move(response));
}

}  // namespace strandline::testkit::fake
