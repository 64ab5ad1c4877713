// TxnOffsetCommit (28), versions 0 to 6. 2 leader epochs; 3 fences members; 5 adds the group to the transaction by
// itself; 6 topic ids.
#include "testkit/fake_cluster/group_check.hpp"
#include "testkit/fake_cluster/handlers.hpp"
#include "testkit/fake_cluster/transaction_coordinator.hpp"

namespace strandline::testkit::fake {

using protocol::broker_error;

namespace {

// Without a member id and epoch nobody is fenced, as with producers that know no group.
broker_error check_member(const messages::txn_offset_commit_request& request, call& call) {
    const auto epoch = request.generation_id_or_member_epoch.value();
    if (epoch < 0 && request.member_id.empty()) return broker_error::none;
    const auto error =
        call.all.groups.check_commit({request.group_id, request.member_id, epoch, request.group_instance_id, true});
    // The transactional producer knows the classic names of these only.
    if (error == broker_error::group_id_not_found || error == broker_error::stale_member_epoch) {
        return broker_error::illegal_generation;
    }
    return error;
}

}  // namespace

reply handle(const messages::txn_offset_commit_request& request, call& call) {
    auto whole = request.group_id.empty() ? broker_error::invalid_group_id : check_coordinator(call, request.group_id);
    if (whole == broker_error::none) whole = check_member(request, call);

    messages::txn_offset_commit_response response;
    std::vector<pending_offset> offsets;
    for (const auto& topic : request.topics) {
        auto& shown = response.topics.emplace_back();
        shown.name = topic.name;
        shown.topic_id = topic.topic_id;
        const bool by_id = call.version() >= 6;
        auto* known = by_id ? call.cluster().find_topic(topic.topic_id) : call.cluster().find_topic(topic.name);
        for (const auto& asked : topic.partitions) {
            auto& out = shown.partitions.emplace_back();
            out.partition_index = asked.partition_index;
            out.error_code = whole;
            if (whole != broker_error::none) continue;
            if (!known || !known->find(asked.partition_index.value())) {
                out.error_code =
                    by_id && !known ? broker_error::unknown_topic_id : broker_error::unknown_topic_or_partition;
                continue;
            }
            offsets.push_back({known->name, asked.partition_index.value(), asked.committed_offset,
                               asked.committed_leader_epoch.value(), asked.committed_metadata.value_or("")});
        }
    }
    if (whole != broker_error::none) return reply::now(std::move(response));
    auto refused =
        call.all.transactions.add_offsets(request.transactional_id, request.producer_id.value(), request.producer_epoch,
                                          request.group_id, std::move(offsets), call.version() >= 5, call.now);
    if (refused == broker_error::producer_fenced) refused = broker_error::invalid_producer_epoch;
    const bool older = call.version() < 4 && refused == broker_error::transaction_abortable;
    if (older) refused = broker_error::invalid_txn_state;
    // A group that nobody has joined exists from then on.
    if (refused == broker_error::none) call.all.groups.find_or_make(request.group_id);
    for (auto& topic : response.topics) {
        for (auto& partition : topic.partitions) {
            if (partition.error_code == broker_error::none) partition.error_code = refused;
        }
    }
    return reply::now(std::move(response));
}

}  // namespace strandline::testkit::fake
